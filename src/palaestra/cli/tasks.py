"""Commands on tasks: combinators, sample, play, score."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE
from rich.table import Table

from palaestra.cli import terminal
from palaestra.cli.datasets import write
from palaestra.cli.options import (
    AnswerFormat,
    Count,
    Format,
    Knob,
    Level,
    Name,
    Out,
    Seed,
    Split,
    UserApiKeyEnv,
    UserBaseUrl,
    UserModel,
    UserPersona,
    chosen,
)


def combinators(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON lines, with the names of the environments.")
    ] = False,
) -> None:
    """List the combinators, with the environments that each applies to."""
    from palaestra.applicability import listing

    if as_json:
        for row in listing():
            print(json.dumps(row))
        return
    table = Table(box=SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("combinator", overflow="fold")
    table.add_column("what it makes of a task", ratio=2)
    table.add_column("environments", justify="right")
    for row in listing():
        table.add_row(row["default"], row["summary"], str(len(row["environments"])))
    terminal.print_table(table)


def rows(
    name: str,
    count: int,
    level: int,
    seed: int,
    split: Split,
    answer_format: AnswerFormat,
    knobs: Any,
) -> Iterator[dict[str, Any]]:
    """Tasks as plain rows."""
    from palaestra.scoring import addresses, opening

    for address in addresses(name, range(seed, seed + count), level, split.value, **knobs):
        turn = opening(address, answer_format.value)
        row = {"address": turn.address, "messages": list(turn.messages)}
        yield row | ({"tools": list(turn.tools)} if turn.tools else {})


def sample(
    name: Name,
    count: Count = 1,
    level: Level = 0,
    seed: Seed = 0,
    split: Split = Split.train,
    answer_format: AnswerFormat = AnswerFormat.tags,
    knob: Knob = None,
    form: Annotated[Format, typer.Option("--format", help="Format of the rows.")] = Format.jsonl,
    file: Out = None,
) -> None:
    """Sample tasks: one line of JSON for each, with its address and the messages for a model."""
    write(rows(name, count, level, seed, split, answer_format, chosen(knob)), form, file)


def play(
    name: Name,
    level: Level = 0,
    seed: Annotated[
        int | None, typer.Option(help="Seed of the task; by default a random one.")
    ] = None,
    knob: Knob = None,
    user_base_url: UserBaseUrl = None,
    user_model: UserModel = None,
    user_api_key_env: UserApiKeyEnv = "OPENAI_API_KEY",
    user_persona: UserPersona = "",
    scene: Annotated[
        bool, typer.Option(help="Draw boards, stacks and cards below the text, in a terminal.")
    ] = True,
) -> None:
    """Play tasks in the terminal.

    A reply may have several lines: paste them, or begin a new line with Alt+Enter; an empty line or
    Ctrl+D ends it. Tools are called by name, as in: book room=Oak day=Tue. The command /help lists
    what else there is: undo, retry, the solution, another task, another level. The path of a file
    of PuzzleScript, such as blocks.txt, in place of an environment plays the levels of that file.
    """
    from palaestra.cli.playing import FilePlayer, Player, reader
    from palaestra.trainers.spoken_users import Speaker

    if name.endswith(".txt"):
        if seed is not None or knob:
            raise ValueError("a file of PuzzleScript has neither seeds nor knobs")
        FilePlayer(Path(name), level, reader(), scene).play()
        return
    speaker = Speaker.of(
        user_base_url, user_model, api_key_env=user_api_key_env, persona=user_persona
    )
    Player(name, level, seed, chosen(knob), reader(), speaker, scene).play()


def score(
    files: Annotated[
        list[Path] | None,
        typer.Argument(exists=True, dir_okay=False, help="Files; default: standard input."),
    ] = None,
) -> None:
    """Score JSON lines or trajectories, and print one line for each.

    A line has the keys address, replies (a text or a list) and, optionally, answer_format; or it is
    a trajectory in ATIF with an address, as `palaestra eval --traces atif` writes them. A file may
    be a single trajectory over several lines. What cannot be scored gives a line with its error,
    and the exit code is 1.
    """
    if not files and sys.stdin.isatty():
        terminal.note(
            'waiting for lines such as {"address": "…", "replies": "…"} on standard input; '
            "Ctrl+D ends them"
        )
    failed = False
    for line in _lines(files or []):
        if not line.strip():
            continue
        result = _scored(line)
        failed |= result["value"] is None
        print(json.dumps(result, ensure_ascii=False), flush=True)
    if failed:
        raise typer.Exit(1)


def _lines(files: list[Path]) -> Iterator[str]:
    """The lines of files, or of standard input; of a file that is one JSON value, the value."""
    if not files:
        yield from sys.stdin
    for file in files:
        with file.open(encoding="utf-8", errors="replace") as stream:
            first = next((line for line in stream if line.strip()), "")
            stream.seek(0)
            if first.strip() in {"{", "["}:
                yield stream.read()
            else:
                yield from stream


def _scored(line: str) -> dict[str, Any]:
    from palaestra.scoring import attempt
    from palaestra.task import JudgeError

    recorded: dict[str, Any] = {}
    problem = "not an object with 'address' and 'replies'"
    try:
        wish = json.loads(line)
        if isinstance(wish, dict) and "schema_version" in wish:
            from palaestra.trainers.evaluation.trajectories import attempt_in

            problem = "not a trajectory that can be scored"
            wish = attempt_in(wish)
            recorded = {"recorded": wish.get("score")}
        address, replies = wish["address"], wish["replies"]
        done = attempt(address, replies, wish.get("answer_format", "tags"))
        if done.status == "no_answer" and wish.get("score", 0) is None:
            done = JudgeError("the recorded attempt was cut off, and was not scored")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        why = f"{problem}: {error}"
        return {"address": None, "value": None, "status": "infra_error", "reason": why[:300]}
    result = {"address": address, "value": done.value, "correct": done.correct}
    result |= {"status": done.status, "reason": done.reason, "parts": dict(done.parts)}
    return result | recorded
