"""Sliding tiles on a board with one gap, as in the fifteen puzzle of Noyes Chapman (about 1880).

A board lists the tiles row by row; the gap is 0. The goal is the order of the numbers with the gap
at the end.
"""

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from palaestra.generators.search import Plan, a_star

Board = tuple[int, ...]


@lru_cache(maxsize=16)
def adjacent(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """For each cell, in reading order, the cells beside it.

    >>> adjacent(2, 2)[0]
    (1, 2)
    """
    return tuple(
        tuple(
            other
            for other in range(rows * columns)
            if abs(other // columns - cell // columns) + abs(other % columns - cell % columns) == 1
        )
        for cell in range(rows * columns)
    )


def slid(board: Board, gap: int, cell: int) -> Board:
    """The board after the tile at a cell slid into the gap.

    >>> slid((1, 0, 2), 1, 2)
    (1, 2, 0)
    """
    new = list(board)
    new[gap], new[cell] = new[cell], 0
    return tuple(new)


def in_order(rows: int, columns: int) -> Board:
    """The goal.

    >>> in_order(2, 2)
    (1, 2, 3, 0)
    """
    return (*range(1, rows * columns), 0)


def walked(rng: Random, rows: int, columns: int, moves: int) -> Board:
    """The board after random moves away from the goal, none of which undoes the one before."""
    beside, board = adjacent(rows, columns), in_order(rows, columns)
    gap, last = len(board) - 1, -1
    for _ in range(moves):
        cell = rng.choice([cell for cell in beside[gap] if cell != last])
        board, gap, last = slid(board, gap, cell), cell, gap
    return board


@lru_cache(maxsize=16)
def _ways_home(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """For each tile and cell, the rows and columns between the cell and that of the goal."""
    cells = range(rows * columns)
    return tuple(
        tuple(
            abs(cell // columns - home // columns) + abs(cell % columns - home % columns)
            for cell in cells
        )
        for home in cells[:-1]
    )


def rows_and_columns(board: Board, columns: int) -> int:
    """The rows and columns between the tiles and their cells in the goal.

    >>> rows_and_columns((1, 3, 2, 0), 2)
    4
    """
    far = _ways_home(len(board) // columns, columns)
    return sum(far[tile - 1][cell] for cell, tile in enumerate(board) if tile)


@lru_cache(maxsize=256)
def shortest(board: Board, columns: int, budget: int = 10_000) -> Plan[int] | None:
    """The fewest tiles to slide, in order, until all are sorted; the search is bounded."""
    beside = adjacent(len(board) // columns, columns)

    def ways(state: Board) -> Iterator[tuple[int, Board]]:
        gap = state.index(0)
        return ((state[cell], slid(state, gap, cell)) for cell in beside[gap])

    return a_star(board, ways, lambda state: rows_and_columns(state, columns), budget)
