"""Cells of a grid: their names, and readers of cells."""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import plain

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
