"""Shapes on a grid: sides, connected pieces, and ways to cut a grid up into regions at random."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from palaestra.generators.cells import images

Pair = tuple[int, int]
"""Two cells side by side, the first one in reading order first."""


@lru_cache(maxsize=256)
def sides(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """For each cell, in reading order, the up to four cells that share a side with it.

    >>> sides(2, 2)
    ((1, 2), (0, 3), (0, 3), (1, 2))
    """
    pairs = []
    for row in range(rows):
        for column in range(columns):
            cell = row * columns + column
            near = [cell - columns] * (row > 0) + [cell - 1] * (column > 0)
            near += [cell + 1] * (column < columns - 1) + [cell + columns] * (row < rows - 1)
            pairs.append(tuple(near))
    return tuple(pairs)


@lru_cache(maxsize=256)
def ways(rows: int, columns: int) -> tuple[tuple[int, int], ...]:
    """All pairs of cells that share a side, in reading order.

    >>> ways(2, 2)
    ((0, 1), (0, 2), (1, 3), (2, 3))
    """
    near = sides(rows, columns)
    return tuple(
        (cell, other) for cell in range(rows * columns) for other in near[cell] if other > cell
    )


@lru_cache(maxsize=64)
def turns(size: int) -> tuple[tuple[int, ...], ...]:
    """Where each cell of a square goes when it is turned or mirrored, in all eight ways.

    >>> turns(2)[1]
    (2, 3, 0, 1)
    """
    cells = [[*range(n, n + size)] for n in range(0, size * size, size)]
    turned = []
    for image in images(cells):
        order = [cell for row in image for cell in row]
        turned.append(tuple(order.index(cell) for cell in range(size * size)))
    return tuple(turned)


@lru_cache(maxsize=256)
def edges_of(rows: int, columns: int) -> tuple[int, int, int]:
    """All cells of a grid, those not in the first column, and those not in the last, as bits."""
    full = (1 << rows * columns) - 1
    first = sum(1 << row * columns for row in range(rows))
    return full, full & ~first, full & ~(first << columns - 1)


def piece(cells: int, start: int, rows: int, columns: int) -> int:
    """The part of some cells that is connected with the start; sets of cells are integers.

    >>> bin(piece(0b1011, start=0b1, rows=1, columns=4))
    '0b11'
    """
    _, not_first, not_last = edges_of(rows, columns)
    joined, grown = 0, start & cells
    while grown != joined:
        joined = grown
        grown |= (joined & not_last) << 1 | (joined & not_first) >> 1
        grown |= joined << columns | joined >> columns
        grown &= cells
    return joined


def connected(cells: int, rows: int, columns: int) -> bool:
    """Whether cells are connected by their sides; no cell and one cell are.

    >>> connected(0b101, 1, 3), connected(0b111, 1, 3)
    (False, True)
    """
    return piece(cells, cells & -cells, rows, columns) == cells


@lru_cache(maxsize=64)
def framed(size: int) -> int:
    """The cells of the frame around a square, in the square that has one more on each side.

    >>> bin(framed(1))
    '0b111101111'
    """
    wide = size + 2
    edge = {0, wide - 1}
    frame = [n for n in range(wide * wide) if n // wide in edge or n % wide in edge]
    return sum(1 << cell for cell in frame)


def grown(rng: Random, rows: int, columns: int, seeds: Sequence[int]) -> list[int]:
    """Every cell's region, where regions grow at random from a seed cell each.

    Some grow faster than others, so that there are small ones and large ones.
    """
    near = sides(rows, columns)
    pace = [rng.random() for _ in seeds]
    region = [-1] * (rows * columns)
    for number, seed in enumerate(seeds):
        region[seed] = number
    border = [cell for seed in seeds for cell in near[seed]]
    while border:
        index = rng.randrange(len(border))
        border[index], border[-1] = border[-1], border[index]
        cell = border.pop()
        if region[cell] < 0:
            beside = [region[other] for other in near[cell] if region[other] >= 0]
            region[cell] = max(beside, key=lambda number: pace[number] * rng.random())
            border += [other for other in near[cell] if region[other] < 0]
    return region


def cut(rng: Random, rows: int, numbers: Sequence[int], largest: int) -> list[int]:
    """Every cell's region, where regions of up to so many cells are cut off one by one.

    A region holds no number twice.
    """
    columns = len(numbers) // rows
    near = sides(rows, columns)
    region = [-1] * (rows * columns)
    number = 0
    for start in range(rows * columns):
        if region[start] >= 0:
            continue
        wanted, cells = rng.randint(min(2, largest), largest), [start]
        region[start] = number
        while len(cells) < wanted:
            held = [numbers[cell] for cell in cells]
            beside = [other for cell in cells for other in near[cell] if region[other] < 0]
            free = [other for other in beside if numbers[other] not in held]
            if not free:
                break
            cells.append(rng.choice(free))
            region[cells[-1]] = number
        number += 1
    return region


def gathered(region: Sequence[int]) -> list[list[int]]:
    """The cells of each region, in the order of the regions.

    >>> gathered([0, 1, 0])
    [[0, 2], [1]]
    """
    members: list[list[int]] = [[] for _ in range(max(region) + 1)]
    for cell, number in enumerate(region):
        members[number].append(cell)
    return members


def renamed(region: Sequence[int]) -> list[int]:
    """Regions numbered in the order in which they appear.

    >>> renamed([3, 1, 3])
    [0, 1, 0]
    """
    names: dict[int, int] = {}
    return [names.setdefault(number, len(names)) for number in region]


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""Names of regions."""


def tiling(rng: Random, rows: int, columns: int) -> list[Pair]:
    """Dominoes that cover a grid, at random; cells with the fewest ways are covered first."""
    near = sides(rows, columns)
    while True:
        free = {cell: [*near[cell]] for cell in range(rows * columns)}
        pairs: list[Pair] = []
        while free and (least := min(map(len, free.values()))):
            one = rng.choice([cell for cell, some in free.items() if len(some) == least])
            other = rng.choice(free[one])
            pairs.append((min(one, other), max(one, other)))
            for cell in (one, other):
                del free[cell]
                for beside in near[cell]:
                    if beside in free:
                        free[beside].remove(cell)
        if not free:
            return pairs
