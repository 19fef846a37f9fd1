r"""Rows of named columns, such as the result of a query, read from answers.

The rules:

- A row is a line with commas, bars or tabs between its cells, in round or square brackets or
  without; rows may also have semicolons between them, or be an array of arrays or objects in JSON.
- A first row that consists of the names of the columns goes, and so does the rule of a Markdown
  table. Bullets, numbers that count the lines, bold, code and quotes go.
- ``NULL``, ``None`` and JSON's ``null`` are the same. Upper and lower case are the same.
"""

import re
from collections.abc import Sequence

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.json_text import json_text
from palaestra.verifiers.reading.values import opened, plain

NULL = "null"
"""The text of a cell without a value."""

_CELLS = re.compile(r"[,|\t]")
_RULE = frozenset("|-:+ \t")
_INTEGER = re.compile(r"[+-]?\d{1,400}", re.ASCII)

Record = tuple[int | str | None, ...]


def records(text: str, columns: Sequence[str], most: int = 1_000) -> list[Record]:
    r"""Read rows of cells: whole numbers, texts in lower case, and None for no value.

    Raises :class:`InvalidAnswer` for a row with another number of cells than there are
    ``columns``, and for more than ``most`` rows.

    >>> records("Ada, 3\nbo, NULL", ["name", "n"]), records('[["ada", 3]]', ["name", "n"])
    ([('ada', 3), ('bo', None)], [('ada', 3)])
    >>> records("| name | n |\n|---|---|\n| ada | 3 |", ["name", "n"])
    [('ada', 3)]
    """
    rows = _array(text, columns)
    if rows is None:
        rows = [_cells(line) for line in _lines(plain(text))]
    if rows and [cell.casefold() for cell in rows[0]] == [name.casefold() for name in columns]:
        del rows[0]
    if not 0 < len(rows) <= most or any(len(row) != len(columns) for row in rows):
        raise InvalidAnswer(f"expected rows of {len(columns)} cells with commas between them")
    return [tuple(map(_value, row)) for row in rows]


def _lines(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if not (_RULE.issuperset(line) and "-" in line)]
    return layout.lines("\n".join(lines))


def _cells(line: str) -> list[str]:
    body = opened(line.strip().rstrip(","))
    if body.startswith("|"):
        body = body.strip("|")
    return [layout.bare(cell) for cell in _CELLS.split(body)]


def _array(text: str, columns: Sequence[str]) -> list[list[str]] | None:
    """The cells of an array of arrays or objects in JSON; None for any other text."""
    body = text.strip()
    if not body.startswith("["):
        return None
    try:
        rows = json_text(body)
    except InvalidAnswer:
        raise
    except (ValueError, RecursionError):
        return None
    if not isinstance(rows, list):
        return None
    if rows and all(isinstance(row, dict) and {*row} == {*columns} for row in rows):
        rows = [[row[name] for name in columns] for row in rows]
    if not all(isinstance(row, list) for row in rows):
        return None
    cells = [[NULL if cell is None else cell for cell in row] for row in rows]
    return cells if all(isinstance(cell, str) for row in cells for cell in row) else None


def _value(cell: str) -> int | str | None:
    text = " ".join(cell.split()).casefold()
    if text in {NULL, "none"}:
        return None
    return int(text) if _INTEGER.fullmatch(text) else text
