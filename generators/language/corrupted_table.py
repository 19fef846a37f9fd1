"""Tables of numbers, damages of known types, and all possible repairs."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Literal

Damage = Literal[
    "row turned", "column turned", "row reversed", "columns exchanged", "cells exchanged"
]
Table = tuple[tuple[int, ...], ...]

DAMAGES: dict[Damage, str] = {
    "row turned": "the numbers of one row were all moved the same number of places to the right, "
    "and those pushed out at the right end came in again at the left",
    "column turned": "the numbers of one column were all moved the same number of places down, "
    "and those pushed out at the bottom came in again at the top",
    "row reversed": "the numbers of one row were put in the reverse order",
    "columns exchanged": "the numbers of two columns were exchanged, row by row, while the names "
    "of the columns stayed where they were",
    "cells exchanged": "two numbers in different rows and different columns were exchanged",
}
"""Each damage in words."""


def _turned(numbers: Sequence[int], by: int) -> tuple[int, ...]:
    return (*numbers[-by:], *numbers[:-by])


def _with_row(table: Table, index: int, row: tuple[int, ...]) -> Table:
    return (*table[:index], row, *table[index + 1 :])


def _with_column(table: Table, index: int, column: tuple[int, ...]) -> Table:
    return tuple((*row[:index], cell, *row[index + 1 :]) for row, cell in zip(table, column))


def variants(table: Table, damage: Damage) -> Iterator[Table]:
    """All tables that a damage of this type may turn one into; a damage of the same type undoes it.

    >>> list(variants(((1, 2), (3, 4)), "row reversed"))
    [((2, 1), (3, 4)), ((1, 2), (4, 3))]
    """
    rows, columns = len(table), len(table[0])
    if damage == "row turned":
        for n, row in enumerate(table):
            yield from (_with_row(table, n, _turned(row, by)) for by in range(1, columns))
    elif damage == "column turned":
        for n, column in enumerate(zip(*table)):
            yield from (_with_column(table, n, _turned(column, by)) for by in range(1, rows))
    elif damage == "row reversed":
        yield from (_with_row(table, n, row[::-1]) for n, row in enumerate(table))
    elif damage == "columns exchanged":
        for one, other in combinations(range(columns), 2):
            order = list(range(columns))
            order[one], order[other] = other, one
            yield tuple(tuple([row[n] for n in order]) for row in table)
    else:
        cells = [(r, c) for r in range(rows) for c in range(columns)]
        for (r, c), (y, x) in combinations(cells, 2):
            if r != y and c != x:
                variant = [list(row) for row in table]
                variant[r][c], variant[y][x] = variant[y][x], variant[r][c]
                yield tuple(map(tuple, variant))


def damaged(rng: Random, table: Table, damage: Damage) -> Table:
    """A table after a random damage of a type."""
    return rng.choice(list(variants(table, damage)))


@lru_cache(maxsize=256)
def repairs(
    table: Table, damages: tuple[Damage, ...], rows: tuple[int, ...], columns: tuple[int, ...]
) -> tuple[Table, ...]:
    """All original tables with these sums of rows and columns, by undoing the damages in turn."""
    tables = {table: None}
    for n, damage in enumerate(reversed(damages), 1):
        last = n == len(damages)
        tables = dict.fromkeys(
            original
            for current in tables
            for original in variants(current, damage)
            if not last or _has_sums(original, rows, columns)
        )
    return tuple(tables)


def _has_sums(table: Table, rows: tuple[int, ...], columns: tuple[int, ...]) -> bool:
    return tuple(map(sum, table)) == rows and tuple(map(sum, zip(*table))) == columns
