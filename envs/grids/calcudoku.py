"""Calcudoku, by Tetsuya Miyamoto (2004), who called it KenKen: a Latin square by arithmetic."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import permutations, product
from math import prod
from random import Random
from typing import Self

from palaestra.generators.cells import COUNTED, text
from palaestra.generators.grids.cages import caged, flat, label, listed, squared
from palaestra.generators.grids.latin_squares import Square, compose
from palaestra.generators.grids.marks import lines
from palaestra.generators.grids.pencil import (
    Board,
    Different,
    Found,
    Pencil,
    Rows,
    Table,
    between,
    revealed,
)
from palaestra.generators.grids.shapes import cut, gathered
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.boards import altered, repeated
from palaestra.verifiers.reading.values import grid

LOOKS = 800
"""How many boards may be looked at to prove that there is one solution."""

Target = tuple[int, str]
"""What a cage gives, and by which operation; by none if it is a single cell."""


class Calcudoku(Pencil):
    """Fill a Latin square so that the numbers of each cage give a target by an operation."""

    tags = {"grid", "arithmetic", "constraint-satisfaction", "unique-solution"}

    class Knobs(Pencil.Knobs):
        size: int = ladder(4, 4, 4, 5, 5, 6, 7, low=3)
        cage: int = ladder(2, 2, 3, 3, 4, 4, 4)  # cells of the largest
        times: bool = ladder(False, False, True)  # multiplication and division as well
        given: int = ladder(6, 2, 2, 2, 0, 0, 0, high=9)  # numbers told before more are needed

    cages: tuple[tuple[int, ...], ...]
    targets: tuple[Target, ...]
    givens: tuple[tuple[int, ...], ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        square = Square(size)
        rows = square.grid(square.placed(compose(square, rng)[0]))
        numbers = [number for row in rows for number in row]
        cages = tuple(map(tuple, gathered(cut(rng, size, range(size * size), knobs.cage))))
        targets = tuple(aimed(rng, [numbers[cell] for cell in cage], knobs.times) for cage in cages)
        task = cls(cages=cages, targets=targets, givens=((0,) * size,) * size)
        first = rng.sample(range(size * size), min(knobs.given, size * size - 4))
        given = revealed(task.completed, numbers, {cell: numbers[cell] for cell in first}, rng)
        return task.model_copy(update={"givens": squared(given, size)})

    def completed(self, given: Mapping[int, int]) -> Found[tuple[int, ...]]:
        """Up to two solutions with these numbers."""
        size = len(self.givens)
        values = between(1, size)
        board = Board(size * size, [Different(tuple(line), values) for line in lines(size, size)])
        for cage, target in zip(self.cages, self.targets):
            board.add(Table(cage, reaching(size, len(cage), target)))
        domains = [1 << given[cell] if cell in given else values for cell in range(size * size)]
        return board.solve(domains, most=LOOKS)

    def solved(self) -> Found[tuple[int, ...]]:
        return self.completed(flat(self.givens))

    def canonical(self) -> str:
        return caged(self.cages, self.targets, self.givens)

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
        targets = [f"{number}{sign}" for number, sign in self.targets]
        return (
            f"{rules} '+' after a target means the sum of the numbers and 'x' their product; '-' "
            "means the greater of two numbers minus the other, and '/' the greater divided by the "
            "other. A target without a sign is the number of the cage's only cell. A number may "
            "stand twice in a cage, but not in the same row or column. Dots are empty cells; given "
            f"numbers must stay. There is exactly one way to do it. {COUNTED}: r1c2 is the cell in "
            f"row 1, column 2.\n\n{text([[cell or '.' for cell in row] for row in self.givens])}"
            f"\n\nCages, with their targets:\n{listed(self.cages, targets, size)}\n\nAnswer with "
            f"the whole grid, given numbers included: {size} lines, each a row of {size} numbers "
            f"separated by spaces, such as '{' '.join(str(n) for n in range(size, 0, -1))}'."
        )

    def answer(self) -> str:
        (solution,) = self.solved().solutions
        return text(squared(dict(enumerate(solution)), len(self.givens)))

    def verify(self, answer: str) -> Score:
        size = len(self.givens)
        signs = [str(n) for n in range(1, size + 1)]
        rows = [[*map(int, row)] for row in grid(answer, size, size, signs)]
        if flaw := altered(self.givens, rows, blank=0) or repeated(rows):
            return Score(0, flaw)
        for place, (cage, (target, sign)) in enumerate(zip(self.cages, self.targets)):
            if result(sign, [rows[cell // size][cell % size] for cell in cage]) != target:
                return Score(0, f"cage {label(place)} does not give {target}{sign}")
        return Score(1)

    def blanks(self) -> int:
        return sum(row.count(0) for row in self.givens)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, cage=3, times=True)

    def candidates(self) -> Iterable[str]:
        return map(text, product(permutations((1, 2, 3)), repeat=3))


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
