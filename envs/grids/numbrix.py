"""Numbrix, by Marilyn vos Savant (2008): a path of consecutive numbers through a grid.

The numbers are the variables here and the cells their values: consecutive ones are side by side.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Self

from palaestra.generators.cells import images, in_rows
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.constraints import Board, Different
from palaestra.generators.grids.lines import wandering
from palaestra.generators.grids.numbered_paths import NumberedPath, numbered
from palaestra.generators.grids.pencil import SearchResult, by_cell, revealed, spared
from palaestra.generators.grids.shapes import edges_of, sides
from palaestra.scenes import Grid as Picture
from palaestra.scenes import Line
from palaestra.scenes.elements import changed
from palaestra.task import ladder

MAX_NODES = 40
"""Limit of the search nodes when proving that there is one path."""


class Numbrix(NumberedPath):
    """Fill a grid with the numbers from 1 on so that consecutive ones share a side."""

    version = 2
    tags = {"grid", "path", "constraint-satisfaction", "unique-solution"}
    apart = "{} and {} do not share a side"

    class Knobs(NumberedPath.Knobs):
        size: int = ladder(4, 5, 5, 6, 6, 7, 7, low=3, high=8)
        givens: int = ladder(7, 12, 5, 10, 4, 4, 4, low=0, high=20)  # at first; more until unique
        minimal: bool = ladder(*[False] * 6, True)  # no number that is not needed

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        path = wandering(rng, size)
        first = sorted(rng.sample(range(size * size), min(knobs.givens, size * size - 3)))
        positions = revealed(lambda some: solve(size, some), path, {n: path[n] for n in first}, rng)
        if knobs.minimal:
            kept = spared([*positions], lambda some: unique(size, path, some), rng, most=6)
            positions = {number: path[number] for number in kept}
        return cls(givens=numbered(positions, size))

    def solved(self) -> SearchResult[tuple[int, ...]]:
        """Up to two solutions, as the cell of each number."""
        return solve(len(self.givens), self.positions())

    def canonical(self) -> str:
        """A path may be walked from either end."""
        last = len(self.givens) ** 2 + 1
        back = [[number and last - number for number in row] for row in self.givens]
        return str(min(images([[*row] for row in self.givens]) + images(back)))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """A given number moves to another cell of the same colour of the chessboard, where it
        changes places with the number that stands there, if any.
        """
        size = len(self.givens)
        flat = [number for row in self.givens for number in row]
        for numbers in exchanges(flat, rng, lambda cell: sum(divmod(cell, size)) % 2):
            yield self.model_copy(update={"givens": tuple(map(tuple, in_rows(numbers, size)))})

    def prompt(self) -> str:
        size = len(self.givens)
        last = size * size
        rules = self.phrase(
            f"Fill the empty cells of this {size} by {size} grid, shown as dots, so that it holds "
            f"every whole number from 1 to {last} exactly once and consecutive numbers (1 and 2, 2 "
            "and 3, and so on) are always in cells that share a side: directly above, below, left "
            "or right of one another, never diagonally.",
            f"A path leads through all {last} cells of a grid of {size} rows and {size} columns, "
            "one step up, down, left or right at a time, and visits each cell once. The cells are "
            f"numbered from 1 to {last} in the order of the path, but most of the numbers are "
            "missing and shown as dots. Fill them in.",
        )
        return (
            f"{rules} The numbers that are given must stay. There is exactly one way to do it.\n\n"
            f"{self.board()}\n\n{self.answer_format(range(2, size + 2))}"
        )

    def solved_scene(self, answer: str) -> Picture:
        """The scene of the numbers, with a line between consecutive ones that are side by side."""
        rows, size = self.read(answer), len(self.givens)
        cells = {number: cell for cell, number in by_cell(rows).items()}
        steps = (
            (divmod(cell, size), divmod(cells[number + 1], size))
            for number, cell in cells.items()
            if number + 1 in cells and self.follows(cell, cells[number + 1])
        )
        lines = tuple(Line(gap(*step), width=0.06) for step in steps)
        return changed(self.picture(rows), lines=lines)

    def follows(self, cell: int, after: int) -> bool:
        size = len(self.givens)
        return after in sides(size, size)[cell]


@dataclass(frozen=True)
class Beside:
    """The cells of two numbers share a side."""

    scope: tuple[int, int]
    size: int

    def narrow(self, domains: list[int]) -> bool:
        one, other = self.scope
        domains[one] &= spread(domains[other], self.size)
        domains[other] &= spread(domains[one], self.size)
        return domains[one] > 0 and domains[other] > 0


def spread(cells: int, size: int) -> int:
    """All neighbours of some cells; sets of cells are integers.

    >>> bin(spread(0b1, 2))
    '0b110'
    """
    full, not_first, not_last = edges_of(size, size)
    across = (cells & not_last) << 1 | (cells & not_first) >> 1
    return (across | cells << size | cells >> size) & full


def solve(size: int, positions: Mapping[int, int]) -> SearchResult[tuple[int, ...]]:
    """Up to two paths, as the cell of each number, counted from 0."""
    full = (1 << size * size) - 1
    numbers = range(size * size)
    rules = [Beside(pair, size) for pair in pairwise(numbers)]
    board = Board(size * size, [*rules, Different(tuple(numbers), full)])
    odd = colours(size)
    start, value = next(iter(positions.items()), (-1, 0))
    light = odd if odd >> value & 1 else full & ~odd
    domains = [full] * (size * size)
    for number in numbers:
        if start >= 0:
            domains[number] = light if (number - start) % 2 == 0 else full & ~light
        if number in positions:
            domains[number] = 1 << positions[number]
    return board.solve(domains, most=MAX_NODES)


@lru_cache(maxsize=16)
def colours(size: int) -> int:
    """The dark squares of a chessboard, on which every other number lies."""
    cells = range(size * size)
    return sum(1 << cell for cell in cells if sum(divmod(cell, size)) % 2)


def unique(size: int, path: list[int], kept: Iterable[int]) -> bool:
    """Whether these numbers of a path leave no other one."""
    return solve(size, {number: path[number] for number in kept}).unique


def gap(one: tuple[int, int], other: tuple[int, int]) -> tuple[tuple[float, float], ...]:
    """The part of the way between two cells that runs between their numbers.

    >>> gap((0, 0), (0, 1))
    ((0.0, 0.375), (0.0, 0.625))
    """
    (a, b), (c, d) = one, other
    return tuple((a + share * (c - a), b + share * (d - b)) for share in (0.375, 0.625))
