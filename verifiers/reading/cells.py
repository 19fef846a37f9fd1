r"""Cells of a grid: their names, and readers of one cell, of a list, and of pairs of cells.

Rows and columns count from 1 at the top left. A cell is read in each of these forms, in upper or
lower case:

- ``r2c5``, ``R2 C5``, ``r2, c5``, ``row 2 column 5``, ``Row 2, Col 5``, ``column 5, row 2``,
  ``{"row": 2, "column": 5}``;
- ``(2, 5)`` and ``[2, 5]``, with the row first: these readers are for prompts that name cells by
  row and column in this order. A prompt with coordinates x and y has its own reader;
- ``2, 5`` or ``2 5``, where a line or a part between semicolons holds nothing else.

In a list, brackets, quotes, bold, bullets, numbers of lines, "and", "cell" and full stops do not
count. Numbers without brackets that could be paired in two ways, such as ``1, 2, 3, 4``, are
refused.
"""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.values import plain

Cell = tuple[int, int]
"""The row and the column of a cell, which count from 0."""

EXAMPLE = "r2c5"

_CELL = re.compile(
    r"r(?:ow)?\s*+[:=]?\s*+(\d{1,3})(?!\d)\s*+(?:[,;]\s*+|:\s++|and\s++)?"
    r"c(?:ol(?:umn)?)?\s*+[:=]?\s*+(\d{1,3})(?!\d)"
    r"|c(?:ol(?:umn)?)?\s*+[:=]?\s*+(\d{1,3})(?!\d)\s*+(?:[,;]\s*+|:\s++|and\s++)?"
    r"r(?:ow)?\s*+[:=]?\s*+(\d{1,3})(?!\d)"
    r"|[(\[]\s*+(\d{1,3})(?:\s*+[,;]\s*+|\s++)(\d{1,3})\s*+[)\]]",
    re.IGNORECASE | re.ASCII,
)
_BETWEEN = re.compile(
    r"[\s,;)\]]++|[(\[]|(?:and|the|cells?|at)(?![a-z])|\.(?=\s|[,;)\]]|$)", re.IGNORECASE
)
_TO = re.compile(
    r"\\(?:to|rightarrow)(?![a-z])|[-=]{0,2}>|[-\u2013\u2014:\u2192]|\.\.|(?:to|through)(?![a-z])",
    re.IGNORECASE,
)
_FROM = re.compile(r"(?:from|move|jump|hop|knight|peg)(?![a-z])", re.IGNORECASE)
_NUMBERS = re.compile(r"(\d{1,3})(?:\s*+,\s*+|\s++)(\d{1,3})", re.ASCII)
_MARKS = dict.fromkeys(map(ord, "*`\"'\u201c\u201d{}$"), " ")
_LONGEST = 20_000


def cell_name(row: int, column: int) -> str:
    """Return the name of a cell from its row and column, which count from 0.

    >>> cell_name(1, 4)
    'r2c5'
    """
    return f"r{row + 1}c{column + 1}"


def cell(text: str, rows: int, columns: int, example: str = EXAMPLE) -> Cell:
    """Read one cell, and return its row and column, which count from 0.

    Raises :class:`InvalidAnswer` for any other text and for a cell outside the grid. ``example``
    is a cell as the prompt writes it.

    >>> cell("R2 C5", rows=5, columns=5), cell("(2, 5)", 5, 5), cell("row 2, column 5", 5, 5)
    ((1, 4), (1, 4), (1, 4))
    """
    read = _listed(text)
    if read is None or len(read) != 1:
        raise InvalidAnswer(f"expected one cell, such as {example}")
    return _inside(read[0], rows, columns)


def cells(text: str, rows: int, columns: int, example: str = EXAMPLE) -> list[Cell]:
    """Read a list of different cells, or 'none'.

    >>> cells("r1c1, r2c5", rows=5, columns=5), cells("none", rows=5, columns=5)
    ([(0, 0), (1, 4)], [])
    >>> cells("(1, 1) and (2, 5)", 5, 5) == cells("[[1, 1], [2, 5]]", 5, 5) == [(0, 0), (1, 4)]
    True
    """
    body = plain(text).strip("[](){} ")
    if body.casefold() in ("none", ""):
        return []
    read = _listed(text)
    if read is None:
        raise InvalidAnswer(f"expected a list of cells such as {example}, or 'none'")
    squares = [_inside(each, rows, columns) for each in read]
    if len(set(squares)) < len(squares):
        raise InvalidAnswer("a cell is listed twice")
    return squares


def cell_pair(text: str, rows: int, columns: int, example: str = "r1c2-r3c3") -> tuple[Cell, Cell]:
    """Read two cells, the first of which leads to the second or is opposite to it.

    >>> cell_pair("r1c2 to r3c3", 5, 5), cell_pair("(1, 2) -> (3, 3)", 5, 5)
    (((0, 1), (2, 2)), ((0, 1), (2, 2)))
    """
    squares = _paired(text)
    if squares is None or len(squares) != 2:
        raise InvalidAnswer(f"expected two cells, such as {example}")
    start, end = (_inside(each, rows, columns) for each in squares)
    return start, end


def cell_pairs(
    text: str, rows: int, columns: int, example: str = "r1c2-r3c3"
) -> list[tuple[Cell, Cell]]:
    r"""Read pairs of cells with a hyphen, an arrow or "to" between the two, or a pair on each line.

    >>> cell_pairs("r1c2-r3c3, r1c1-r1c1", 5, 5)
    [((0, 1), (2, 2)), ((0, 0), (0, 0))]
    >>> cell_pairs("1. (1, 2), (3, 3)\n2. (1, 1), (1, 1)", 5, 5)
    [((0, 1), (2, 2)), ((0, 0), (0, 0))]
    """
    squares = _paired(text)
    if squares is None:
        raise InvalidAnswer(f"expected two cells on each line, such as {example}")
    ends = [_inside(each, rows, columns) for each in squares]
    return [*zip(ends[::2], ends[1::2])]


def _inside(square: Cell, rows: int, columns: int) -> Cell:
    """A cell that counts from 0, from one that counts from 1."""
    row, column = square
    if not (1 <= row <= rows and 1 <= column <= columns):
        raise InvalidAnswer(f"r{row}c{column} is outside the grid ({rows} rows, {columns} columns)")
    return row - 1, column - 1


def _without_marks(text: str) -> list[str]:
    """A text as it stands, and its lines without bullets and numbers where that is another text.

    The text comes first, as "Row 1: column 2" is a cell and not a numbered line.
    """
    body = plain(text)[:_LONGEST]
    rows = [row.strip() for row in body.splitlines() if row.strip()]
    unmarked = layout.uncounted(layout.unbulleted(rows))
    bodies = [body] if unmarked == rows else [body, "\n".join(unmarked)]
    return [each.translate(_MARKS) for each in bodies]


def _listed(text: str) -> list[Cell] | None:
    """The cells of a list, which count from 1, or None for any other text."""
    if len(text) > _LONGEST:
        return None
    for body in _without_marks(text):
        read = _numbers(body) or _scanned(body)
        if read and not any(joined for _, joined in read):
            return [square for square, _ in read]
    return None


def _paired(text: str) -> list[Cell] | None:
    """The cells of a list of pairs, one after another, or None for any other text."""
    if len(text) > _LONGEST:
        return None
    if array := layout.json_array(text):
        text = "\n".join(map(str, array))
    for body in _without_marks(text):
        read = _scanned(body) or _joined_numbers(body)
        if not read or len(read) % 2:
            continue
        squares = [square for square, _ in read]
        if [joined for _, joined in read] == [False, True] * (len(read) // 2):
            return squares
        if len(read) == 2 or _two_on_each(body):
            return squares
    return None


def _two_on_each(body: str) -> bool:
    """Whether each line holds two cells, without anything that joins them."""
    rows = [_scanned(row) for row in body.splitlines() if row.strip(" [](),")]
    return all(row and len(row) == 2 and not any(joined for _, joined in row) for row in rows)


def _numbers(body: str) -> list[tuple[Cell, bool]]:
    """Pairs of numbers without brackets, one to a line or between semicolons, or none at all."""
    for separators in (r"[\n;]", r"[\n;,]"):
        parts = [part.strip(" ,.[]()") for part in re.split(separators, body)]
        pairs = [_NUMBERS.fullmatch(part) for part in parts if part]
        if all(pairs):
            return [((int(pair[1]), int(pair[2])), False) for pair in pairs if pair]
    return []


def _joined_numbers(body: str) -> list[tuple[Cell, bool]]:
    """Pairs like those of :func:`_numbers`, of which each line joins two, or none at all."""
    lines = [_numbers(_TO.sub(";", line)) for line in body.splitlines() if line.strip()]
    if any(len(line) != 2 for line in lines):
        return []
    return [(square, n == 1) for line in lines for n, (square, _) in enumerate(line)]


def _scanned(body: str) -> list[tuple[Cell, bool]]:
    """The cells of a text, each with whether a sign or word joins it to the one before.

    The list is empty if anything else is in the text.
    """
    read: list[tuple[Cell, bool]] = []
    position, joined = 0, False
    while position < len(body):
        if named := _CELL.match(body, position):
            numbers = [int(number) for number in named.groups() if number]
            if named[3]:
                numbers.reverse()
            read.append(((numbers[0], numbers[1]), joined))
            joined = False
        elif not (named := _BETWEEN.match(body, position)):
            named = _TO.match(body, position) if read else None
            joined = named is not None
            if not named and len(read) % 2 == 0:
                named = _FROM.match(body, position)
        if not named:
            return []
        position = named.end()
    return [] if joined else read
