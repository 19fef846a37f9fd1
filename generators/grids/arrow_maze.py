"""Walks through all cells of a grid along arrows: signpost."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from random import Random

from palaestra.generators.bitsets import ones
from palaestra.generators.grids.constraints import Board, Different
from palaestra.generators.grids.pencil import SearchResult

STEP = {
    "N": (-1, 0), "NE": (-1, 1), "E": (0, 1), "SE": (1, 1),
    "S": (1, 0), "SW": (1, -1), "W": (0, -1), "NW": (-1, -1),
}  # fmt: skip
END = "*"
MAX_NODES = 40
"""Limit of the search nodes when proving that there is one way."""

Arrows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Next:
    """The arrow of the first number's cell points towards that of the second."""

    scope: tuple[int, int]
    ahead: tuple[int, ...]

    def narrow(self, domains: list[int]) -> bool:
        one, other = self.scope
        kept = spread = 0
        for cell in ones(domains[one]):
            if self.ahead[cell] & domains[other]:
                kept |= 1 << cell
                spread |= self.ahead[cell]
        domains[one] = kept
        domains[other] &= spread
        return kept > 0


@lru_cache(maxsize=256)
def reached(arrows: Arrows) -> tuple[int, ...]:
    """The cells that each arrow points at, as bits."""
    size, targets = len(arrows), []
    for row, line in enumerate(arrows):
        for column, arrow in enumerate(line):
            cells = 0
            down, across = STEP.get(arrow, (size, size))
            for far in range(1, size):
                r, c = row + far * down, column + far * across
                if 0 <= r < size and 0 <= c < size:
                    cells |= 1 << r * size + c
            targets.append(cells)
    return tuple(targets)


def solve(arrows: Arrows, positions: Mapping[int, int]) -> SearchResult[tuple[int, ...]]:
    """Up to two ways through the grid, as the cell of each number, counted from 0."""
    many = len(arrows) ** 2
    full = (1 << many) - 1
    ahead = reached(arrows)
    rules = [Next(pair, ahead) for pair in pairwise(range(many))]
    board = Board(many, [*rules, Different(tuple(range(many)), full)])
    return board.solve(
        [1 << positions[n] if n in positions else full for n in range(many)], most=MAX_NODES
    )


def roaming(rng: Random, size: int) -> list[int] | None:
    """A walk at random through all cells by rook's or bishop's steps; None if it gets stuck.

    It goes where there are the fewest ways on, as in Warnsdorff's rule for the knight.
    """
    reach = queens(size)
    here = rng.randrange(size * size)
    path, free = [here], (1 << size * size) - 1 ^ 1 << here
    while free:
        ways = ones(reach[here] & free)
        if not ways:
            return None
        few = min((reach[n] & free).bit_count() + rng.randrange(4) for n in ways)
        near = [n for n in ways if (reach[n] & free).bit_count() <= few]
        here = rng.choice(near)
        path.append(here)
        free ^= 1 << here
    return path


@lru_cache(maxsize=16)
def queens(size: int) -> tuple[int, ...]:
    """The cells that a queen reaches from each cell, as bits."""
    seen_from = [0] * (size * size)
    for way in STEP:
        arrows = tuple((way,) * size for _ in range(size))
        seen_from = [some | more for some, more in zip(seen_from, reached(arrows))]
    return tuple(seen_from)


def pointing(cell: int, after: int, size: int) -> str:
    """The direction from a cell to one in line with it.

    >>> pointing(0, 8, 3), pointing(5, 3, 3)
    ('SE', 'W')
    """
    down, across = after // size - cell // size, after % size - cell % size
    step = (down > 0) - (down < 0), (across > 0) - (across < 0)
    return next(way for way, by in STEP.items() if by == step)
