"""Lines that lead from cell to cell: paths, loops and trees, as the sets of links that they use.

A link joins two cells side by side; links are numbered as :func:`ways` lists them.
"""

from collections.abc import Mapping
from functools import lru_cache
from random import Random

from palaestra.generators.bitsets import ones
from palaestra.generators.grids.shapes import sides, ways
from palaestra.scenes import Line

LINE_SIGNS: Mapping[str, str] = {
    "-": "LR", "I": "UD", "F": "RD", "7": "LD", "L": "UR", "J": "UL", "x": "",
}  # fmt: skip
"""How a cell with a line is drawn, and the sides by which the line leaves it."""

SIDES = "ULRD"
"""Up, left, right, down: the order of the neighbours that :func:`sides` lists."""


STEPS = {"U": (-1, 0), "L": (0, -1), "R": (0, 1), "D": (1, 0)}
"""The steps to the cells on each side."""


TONES = ("c0", "c1", "c2", "c3", "c4", "c5", "c7", "c9", "c11")
"""Colours in which a scene shows lines so that they stand out on light and on dark ground."""


@lru_cache(maxsize=4096)
def pipe(cell: tuple[int, int], exits: str, tone: str = "accent", width: float = 0.12) -> Line:
    """How a scene shows a line that leaves a cell by these sides, of which there is at least one.

    >>> pipe((0, 1), "LR").points
    ((0.0, 0.5), (0, 1), (0.0, 1.5))
    """
    row, column = cell
    first, *others = ((row + STEPS[side][0] / 2, column + STEPS[side][1] / 2) for side in exits)
    rest = others or [first]
    return Line((first, *(point for end in rest for point in (cell, end))), tone, width)


@lru_cache(maxsize=64)
def links(rows: int, columns: int) -> tuple[dict[str, int], ...]:
    """For each cell, the numbers of its links by the side on which they leave it.

    >>> links(1, 2)
    ({'R': 0}, {'L': 0})
    """
    neighbours: tuple[dict[str, int], ...] = tuple({} for _ in range(rows * columns))
    for number, (one, other) in enumerate(ways(rows, columns)):
        across = other == one + 1 and columns > 1
        neighbours[one]["R" if across else "D"] = number
        neighbours[other]["L" if across else "U"] = number
    return neighbours


def roots(on: int, rows: int, columns: int) -> list[int] | None:
    """A cell to stand for the piece that each cell is in; None where links form a cycle.

    >>> roots(0b11, 1, 3), roots(0b1111, 2, 2)
    ([0, 0, 0], None)
    """
    pairs = ways(rows, columns)
    root = [*range(rows * columns)]
    for number in ones(on):
        one, other = pairs[number]
        while root[one] != one:
            one = root[one]
        while root[other] != other:
            other = root[other]
        if one == other:
            return None
        if one < other:
            root[other] = one
        else:
            root[one] = other
    for cell, above in enumerate(root):  # which is no later cell, so that it is done already
        root[cell] = root[above]
    return root


def wandering(rng: Random, size: int) -> list[int]:
    """A random path through all cells of a square, by repeated backbiting moves of its ends.

    Backbiting comes from the study of polymers (Marc Mansfield, 1982).
    """
    near = sides(size, size)
    path: list[int] = []
    for row in range(size):
        path += range(row * size, (row + 1) * size)[:: -1 if row % 2 else 1]
    for _ in range(4 * size * size):
        if rng.random() < 0.5:
            path.reverse()
        bitten = path.index(rng.choice(near[path[-1]]))
        path[bitten + 1 :] = path[:bitten:-1]
    return path
