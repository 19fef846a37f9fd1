"""Matrices as grids between bars or brackets."""

from collections.abc import Iterable, Sequence

from palaestra.scenes import Border, Cell, Grid


def bars(rows: int, columns: int) -> tuple[Border, Border]:
    """The bars of a determinant."""
    return Border(((0, 0), (rows, 0))), Border(((0, columns), (rows, columns)))


def brackets(rows: int, columns: int) -> tuple[Border, Border]:
    """The brackets of a matrix."""
    return (
        Border(((0, 0.3), (0, 0), (rows, 0), (rows, 0.3))),
        Border(((0, columns - 0.3), (0, columns), (rows, columns), (rows, columns - 0.3))),
    )


def bracketed(rows: Iterable[Sequence[Cell]]) -> Grid:
    """A matrix in brackets."""
    cells = tuple(map(tuple, rows))
    return Grid(cells, style="plain", borders=brackets(len(cells), len(cells[0])))
