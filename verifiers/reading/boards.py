"""Names of cells, written and read, and telling what is wrong with a filled grid."""

import re
from collections.abc import Sequence

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import plain

Grid = Sequence[Sequence[object]]

_CELL = re.compile(r"r0*(\d{1,3})[\s,]*c0*(\d{1,3})", re.IGNORECASE | re.ASCII)


def cell_name(row: int, column: int) -> str:
    """The name of a cell whose row and column are counted from 0.

    >>> cell_name(1, 4)
    'r2c5'
    """
    return f"r{row + 1}c{column + 1}"


def cell(text: str, rows: int, columns: int) -> tuple[int, int]:
    """A cell by its name, as a row and a column counted from 0.

    >>> cell("R2 C5", rows=5, columns=5)
    (1, 4)
    """
    named = _CELL.fullmatch(plain(text))
    if not named:
        raise InvalidAnswer("not the name of a cell, such as r2c1")
    row, column = int(named[1]), int(named[2])
    if not (1 <= row <= rows and 1 <= column <= columns):
        raise InvalidAnswer(f"r{row}c{column} is not a cell of the grid")
    return row - 1, column - 1


def cells(text: str, rows: int, columns: int) -> list[tuple[int, int]]:
    """A list of different cells, or 'none'.

    >>> cells("r1c1, r2c5", rows=5, columns=5), cells("none", rows=5, columns=5)
    ([(0, 0), (1, 4)], [])
    """
    body = plain(text)
    if body.casefold() in ("none", ""):
        return []
    squares = [cell(item, rows, columns) for item in re.split(r"[,;\s]+", body.strip(" ,;"))]
    if len(set(squares)) < len(squares):
        raise InvalidAnswer("a cell is listed twice")
    return squares


def altered(given: Grid, grid: Grid, blank: object) -> str:
    """Which given sign of a grid was changed, if any.

    >>> altered([[1, 0]], [[2, 1]], blank=0)
    'r1c1 is not the given 1'
    """
    for row, (before, after) in enumerate(zip(given, grid)):
        for column, (sign, other) in enumerate(zip(before, after)):
            if sign not in (blank, other):
                return f"{cell_name(row, column)} is not the given {sign}"
    return ""


def repeated(grid: Grid) -> str:
    """Which row or column of a grid holds a sign twice, if any.

    >>> repeated([[1, 2], [1, 3]])
    'column 1 holds 1 more than once'
    """
    for kind, lines in (("row", grid), ("column", [*zip(*grid)])):
        for number, line in enumerate(lines, 1):
            if len(set(line)) < len(line):
                twice = next(sign for sign in line if [*line].count(sign) > 1)
                return f"{kind} {number} holds {twice} more than once"
    return ""


def alike(one: str, other: str) -> bool:
    """Whether two texts have the same signs in the same order, blanks left out.

    >>> alike("1 2", "12")
    True
    """
    return "".join(one.split()) == "".join(other.split())
