"""Rooms with walls, to be lit by lamps that do not light each other: light up."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.grids.marks import Count, Sheet, at_least, exactly
from palaestra.generators.grids.pencil import SearchResult
from palaestra.generators.grids.shapes import sides

WALL, FREE = "#", "."
MAX_NODES = 200
"""Limit of the search nodes when proving that there is one way to place lamps."""


@lru_cache(maxsize=256)
def views(board: str, size: int) -> list[list[int]]:
    """For each free cell, the other cells that are seen from it; nothing for a wall."""
    visible: list[list[int]] = []
    for cell, sign in enumerate(board):
        row, column = divmod(cell, size)
        rays = (
            range(cell + 1, (row + 1) * size),
            range(cell - 1, row * size - 1, -1),
            range(cell + size, size * size, size),
            range(cell - size, column - 1, -size),
        )
        seen: list[int] = []
        for ray in rays if sign == FREE else ():
            for other in ray:
                if board[other] != FREE:
                    break
                seen.append(other)
        visible.append(seen)
    return visible


@dataclass(frozen=True)
class Lamps(Sheet):
    """The free cells of a room, on where there is a lamp."""

    def doubt(self, on: int, off: int) -> int:
        """A cell to try: one of the dark cell or number with the fewest open cells."""
        clear = (1 << self.size) - 1 & ~(on | off)
        best, least = clear, self.size + 1
        for cells, allowed in self.counts:
            free = cells & clear
            if free and free.bit_count() < least and (allowed > 0 or not cells & on):
                best, least = free, free.bit_count()
                if least == 2:
                    break
        return (best & -best).bit_length() - 1


@lru_cache(maxsize=16)
def room(walls: str, size: int) -> Lamps:
    """The rules of a room before any number is known: each cell is lit, and no lamp is."""
    seen = views(walls, size)
    bright = (at_least([n, *seen[n]], 1) for n, sign in enumerate(walls) if sign == FREE)
    return Lamps(size * size, tuple(bright), {n: (0, bits(some)) for n, some in enumerate(seen)})


def solve(walls: str, size: int, numbers: Mapping[int, int]) -> SearchResult[int]:
    """Up to two ways to place lamps in a room, with the numbers of some walls."""
    near = sides(size, size)
    counts: list[Count] = [exactly(near[cell], many) for cell, many in numbers.items()]
    dark = bits(cell for cell, sign in enumerate(walls) if sign != FREE)
    return room(walls, size).plus(counts).solve(off=dark, most=MAX_NODES)


def lit(rng: Random, walls: str, size: int, lamps: int = 0) -> int:
    """These lamps and more at random, until every free cell is lit."""
    seen = views(walls, size)
    dark = {cell for cell, sign in enumerate(walls) if sign == FREE}
    for lamp in ones(lamps):
        dark -= {lamp, *seen[lamp]}
    for cell in rng.sample(sorted(dark), len(dark)):
        if cell in dark:
            lamps |= 1 << cell
            dark -= {cell, *seen[cell]}
    return lamps


def beside(walls: str, size: int, lamps: int) -> dict[int, int]:
    """The number of lamps beside each wall."""
    near = sides(size, size)
    return {
        wall: sum(lamps >> cell & 1 for cell in near[wall])
        for wall, sign in enumerate(walls)
        if sign == WALL
    }


def walled(rng: Random, size: int, share: float) -> tuple[str, dict[int, int]]:
    """A room with this share of walls or a little more, and their numbers, by which it is unique.

    Where another way to place lamps differs, a free cell becomes a wall.
    """
    chosen = {*rng.sample(range(size * size), round(share * size * size))}
    walls = "".join(WALL if cell in chosen else FREE for cell in range(size * size))
    lamps = lit(rng, walls, size)
    while True:
        numbers = beside(walls, size, lamps)
        result = solve(walls, size, numbers)
        if result.unique:
            return walls, numbers
        free = [cell for cell, sign in enumerate(walls) if sign == FREE and not lamps >> cell & 1]
        other = next((on for on in result.solutions if on != lamps), 0)
        wall = rng.choice([cell for cell in free if other >> cell & 1] or free)
        walls = walls[:wall] + WALL + walls[wall + 1 :]
        lamps = lit(rng, walls, size, lamps)
