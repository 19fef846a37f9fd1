"""Commands on environments and tasks: list, show, sample, export, play, score."""

import json
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.table import Table

import palaestra
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
    chosen,
)
from palaestra.cli.terminal import print_faults


def list_(
    category: Annotated[str | None, typer.Option(help="Only this category.")] = None,
    tag: Annotated[str | None, typer.Option(help="Only environments with this tag.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only this kind: puzzle, task or match.")] = None,
    q: Annotated[
        str, typer.Option("-q", help="Only environments whose name or summary contains this.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """List the environments."""
    cards = palaestra.environments(category, tag, kind, q)
    if as_json:
        for card in cards:
            print(json.dumps(card))
    elif not terminal.out.is_terminal:
        print("\n".join(card["name"] for card in cards))
    else:
        table = Table("environment", "what the player does", "kind", "levels")
        for card in cards:
            table.add_row(card["name"], card["summary"], card["kind"], str(card["levels"]))
        terminal.out.print(table)
    if print_faults():
        raise typer.Exit(1)


def combinators() -> None:
    """List the combinators, with how many environments each applies to."""
    from palaestra.combinators import COMBINATORS
    from palaestra.registry import summary

    environments = [palaestra.load(name) for name in palaestra.names()]
    table = Table("combinator", "what it makes of a task", "environments")
    for combinator in COMBINATORS.values():
        applicable = sum(not combinator().refusal(each) for each in environments)
        table.add_row(str(combinator()), summary(combinator), str(applicable))
    terminal.out.print(table)


def show(name: Name, level: Level = 0, seed: Seed = 0) -> None:
    """Show an environment: its card, its knobs, an example task and its solution."""
    from palaestra.catalog import catalog
    from palaestra.registry import summary

    address = palaestra.Address.of(name, seed, level)
    row = catalog().get(name, {})
    description = row.get("summary") or summary(palaestra.load(address.env))
    terminal.out.print(f"[bold]{name}[/] {description}", highlight=False)
    table = Table("knob", "level by level")
    for knob, rungs in type(address.knobs).ladders().items():
        table.add_row(knob, ", ".join(map(str, rungs)))
    terminal.out.print(table)
    for version, release in row.get("releases", {}).items():
        terminal.out.print(f"version {version}: latest in palaestra {release}", highlight=False)
    for figure, value in row.get("measured", {}).items():
        terminal.out.print(f"{figure}: {value}", highlight=False)
    task = address.task()
    print(f"\n{address}\n\n{palaestra.Episode(task).observation}\n\nA perfect player:")
    print("\n".join(task.solve()))


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


def export(
    name: Name,
    count: Count = 1000,
    level: Level = 0,
    seed: Seed = 0,
    split: Split = Split.train,
    answer_format: AnswerFormat = AnswerFormat.tags,
    knob: Knob = None,
    trainer: Annotated[
        str, typer.Option(help="Only the columns of this trainer, such as verl.")
    ] = "all",
    form: Annotated[Format, typer.Option("--format", help="Format of the rows.")] = Format.jsonl,
    file: Out = None,
) -> None:
    """Write a dataset whose rows have the columns that common trainers expect."""
    from palaestra.trainers.exports import exported

    examples = exported(
        name,
        range(seed, seed + count),
        level,
        split.value,
        answer_format.value,
        trainer=trainer,
        **chosen(knob),
    )
    write(examples, form, file)


def play(name: Name, level: Level = 0, seed: Seed = 0, knob: Knob = None) -> None:
    r"""Play a task in the terminal. Write \n for a line break within an answer."""
    address = palaestra.Address.of(name, seed, level, None, **chosen(knob))
    episode = palaestra.Episode(address.task(), "bare")
    terminal.out.print(f"[dim]{address}[/]", highlight=False)
    while episode.score is None:
        print(f"\n{episode.observation}\n")
        try:
            episode.step(input("> ").replace("\\n", "\n"))
        except EOFError:
            terminal.out.print("\nunfinished")
            return
    terminal.out.print(f"\nscore {episode.score.value:g} {episode.score.reason}", highlight=False)


def score() -> None:
    """Score JSON lines of {"address", "replies", "answer_format"} from stdin; prints one line for
    each.

    A line that cannot be scored gives a line with its error, and the exit code is 1.
    """
    failed = False
    for line in sys.stdin:
        if not line.strip():
            continue
        result = _scored(line)
        failed |= result["value"] is None
        print(json.dumps(result, ensure_ascii=False), flush=True)
    if failed:
        raise typer.Exit(1)


def _scored(line: str) -> dict[str, Any]:
    from palaestra.scoring import attempt

    try:
        wish = json.loads(line)
        address, replies = wish["address"], wish["replies"]
        done = attempt(address, replies, wish.get("answer_format", "tags"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        why = f"not an object with 'address' and 'replies': {error}"
        return {"address": None, "value": None, "status": "infra_error", "reason": why[:300]}
    result = {"address": address, "value": done.value, "correct": done.correct}
    return result | {"status": done.status, "reason": done.reason, "parts": dict(done.parts)}
