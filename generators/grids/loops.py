"""Loops along the lines of a grid, as the sets of cells inside them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from palaestra.generators.bitsets import bits
from palaestra.generators.grids.lines import links
from palaestra.generators.grids.marks import Count, Marks, Sheet
from palaestra.generators.grids.pencil import SearchResult
from palaestra.generators.grids.shapes import connected, edges_of, framed, piece, sides, ways

MAX_NODES = 100
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


@dataclass(frozen=True)
class LoopSheet(Sheet):
    """The cells and sides of a square board with a loop: the cells inside are connected, and those
    outside are, by way of the border.
    """

    side: int = 0
    """The number of rows and columns."""

    general: int = 0
    """How many of the counts, the first ones, hold for every loop; the others are clues."""

    def doubt(self, on: int, off: int) -> int:
        clear = (1 << self.size) - 1 & ~(on | off)
        best, least = clear, 5
        for cells, _ in self.counts[self.general :]:
            free = cells & clear
            if free and free.bit_count() < least:
                best, least = free, free.bit_count()
                if least == 2:
                    break
        return (best & -best).bit_length() - 1

    def infer(self, on: int, off: int) -> Marks | None:
        size = self.side
        full = (1 << size * size) - 1
        inside, outside = on & full, off & full
        if outside == full:
            return None
        beyond = piece(full & ~inside, border(size), size, size)
        if outside & ~beyond:
            return None
        on |= full & ~beyond
        if not inside:
            return on, off
        within = piece(full & ~outside, inside & -inside, size, size)
        if inside & ~within:
            return None
        off |= full & ~within
        clear = full & ~(on | off)
        if not clear:
            return on, off
        whole = piece(inside, inside & -inside, size, size)
        on |= only_ways(inside, clear, size) if whole != inside else 0
        return on, off | only_ways(outside, clear, size, border(size))


def only_ways(cells: int, clear: int, size: int, anchor: int = 0) -> int:
    """The clear cells that are the only way out of a connected part of some cells.

    Parts that touch the anchor need none.
    """
    ways_out = 0
    while cells:
        part = piece(cells, cells & -cells, size, size)
        cells ^= part
        if not part & anchor:
            exits = around(part, size) & clear
            if exits and not exits & (exits - 1):
                ways_out |= exits
    return ways_out


def around(cells: int, size: int) -> int:
    """The cells beside some cells, and those of them that are beside others of them."""
    full, not_first, not_last = edges_of(size, size)
    beside = (cells & not_last) << 1 | (cells & not_first) >> 1
    return (beside | cells << size | cells >> size) & full


@lru_cache(maxsize=32)
def border(size: int) -> int:
    """The outer cells of a square."""
    return bits(cell for cell, near in enumerate(sides(size, size)) if len(near) < 4)


@lru_cache(maxsize=32)
def ground(size: int) -> tuple[LoopSheet, tuple[int, ...]]:
    """The rules of every loop, and the sides of each cell.

    After the cells, which are on inside the loop, come the sides, which are on where it runs; they
    are the links between corners, as :func:`ways` lists them. A side is on if and only if one of
    its two cells is, so an even number of the three are.
    """
    even, cells = 0b101, size * size
    of_cell = [0] * cells
    counts: list[Count] = []
    for side, (one, other) in enumerate(ways(size + 1, size + 1), cells):
        row, column = divmod(one, size + 1)
        before = (row - 1, column) if other == one + 1 else (row, column - 1)
        beside = [r * size + c for r, c in (before, (row, column)) if 0 <= r < size > c >= 0]
        counts.append((bits([*beside, side]), even))
        for cell in beside:
            of_cell[cell] |= 1 << side
    counts += [(bits(some.values()) << cells, even) for some in links(size + 1, size + 1)]
    total = cells + len(ways(size + 1, size + 1))
    return LoopSheet(total, tuple(counts), side=size, general=len(counts)), tuple(of_cell)


def solve(size: int, clues: Mapping[int, int]) -> SearchResult[int]:
    """Up to two loops, as the cells inside and the sides."""
    sheet, of_cell = ground(size)
    totals = ((of_cell[cell], 1 << many) for cell, many in clues.items())
    return sheet.plus(totals).solve(most=MAX_NODES)
