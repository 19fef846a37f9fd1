"""Tables of numbers that were damaged in a known way, and all ways to put them right."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Literal

Damage = Literal[
    "row turned", "column turned", "row reversed", "columns exchanged", "cells exchanged"
]
Table = tuple[tuple[int, ...], ...]

TOLD: dict[Damage, str] = {
    "row turned": "the numbers of one row were all moved the same number of places to the right, "
    "and those pushed out at the right end came in again at the left",
    "column turned": "the numbers of one column were all moved the same number of places down, "
    "and those pushed out at the bottom came in again at the top",
    "row reversed": "the numbers of one row were put in the reverse order",
    "columns exchanged": "the numbers of two columns were exchanged, row by row, while the names "
    "of the columns stayed where they were",
    "cells exchanged": "two numbers that stand in different rows and in different columns were "
    "exchanged",
}


def _turned(numbers: Sequence[int], by: int) -> tuple[int, ...]:
    return (*numbers[-by:], *numbers[:-by])


def _with_row(table: Table, place: int, row: tuple[int, ...]) -> Table:
    return (*table[:place], row, *table[place + 1 :])


def _with_column(table: Table, place: int, column: tuple[int, ...]) -> Table:
    return tuple((*row[:place], cell, *row[place + 1 :]) for row, cell in zip(table, column))


def variants(table: Table, damage: Damage) -> Iterator[Table]:
    """Every table that a damage makes of one. Each kind of damage is undone by one of its kind.

    >>> list(variants(((1, 2), (3, 4)), "row reversed"))
    [((2, 1), (3, 4)), ((1, 2), (4, 3))]
    """
    rows, columns = len(table), len(table[0])
    if damage == "row turned":
        for place, row in enumerate(table):
            yield from (_with_row(table, place, _turned(row, by)) for by in range(1, columns))
    elif damage == "column turned":
        for place, column in enumerate(zip(*table)):
            yield from (_with_column(table, place, _turned(column, by)) for by in range(1, rows))
    elif damage == "row reversed":
        yield from (_with_row(table, place, row[::-1]) for place, row in enumerate(table))
    elif damage == "columns exchanged":
        for one, other in combinations(range(columns), 2):
            order = list(range(columns))
            order[one], order[other] = other, one
            yield tuple(tuple([row[n] for n in order]) for row in table)
    else:
        cells = [(r, c) for r in range(rows) for c in range(columns)]
        for (r, c), (y, x) in combinations(cells, 2):
            if r != y and c != x:
                made = [list(row) for row in table]
                made[r][c], made[y][x] = made[y][x], made[r][c]
                yield tuple(map(tuple, made))


def damaged(rng: Random, table: Table, damage: Damage) -> Table:
    """A table with a damage at random."""
    return rng.choice(list(variants(table, damage)))


@lru_cache(maxsize=256)
def repairs(
    table: Table, damages: tuple[Damage, ...], rows: tuple[int, ...], columns: tuple[int, ...]
) -> tuple[Table, ...]:
    """All tables that the damages may have been done to, the last one undone first.

    The sums of the rows and of the columns are those of the table that is sought.
    """
    tables = {table: None}
    for place, damage in enumerate(reversed(damages), 1):
        last = place == len(damages)
        tables = dict.fromkeys(
            made
            for old in tables
            for made in variants(old, damage)
            if not last or _sums(made, rows, columns)
        )
    return tuple(tables)


def _sums(table: Table, rows: tuple[int, ...], columns: tuple[int, ...]) -> bool:
    return tuple(map(sum, table)) == rows and tuple(map(sum, zip(*table))) == columns
