"""Calcudoku, by Tetsuya Miyamoto (2004), who called it KenKen: a Latin square by arithmetic."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from random import Random
from typing import Self

from palaestra.generators.cells import COUNTED
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.cages import caged, in_cages, label, listed
from palaestra.generators.grids.constraints import Rows, Rule, Table
from palaestra.generators.grids.latin_squares import LatinSquare, empty_grid, latin_square
from palaestra.generators.grids.pencil import Grid
from palaestra.generators.grids.shapes import cut, gathered
from palaestra.scenes import Grid as GridScene
from palaestra.task import ladder

Target = tuple[int, str]
"""What a cage gives, and by which operation; by none if it is a single cell."""


class Calcudoku(LatinSquare):
    """Fill a Latin square so that the numbers of each cage give a target by an operation."""

    version = 3
    tags = {"grid", "arithmetic", "constraint-satisfaction", "unique-solution"}
    max_nodes = 800

    class Knobs(LatinSquare.Knobs):
        size: int = ladder(4, 4, 4, 5, 5, 6, 7, low=3)
        cage: int = ladder(2, 2, 3, 3, 4, 4, 4)  # cells of the largest
        times: bool = ladder(False, False, True)  # multiplication and division as well
        givens: int = ladder(6, 3, 1, 2, 0, 0, 0, high=9)  # numbers given at first

    cages: tuple[tuple[int, ...], ...]
    targets: tuple[Target, ...]
    givens: Grid

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        numbers = latin_square(rng, size)
        cages = tuple(map(tuple, gathered(cut(rng, size, range(size * size), knobs.cage))))
        targets = tuple(aimed(rng, [numbers[cell] for cell in cage], knobs.times) for cage in cages)
        task = cls(cages=cages, targets=targets, givens=empty_grid(size))
        return task.with_givens(rng, numbers, knobs.givens)

    def rules(self) -> Iterable[Rule]:
        size = len(self.givens)
        for cage, target in zip(self.cages, self.targets):
            yield Table(cage, reaching(size, len(cage), target))

    def canonical(self) -> str:
        return caged(self.cages, self.targets, self.givens)

    def alterations(self, rng: Random) -> Iterator[Self]:
        """The targets of two cages of equal size change places, with their operations."""
        for targets in exchanges(self.targets, rng, lambda cage: len(self.cages[cage])):
            yield self.model_copy(update={"targets": tuple(targets)})

    def prompt(self) -> str:
        size = len(self.givens)
        rules = self.phrase(
            f"Fill this grid of {size} rows and {size} columns with the numbers 1 to {size}, so "
            "that every row and every column holds each of them exactly once. The cells are "
            "divided into cages, and the numbers of each cage must give its target.",
            f"In this arithmetic Latin square of {size} by {size} cells, each number from 1 to "
            f"{size} stands once in every row and once in every column. It is cut up into cages; "
            "combining the numbers of a cage by its operation gives the target of the cage.",
        )
        return (
            f"{rules} '+' after a target means the sum of the numbers and 'x' their product; '-' "
            "means the greater of two numbers minus the other, and '/' the greater divided by the "
            "other. A target without a sign is the number of the cage's only cell. A number may "
            "stand twice in a cage, but not in the same row or column. Dots are empty cells; given "
            f"numbers must stay. There is exactly one way to do it. {COUNTED}: r1c2 is the cell in "
            f"row 1, column 2.\n\n{self.board()}\n\nCages, with their targets:\n"
            f"{listed(self.cages, self.labels(), size)}\n\n{self.answer_format()}"
        )

    def labels(self) -> list[str]:
        """The target of each cage with its operation."""
        return [f"{number}{sign}" for number, sign in self.targets]

    def picture(self, rows: Sequence[Sequence[int]]) -> GridScene:
        return in_cages(super().picture(rows), self.cages, self.labels())

    def violation(self, rows: list[list[int]]) -> str:
        return super().violation(rows) or self.missed_target([n for row in rows for n in row])

    def missed_target(self, numbers: list[int]) -> str:
        """Which cage does not give its target, if any."""
        for number, (cage, (target, sign)) in enumerate(zip(self.cages, self.targets)):
            if result(sign, [numbers[cell] for cell in cage]) != target:
                return f"cage {label(number)} does not give {target}{sign}"
        return ""

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, cage=3, times=True)


def result(sign: str, numbers: Sequence[int]) -> int:
    """What an operation gives; 0 for a division with a remainder.

    >>> result("-", [2, 5]), result("/", [6, 2]), result("/", [5, 2])
    (3, 3, 0)
    """
    if sign == "+":
        return sum(numbers)
    if sign == "x":
        return prod(numbers)
    low, high = min(numbers), max(numbers)
    if sign == "-":
        return high - low
    if sign == "/":
        return 0 if high % low else high // low
    return low


def aimed(rng: Random, numbers: Sequence[int], times: bool) -> Target:
    """An operation that suits the numbers of a cage, with what it gives."""
    if len(numbers) == 1:
        return numbers[0], ""
    signs = ["+", "x"] if times else ["+"]
    if len(numbers) == 2:
        signs += ["-", "-"]
        if times and result("/", numbers):
            signs += ["/", "/", "/"]
    sign = rng.choice(signs)
    return result(sign, numbers), sign


@lru_cache(maxsize=1024)
def reaching(size: int, many: int, target: Target) -> Rows:
    """All ways to fill so many cells that reach a target."""
    number, sign = target
    every = product(range(1, size + 1), repeat=many)
    return Rows([row for row in every if result(sign, row) == number], size + 1)
