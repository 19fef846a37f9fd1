"""The command verify: replies judged by a named verifier, and the list of these."""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE
from rich.table import Table

from palaestra.cli import terminal
from palaestra.cli.options import AnswerFormat

if TYPE_CHECKING:
    from palaestra.verification import Verification

FIELDS = {"verifier", "gold", "reply", "replies", "options", "answer_format"}
"""The keys of a line of --lines."""


def verify(
    name: Annotated[str | None, typer.Argument(help="A verifier, such as quantity.")] = None,
    file: Annotated[
        Path, typer.Argument(help="File with the reply; - is standard input.", allow_dash=True)
    ] = Path("-"),
    gold: Annotated[
        str | None,
        typer.Option(help="What is right: text if the verifier takes text, otherwise JSON."),
    ] = None,
    gold_json: Annotated[str | None, typer.Option(help="The same, always as JSON.")] = None,
    gold_file: Annotated[
        Path | None, typer.Option(help="The same, from a file; JSON if it ends with .json.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the verifier: relative=0.01.")
    ] = None,
    answer_format: Annotated[
        AnswerFormat | None, typer.Option(help="How the answer is marked in the reply.")
    ] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="The file has JSON lines with reply, gold and options.")
    ] = False,
    list_: Annotated[bool, typer.Option("--list", help="List the verifiers and exit.")] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schemas of gold and options and exit.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="List as JSON lines.")] = False,
) -> None:
    """Judge a reply by a named verifier; prints a line of JSON.

    With --lines, each line of the file is a JSON object with a reply (or replies) and, unless the
    command line states them, verifier, gold, options and answer_format. A reply that cannot be
    judged gives a line with its error, and the exit code is 1.
    """
    if list_:
        _list(as_json)
        return
    if name is None and not lines:
        raise ValueError("name a verifier; palaestra verify --list shows them")
    if schema:
        _show_schema(name)
        return
    defaults: dict[str, Any] = {"verifier": name, "options": _options(option)}
    defaults["answer_format"] = None if answer_format is None else answer_format.value
    stated = _gold(name, gold, gold_json, gold_file)
    if lines:
        _judge_lines(file, defaults | stated)
        return
    if not stated:
        raise ValueError("state what is right by --gold, --gold-json or --gold-file")
    _judge(defaults | stated | {"reply": _text(file)})


def _list(as_json: bool) -> None:
    from palaestra.verification import listing

    if as_json:
        for row in listing():
            print(json.dumps(row))
        return
    table = Table(box=SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("verifier", no_wrap=True)
    table.add_column("what it judges", ratio=2)
    table.add_column("requires", no_wrap=True)
    for row in listing():
        needs = ["sandbox" if row["runs"] == "sandbox" else "", row["extra"] or ""]
        table.add_row(row["name"], row["judges"], " ".join(filter(None, needs)))
    terminal.print_table(table)


def _show_schema(name: str | None) -> None:
    from palaestra.verifiers.named import entry_of

    if name is None:
        raise ValueError("name the verifier whose schemas to print")
    print(json.dumps(entry_of(name).described(), indent=2, ensure_ascii=False))


def _options(words: list[str] | None) -> dict[str, Any]:
    """Options as they are written on the command line: JSON values, or else texts."""
    options: dict[str, Any] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise ValueError(f"write an option as name=value, not {word[:80]!r}")
        try:
            options[name] = json.loads(value)
        except (ValueError, RecursionError):
            options[name] = value
    return options


def _gold(
    name: str | None, text: str | None, as_json: str | None, file: Path | None
) -> dict[str, Any]:
    """The gold that the command line states, if it does."""
    if sum(each is not None for each in (text, as_json, file)) > 1:
        raise ValueError("state the gold once: --gold, --gold-json or --gold-file")
    if file is not None:
        content = _text(file)
        text, as_json = (None, content) if file.suffix == ".json" else (content, None)
    if text is not None and not _takes_text(name):
        text, as_json = None, text
    if as_json is not None:
        return {"gold": _loaded(as_json)}
    return {} if text is None else {"gold": text}


def _takes_text(name: str | None) -> bool:
    from palaestra.verifiers.named import entry_of

    return name is None or entry_of(name).takes_text()


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the gold is not JSON: {error}"[:300]) from None


def _text(file: Path) -> str:
    """What a file or standard input contains."""
    if str(file) != "-":
        try:
            return file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"{file} cannot be read: {error}"[:300]) from None
    if sys.stdin.isatty():
        terminal.note("waiting for a reply on standard input; Ctrl+D ends it")
    return sys.stdin.read()


def _judge(item: Mapping[str, Any]) -> None:
    """Judge the one reply of the command line, and print the verdict."""
    from palaestra.task import JudgeError
    from palaestra.verification import verify as judged
    from palaestra.verifiers.named import BadField

    try:
        score = judged(**item)
    except JudgeError as fault:
        _print(fault)
        raise typer.Exit(1) from None
    except BadField as error:
        field = error.pointer.split("/")[1]
        raise ValueError(f"{field.removesuffix('s')} of {item['verifier']}: {error}") from None
    _print(score)


def _judge_lines(file: Path, defaults: Mapping[str, Any]) -> None:
    """Judge the replies of JSON lines, and print a verdict for each."""
    from palaestra.task import JudgeError
    from palaestra.verification import verify_many

    failed = False
    stream = _text(file).splitlines() if str(file) != "-" else sys.stdin
    for line in stream:
        if not line.strip():
            continue
        try:
            items = [*_items(line, defaults)]
        except ValueError as error:
            _print(JudgeError(str(error)[:300]))
            failed = True
            continue
        for done in verify_many(items):
            failed |= isinstance(done, JudgeError)
            _print(done)
    if failed:
        raise typer.Exit(1)


def _items(line: str, defaults: Mapping[str, Any]) -> "Iterator[Verification]":
    """The replies of a line. Raises ``ValueError`` for one that is not as it has to be."""
    from palaestra.verification import Verification

    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a line of JSON: {error}") from None
    if isinstance(row, str):
        row = {"reply": row}
    if not isinstance(row, dict) or ("reply" in row) == ("replies" in row):
        raise ValueError("a line is an object with a reply, or with replies")
    if unknown := sorted(row.keys() - FIELDS):
        raise ValueError(f"no such fields: {', '.join(unknown)[:200]}")
    wish = {**defaults, **row}
    for key in ("verifier", "gold"):
        if wish.get(key) is None and key not in row:
            raise ValueError(f"neither the line nor the command line states the {key}")
    replies = wish["replies"] if "replies" in row else [wish["reply"]]
    if not isinstance(replies, list) or not all(isinstance(each, str) for each in replies):
        raise ValueError("a reply is a text")
    for reply in replies:
        yield Verification(
            str(wish["verifier"]), wish["gold"], reply, wish["options"], wish["answer_format"]
        )


def _print(done: Any) -> None:
    row = {"value": done.value, "correct": done.correct, "status": done.status}
    row |= {"reason": done.reason, "parts": dict(done.parts)}
    print(json.dumps(row, ensure_ascii=True), flush=True)
