"""Grids cut into regions, each filled with its number of cells: fillomino."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from random import Random

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.cells import in_rows, text
from palaestra.generators.grids.marks import Marks, Sheet
from palaestra.generators.grids.pencil import SearchResult
from palaestra.generators.grids.shapes import sides

MAX_NODES = 60
"""Limit of the search nodes when proving that there is one solution."""


def region(cells: Iterable[int], start: int, size: int) -> list[int]:
    """The cells with the same number that are connected with one.

    >>> region([1, 2, 3, 2], 1, 2)
    [1, 3]
    """
    numbers = [*cells]
    members = [start]
    for cell in members:
        near = sides(size, size)[cell]
        members += [n for n in near if numbers[n] == numbers[start] and n not in members]
    return members


@lru_cache(maxsize=16)
def regions(size: int, largest: int) -> tuple[tuple[int, int, int], ...]:
    """All regions of up to so many cells: their cells and those around, as bits, and their size."""
    near = [bits(some) for some in sides(size, size)]
    grown = [1 << cell for cell in range(size * size)]
    parts = []
    for many in range(1, largest + 1):
        larger: dict[int, None] = {}
        for cells in grown:
            around = 0
            for cell in ones(cells):
                around |= near[cell]
            around &= ~cells
            parts.append((cells, around, many))
            larger |= dict.fromkeys(cells | 1 << cell for cell in ones(around))
        grown = [*larger]
    return tuple(parts)


def solve(size: int, largest: int, numbers: Mapping[int, int]) -> SearchResult[tuple[int, ...]]:
    """Up to two solutions, as the number of each cell."""
    of_size = [0] * (largest + 1)
    for cell, number in numbers.items():
        of_size[number] |= 1 << cell
    shown = bits(numbers)
    some = [
        each
        for each in regions(size, largest)
        if not each[0] & shown & ~of_size[each[2]] and not each[1] & of_size[each[2]]
    ]
    covering = [0] * (size * size)
    alike = [[0] * (size * size) for _ in range(largest + 1)]
    for index, (cells, _, many) in enumerate(some):
        for cell in ones(cells):
            covering[cell] |= 1 << index
            alike[many][cell] |= 1 << index
    if_on: dict[int, Marks] = {}
    for index, (cells, around, many) in enumerate(some):
        barred = 0
        for cell in ones(cells):
            barred |= covering[cell]
        for cell in ones(around):
            barred |= alike[many][cell]
        if_on[index] = 0, barred & ~(1 << index)
    solution = Sheet(len(some), tuple((every, 0b10) for every in covering), if_on).solve(
        most=MAX_NODES
    )
    solutions = [numbered([some[n] for n in ones(on)], size) for on in solution.solutions]
    return SearchResult(solutions, solution.nodes, solution.steps, solution.complete)


def numbered(chosen: Iterable[tuple[int, int, int]], size: int) -> tuple[int, ...]:
    """The number of each cell, where the grid is cut into these regions."""
    numbers = [0] * (size * size)
    for cells, _, many in chosen:
        for cell in ones(cells):
            numbers[cell] = many
    return tuple(numbers)


def alone(size: int, largest: int, truth: tuple[int, ...], kept: Iterable[int]) -> bool:
    """Whether these cells' numbers leave no other solution."""
    return solve(size, largest, {cell: truth[cell] for cell in kept}).unique


def parted(rng: Random, size: int, largest: int) -> tuple[int, ...] | None:
    """A grid cut into regions at random, no two of a size beside another; None if that fails."""
    free = (1 << size * size) - 1
    taken = [0] * (largest + 1)
    by_cell = starting(size, largest)
    chosen = []
    while free:
        first = (free & -free).bit_length() - 1
        fits = [e for e in by_cell[first] if not (e[0] & ~free or e[1] & taken[e[2]])]
        if not fits:
            return None
        wanted = rng.choice(sorted({each[2] for each in fits}))
        chosen.append(rng.choice([each for each in fits if each[2] == wanted]))
        taken[wanted] |= chosen[-1][0]
        free &= ~chosen[-1][0]
    return numbered(chosen, size)


@lru_cache(maxsize=16)
def starting(size: int, largest: int) -> list[list[tuple[int, int, int]]]:
    """For each cell, the regions whose first cell in reading order it is."""
    regions_at: list[list[tuple[int, int, int]]] = [[] for _ in range(size * size)]
    for each in regions(size, largest):
        regions_at[(each[0] & -each[0]).bit_length() - 1].append(each)
    return regions_at


def written(numbers: Iterable[int]) -> str:
    """Numbers as an answer, for a square grid."""
    flat = [*numbers]
    size = round(len(flat) ** 0.5)
    return text(in_rows(flat, size))
