"""The command that ranks players of matches."""

from pathlib import Path
from typing import Annotated

import typer

from palaestra.cli import terminal
from palaestra.cli.completion import complete_name
from palaestra.cli.options import (
    AnswerFormat,
    ApiKeyEnv,
    Concurrency,
    Extra,
    GiveUpAfter,
    MaxTokens,
    Retries,
    Seed,
    Temperature,
    Timeout,
    TopP,
)

PLAYERS = ["random", "built-in", "baseline"]
"""The players of a tournament of which none is named."""


def ladder(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Matches, or patterns such as matches/*; default: all.",
            autocompletion=complete_name,
        ),
    ] = None,
    *,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            "-p",
            help="A player, several times: random, built-in, baseline, baseline:2, mcts, mcts:1000 "
            "or MODEL@URL; default: the first three.",
        ),
    ] = None,
    levels: Annotated[
        str, typer.Option(help="Levels to play: all, or numbers and spans as in 0-2,5.")
    ] = "2",
    count: Annotated[
        int, typer.Option("--count", "-n", min=1, help="Number of tasks of each match and level.")
    ] = 4,
    seed: Seed = 0,
    file: Annotated[Path, typer.Option("--out", "-o", help="Folder for the games.")] = Path(
        "tournament"
    ),
    answer_format: Annotated[
        AnswerFormat, typer.Option(help="How moves are marked.")
    ] = AnswerFormat.tags,
    concurrency: Concurrency = 16,
    api_key_env: ApiKeyEnv = "OPENAI_API_KEY",
    temperature: Temperature = None,
    top_p: TopP = None,
    max_tokens: MaxTokens = None,
    extra: Extra = None,
    timeout: Timeout = 600.0,
    retries: Retries = 5,
    give_up_after: GiveUpAfter = 32,
) -> None:
    """Rank players by matches against each other, with ratings and their intervals.

    Each task is played by each pair in both orders; in matches of more players, those of a game
    take turns around the table. Games are stored as they end: after an
    interruption, the same command resumes, and players can be added. The exit code is 1 if games
    are missing.
    """
    from palaestra.trainers.calibration.ladders import levels_of, selected
    from palaestra.trainers.evaluation.command import sampling_of
    from palaestra.trainers.ranking.command import addresses_of, run

    chosen = selected(names or ("matches",), levels_of(levels))
    addresses = addresses_of(chosen, range(seed, seed + count))
    sampling = sampling_of(extra, temperature=temperature, top_p=top_p, max_tokens=max_tokens)
    client = {"api_key_env": api_key_env, "timeout_s": timeout, "retries": retries}
    options = {"answer_format": answer_format.value, "concurrency": concurrency}
    consoles = (terminal.out, terminal.err)
    if code := run(
        addresses,
        list(dict.fromkeys(player or PLAYERS)),
        file,
        consoles,
        client,
        sampling,
        options | {"give_up_after": give_up_after},
    ):
        raise typer.Exit(code)
