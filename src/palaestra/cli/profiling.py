"""The commands about profiles: measure one, add it to a file, show them."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE
from rich.table import Table

from palaestra.cli import terminal
from palaestra.cli.commands import Application
from palaestra.cli.completion import complete_name
from palaestra.cli.options import (
    AnswerFormat,
    ApiKeyEnv,
    BaseUrl,
    Concurrency,
    Extra,
    GiveUpAfter,
    MaxContext,
    MaxTokens,
    MaxTurns,
    Model,
    Retries,
    RetryUnscored,
    System,
    Temperature,
    Timeout,
    ToolMode,
    Tools,
    TopP,
)

profiles = Application(help="How often models succeed, by environment and level.")

File = Annotated[
    Path,
    typer.Option("--file", dir_okay=False, help="The file of profiles, which may not exist yet."),
]


@profiles.command()
def measure(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Environments, categories or patterns such as logic/*; default: all.",
            autocompletion=complete_name,
        ),
    ] = None,
    *,
    base_url: BaseUrl,
    model: Model,
    file: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder for the results; default: profiles/…"),
    ] = None,
    shard: Annotated[
        str, typer.Option(help="Play one part of the environments: 2/8 is the second of eight.")
    ] = "1/1",
    levels: Annotated[
        str, typer.Option(help="Levels to play: all, or numbers and spans as in 0-2,5.")
    ] = "all",
    tasks: Annotated[int, typer.Option(min=1, help="Tasks of each environment and level.")] = 16,
    samples: Annotated[
        int, typer.Option("--samples", "-k", min=1, help="Attempts at each task; 8 for pass@8.")
    ] = 8,
    answer_format: Annotated[
        AnswerFormat, typer.Option(help="How answers are marked.")
    ] = AnswerFormat.tags,
    concurrency: Concurrency = 64,
    api_key_env: ApiKeyEnv = "OPENAI_API_KEY",
    temperature: Temperature = None,
    top_p: TopP = None,
    max_tokens: MaxTokens = None,
    max_turns: MaxTurns = 256,
    max_context: MaxContext = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed sent with requests, plus the index of the sample.")
    ] = None,
    system: System = "",
    tools: Tools = ToolMode.auto,
    extra: Extra = None,
    timeout: Timeout = 600.0,
    retries: Retries = 5,
    retry_unscored: RetryUnscored = False,
    give_up_after: GiveUpAfter = 32,
) -> None:
    """Measure a model on held-out tasks of all levels, and write its profile.

    Attempts are stored as they finish: after an interruption, the same command resumes. Shards
    may be played on several machines; `palaestra profiles add` merges their folders.
    """
    from palaestra.trainers.calibration.ladders import levels_of
    from palaestra.trainers.evaluation import ChatClient
    from palaestra.trainers.evaluation.command import name_of, run, sampling_of
    from palaestra.trainers.profiles import Shard, suite

    part = Shard.parse(shard)
    played = suite(names or (), levels_of(levels), tasks, part, answer_format.value)
    client = ChatClient(base_url, api_key_env=api_key_env, timeout_s=timeout, retries=retries)
    sampling = sampling_of(extra, temperature=temperature, top_p=top_p, max_tokens=max_tokens)
    options: dict[str, Any] = {**sampling, "samples": samples, "concurrency": concurrency}
    options |= {"system": system, "seed": seed, "tools": tools.value, "max_turns": max_turns}
    options |= {"max_context": max_context, "retry_unscored": retry_unscored}
    options |= {"give_up_after": give_up_after}
    folder = part.folder(file or Path("profiles", name_of(model)))
    if code := run(client, model, played, folder, (terminal.out, terminal.err), options):
        raise typer.Exit(code)


@profiles.command()
def add(
    folders: Annotated[
        list[Path],
        typer.Argument(
            exists=True,
            help="Folders of measurements, evaluations or calibrations, or files of profiles.",
        ),
    ],
    file: File = Path("profiles.yaml"),
    replace: Annotated[
        bool, typer.Option("--replace", help="Drop the earlier profiles of these models.")
    ] = False,
) -> None:
    """Add profiles to a file. Levels that were measured before are replaced.

    Profiles of one model must have been measured with the same settings.
    """
    from palaestra.profiles import combined, load, write
    from palaestra.trainers.profiles import read, unknown

    new = [profile for folder in folders for profile in read(folder)]
    models = {profile.model for profile in new}
    earlier = load(file) if file.exists() else ()
    kept = [each for each in earlier if not (replace and each.model in models)]
    after = combined([*kept, *new])
    write(after, file)
    for profile in after:
        levels = sum(len(each.levels) for each in profile.environments.values())
        line = f"{profile.model}: {len(profile.environments):,} environments, {levels:,} levels"
        terminal.out.print(line, highlight=False, markup=False, soft_wrap=True)
        if missing := unknown(profile):
            terminal.note(f"{len(missing):,} are not installed here, such as {missing[0]}")


@profiles.command()
def show(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Environments, categories or patterns; default: all.",
            autocompletion=complete_name,
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(exists=True, help="A file or folder of profiles; default: of this release."),
    ] = None,
) -> None:
    """Show the success rates of models by level, in percent."""
    from palaestra.profiles import shipped
    from palaestra.trainers.calibration.ladders import selected
    from palaestra.trainers.profiles import read

    known = shipped() if file is None else read(file)
    if not known:
        terminal.note(
            "there are no profiles here yet; `palaestra profiles measure --help` says how to "
            "measure one"
        )
        return
    wanted = {*selected(names)} if names else None
    table = Table(box=SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    for head in ("environment", "model", "pass@1 by level", "pass@8 by level"):
        table.add_column(head, no_wrap=True)
    for profile in known:
        for env, own in profile.environments.items():
            if wanted is None or env in wanted:
                columns = (
                    " ".join(_percent(getattr(level, name)) for level in own.levels.values())
                    for name in ("pass_1", "pass_8")
                )
                table.add_row(env, profile.model, *columns)
    terminal.print_table(table)


def _percent(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:.0f}"
