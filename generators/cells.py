"""Grids as text, neighbours and symmetries, for puzzles on a grid."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import cycle, islice
from typing import TypeVar, overload

Sign = TypeVar("Sign")

COUNTED = "Rows are counted from 1 at the top and columns from 1 at the left"
"""The numbering of cells, which a prompt states once; a cell is then named `r2c5`."""


def text(grid: Sequence[Sequence[object]]) -> str:
    r"""A grid as lines of cells, aligned in columns.

    >>> text([[1, 12], ["x", 3]])
    '1 12\nx  3'
    """
    rows = [list(map(str, row)) for row in grid]
    widths = [max(map(len, column)) for column in zip(*rows)]
    if max(widths) > 1:
        rows = [list(map(str.rjust, row, widths)) for row in rows]
    return "\n".join(map(" ".join, rows))


@lru_cache(maxsize=256)
def neighbours(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """For each cell, in reading order, the up to eight cells around it.

    >>> neighbours(2, 2)[0]
    (1, 2, 3)
    """
    around = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]
    return tuple(
        tuple(
            (row + r) * columns + column + c
            for r, c in around
            if 0 <= row + r < rows and 0 <= column + c < columns
        )
        for row in range(rows)
        for column in range(columns)
    )


def images(grid: Sequence[Sequence[Sign]], turned: bool = True) -> list[list[list[Sign]]]:
    """A grid in its mirrorings, and unless ``turned`` is false, its quarter turns: 8 or 4 in all.

    >>> images([[1, 2]], turned=False)
    [[[1, 2]], [[1, 2]], [[2, 1]], [[2, 1]]]
    """
    upright = [[*row] for row in grid]
    symmetric = [upright, upright[::-1]]
    if turned:
        lying = [[*column] for column in zip(*grid)]
        symmetric += [lying, lying[::-1]]
    return symmetric + [[row[::-1] for row in image] for image in symmetric]


@lru_cache(maxsize=64)
def lines(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """The cells of each row, and then of each column, in reading order.

    >>> lines(2, 2)
    ((0, 1), (2, 3), (0, 2), (1, 3))
    """
    across = [tuple(range(start, start + columns)) for start in range(0, rows * columns, columns)]
    return (*across, *zip(*across))


def picture(on: int, rows: int, columns: int, signs: str) -> str:
    r"""The cells as text, with the first sign for one that is on and the second for one off.

    >>> picture(0b0110, 2, 2, "#-")
    '- #\n# -'
    """
    cells = [signs[0] if on >> cell & 1 else signs[1] for cell in range(rows * columns)]
    return text([cells[n : n + columns] for n in range(0, len(cells), columns)])


@lru_cache(maxsize=64)
def line_names(rows: int, columns: int) -> tuple[str, ...]:
    """The names of the lines that :func:`lines` lists.

    >>> line_names(1, 2)
    ('row 1', 'column 1', 'column 2')
    """
    across = (f"row {n}" for n in range(1, rows + 1))
    return (*across, *(f"column {n}" for n in range(1, columns + 1)))


@overload
def in_rows(cells: str, columns: int) -> list[str]: ...
@overload
def in_rows(cells: Sequence[Sign], columns: int) -> list[Sequence[Sign]]: ...
def in_rows(cells: Sequence[Sign], columns: int) -> list[Sequence[Sign]] | list[str]:
    """Cells in reading order, cut into rows.

    >>> in_rows("abcd", 2), in_rows([1, 2, 3, 4], 2)
    (['ab', 'cd'], [[1, 2], [3, 4]])
    """
    return [cells[start : start + columns] for start in range(0, len(cells), columns)]


def example_line(signs: str, length: int) -> str:
    """An example of a line of an answer: signs, repeated, with spaces between them.

    >>> example_line("#--", 4)
    '# - - #'
    """
    return " ".join(islice(cycle(signs), length))
