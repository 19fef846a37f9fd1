"""Loops along the lines of a grid, as the sets of cells inside them."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import product
from random import Random

from palaestra.generators.bitsets import bits
from palaestra.generators.grids.marks import Count, Sheet
from palaestra.generators.grids.pencil import SearchResult
from palaestra.generators.grids.shapes import connected, framed, piece, sides, ways

MAX_NODES = 300
"""Limit of the search nodes when proving that there is one loop."""


def crossed(inside: int, cell: int, size: int) -> int:
    """How many sides of a cell have the loop.

    >>> crossed(0b0001, 0, size=2), crossed(0b0001, 1, size=2)
    (4, 1)
    """
    near = sides(size, size)[cell]
    here = inside >> cell & 1
    return sum(inside >> other & 1 != here for other in near) + here * (4 - len(near))


def padded(cells: int, size: int) -> int:
    """Cells of a square in the square that has one more cell on each side.

    >>> bin(padded(0b1, 1))
    '0b10000'
    """
    only = (1 << size) - 1
    return sum((cells >> r * size & only) << (r + 1) * (size + 2) + 1 for r in range(size))


def blob(rng: Random, size: int) -> int:
    """Connected cells at random; those outside are connected as well."""
    near = sides(size, size)
    inside = 1 << rng.randrange(size * size)
    full = (1 << size * size) - 1
    wanted = round(size * size * rng.uniform(0.45, 0.6))
    for _ in range(4 * size * size):
        if inside.bit_count() >= wanted:
            break
        cell = rng.randrange(size * size)
        beside = sum(inside >> other & 1 for other in near[cell])
        if inside >> cell & 1 or not beside or (beside > 1 and rng.random() < 0.6):
            continue
        more = inside | 1 << cell
        if connected(framed(size) | padded(full & ~more, size), size + 2, size + 2):
            inside = more
    return inside


def unique(size: int, every: Mapping[int, int], kept: Iterable[int]) -> bool:
    """Whether these numbers are enough."""
    return solve(size, {cell: every[cell] for cell in kept}).unique


@lru_cache(maxsize=16)
def ground(size: int) -> tuple[tuple[Count, ...], tuple[int, ...], int]:
    """The rules of every loop, the sides of each cell, and the number of cells and sides.

    After the cells, which are on inside the loop, come the sides, which are on where it runs. A
    side is on if and only if one of its two cells is, so an even number of the three are.
    """
    even = 0b101
    inner = ways(size, size)
    of_cell: list[list[int]] = [[] for _ in range(size * size)]
    counts: list[Count] = []
    side = size * size
    for pair in inner:
        counts.append((bits([*pair, side]), even))
        for cell in pair:
            of_cell[cell].append(side)
        side += 1
    for cell, near in enumerate(sides(size, size)):
        for _ in range(4 - len(near)):
            counts.append((bits([cell, side]), even))
            of_cell[cell].append(side)
            side += 1
    for row, column in product(range(size - 1), repeat=2):
        a = row * size + column
        b, c, d = a + 1, a + size, a + size + 1
        meeting = [size * size + inner.index(pair) for pair in ((a, b), (a, c), (b, d), (c, d))]
        counts.append((bits(meeting), even))
    return tuple(counts), tuple(map(bits, of_cell)), side


def solve(size: int, clues: Mapping[int, int]) -> SearchResult[int]:
    """Up to two loops, as the cells inside and the sides."""
    counts, of_cell, total = ground(size)
    totals = tuple((of_cell[cell], 1 << many) for cell, many in clues.items())
    full, frame = (1 << size * size) - 1, framed(size)

    def sound(on: int, off: int) -> bool:
        inside, outside = on & full, off & full
        if inside & ~piece(full & ~outside, inside & -inside, size, size):
            return False
        free = frame | padded(full & ~inside, size)
        reached = piece(free, frame, size + 2, size + 2)
        return not padded(outside, size) & ~reached and outside != full

    return Sheet(total, (*counts, *totals), sound=sound).solve(most=MAX_NODES)
