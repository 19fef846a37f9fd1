"""Names of cells, and checks of filled grids."""

import re
from collections.abc import Sequence

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import plain

Grid = Sequence[Sequence[object]]

_CELL = re.compile(r"r0*(\d{1,3})[\s,]*c0*(\d{1,3})", re.IGNORECASE | re.ASCII)


def cell_name(row: int, column: int) -> str:
    """Return the name of a cell from its row and column, which count from 0.

    >>> cell_name(1, 4)
    'r2c5'
    """
    return f"r{row + 1}c{column + 1}"


def cell(text: str, rows: int, columns: int) -> tuple[int, int]:
    """Read the name of a cell, and return its row and column, which count from 0.

    Raises :class:`InvalidAnswer` for any other text and for a cell outside the grid.

    >>> cell("R2 C5", rows=5, columns=5)
    (1, 4)
    """
    named = _CELL.fullmatch(plain(text))
    if not named:
        raise InvalidAnswer("expected the name of a cell, such as r2c1")
    row, column = int(named[1]), int(named[2])
    if not (1 <= row <= rows and 1 <= column <= columns):
        raise InvalidAnswer(f"r{row}c{column} is outside the grid ({rows} rows, {columns} columns)")
    return row - 1, column - 1


def cells(text: str, rows: int, columns: int) -> list[tuple[int, int]]:
    """Read a list of different cells, or 'none'.

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


def altered(clues: Grid, grid: Grid, blank: object) -> str:
    """Describe the first clue that a filled grid changes; return ``""`` if there is none.

    Cells of ``clues`` that equal ``blank`` are not clues.

    >>> altered([[1, 0]], [[2, 1]], blank=0)
    'r1c1 is not the given 1'
    """
    for row, (before, after) in enumerate(zip(clues, grid)):
        for column, (clue, value) in enumerate(zip(before, after)):
            if clue not in (blank, value):
                return f"{cell_name(row, column)} is not the given {clue}"
    return ""


def repeated(grid: Grid) -> str:
    """Describe the first row or column that contains a value twice; return ``""`` if none does.

    >>> repeated([[1, 2], [1, 3]])
    'column 1 contains 1 more than once'
    """
    for direction, lines in (("row", grid), ("column", [*zip(*grid)])):
        for number, line in enumerate(lines, 1):
            if len(set(line)) < len(line):
                twice = next(value for value in line if [*line].count(value) > 1)
                return f"{direction} {number} contains {twice} more than once"
    return ""


def alike(one: str, other: str) -> bool:
    """Return whether two texts have the same characters in the same order, except for spaces.

    >>> alike("1 2", "12")
    True
    """
    return "".join(one.split()) == "".join(other.split())
