"""Kinds about blocks of layout: JSON, tables, code, and the lack of any."""

import json
import re
from collections import Counter

from palaestra.verifiers.instructions.registry import MANY, instruction_type
from palaestra.verifiers.instructions.text import Text, written
from palaestra.verifiers.instructions.values import Count, Phrase, Several, Tag

_EMPHASIS = re.compile(r"\*(?=\S)[^*\n]{1,500}(?<=\S)\*|(?<!\w)_(?=\S)[^_\n]{1,500}(?<=\S)_(?!\w)")
_DELIMITER = re.compile(r":?-{1,80}:?")
_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*)\n```", re.DOTALL | re.IGNORECASE)


@instruction_type(
    "The whole reply is one JSON object with the keys {keys} and no others.",
    "Reply with nothing but a JSON object that has exactly the keys {keys}.",
    implies=lambda keys: {"form of the whole": "JSON"},
    keys=Several(1, 20, Phrase(60)),
)
def _json_object(text: Text, keys: tuple[str, ...]) -> str:
    raw = text.raw.strip()
    fenced = _FENCED.fullmatch(raw)
    try:
        value = json.loads(
            fenced[1] if fenced else raw, object_pairs_hook=_once, parse_constant=_refuse
        )
    except (ValueError, RecursionError):
        return "it is not one JSON object"
    if not isinstance(value, dict):
        return "it is not a JSON object"
    return "" if sorted(value) == sorted(keys) else "the keys of the object are others"


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if pairs and max(Counter(key for key, _ in pairs).values()) > 1:
        raise ValueError("a key occurs twice")
    return dict(pairs)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


@instruction_type(
    "Give one Markdown table with {columns:column} and, below its header, {rows:row}.",
    "Draw a table in Markdown: a header, and {rows:row} of {columns:cell} each.",
    implies=lambda rows, columns: {"lines": (rows + 2, MANY)},
    rows=Count(1, 50),
    columns=Count(2, 12),
)
def _table(text: Text, rows: int, columns: int) -> str:
    tables = _tables(text.marked_lines)
    if len(tables) != 1:
        return f"it has {len(tables)} tables"
    header, _, *body = tables[0]
    if len(body) != rows:
        return f"the table has {len(body)} rows below its header"
    if any(len(row) != columns for row in tables[0]):
        return "a row of the table has another number of cells"
    return "" if all(all(row) for row in (header, *body)) else "a cell of the table is empty"


def _tables(lines: list[str]) -> list[list[list[str]]]:
    """The tables among lines, each a list of rows: header, delimiters, body."""
    tables: list[list[list[str]]] = []
    run: list[list[str]] = []
    for line in [*lines, ""]:
        if "|" in line:
            run.append(_cells(line))
            continue
        if len(run) > 1 and all(_DELIMITER.fullmatch(cell) for cell in run[1]):
            tables.append(run)
        run = []
    return tables


def _cells(line: str) -> list[str]:
    inner = line.strip().replace("\\|", "\u00a6")
    inner = inner[1 if inner.startswith("|") else 0 : -1 if inner.endswith("|") else None]
    return [cell.strip() for cell in inner.split("|")]


@instruction_type(
    "Include a block of {language} code, fenced and tagged as ```{language}.",
    "There is a fenced block of code whose opening fence is ```{language}.",
    language=Tag(),
)
def _code_block(text: Text, language: str) -> str:
    bodies = [body for tag, body in text.blocks if tag == language.lower()]
    if not bodies:
        return "it has no such block of code"
    return "" if any(map(written, bodies)) else "the block of code is empty"


@instruction_type(
    "Use no Markdown: no headings, lists, tables, code, bold or italic type.",
    "Write plain text, without any Markdown.",
    implies=lambda: {"headings": (0, 0), "bullets": (0, 0), "highlights": (0, 0)},
)
def _no_markdown(text: Text) -> str:
    marks = {
        "code": text.blocks or "`" in text.shown,
        "a heading": text.headings,
        "a list": text.bullets or text.numbers,
        "a table": _tables(text.marked_lines),
        "bold or italic type": _EMPHASIS.search(text.markup),
    }
    return next((f"it has {what}" for what, there in marks.items() if there), "")
