"""Walks told by numbers in a grid: every cell has one of its own, and some of them are given."""

from abc import abstractmethod
from collections.abc import Iterable
from itertools import pairwise, permutations
from math import isqrt
from typing import ClassVar

from palaestra.generators.cells import text
from palaestra.generators.grids.pencil import Pencil
from palaestra.task import Score
from palaestra.verifiers.grids.number_tables import table
from palaestra.verifiers.reading.boards import altered


class Numbered(Pencil):
    """Number the cells of a square from 1 on, in the order of a walk through all of them."""

    class Knobs(Pencil.Knobs):
        size: int
        given: int

    givens: tuple[tuple[int, ...], ...]
    """The numbers that are given, and 0 for the others."""

    apart: ClassVar[str]
    """What is said of a number and the next where that may not follow."""

    @abstractmethod
    def follows(self, cell: int, after: int) -> bool:
        """Whether the walk may go from a cell to another."""

    def given(self) -> dict[int, int]:
        """The cell of each number that is given, both counted from 0."""
        cells = enumerate(number for row in self.givens for number in row)
        return {number - 1: cell for cell, number in cells if number}

    def answer(self) -> str:
        (path,) = self.solved().solutions
        return text(numbered(path))

    def verify(self, answer: str) -> Score:
        size = len(self.givens)
        grid = table(answer, size, size)
        place = {number: n for n, number in enumerate(n for row in grid for n in row)}
        if sorted(place) != [*range(1, size * size + 1)]:
            return Score(0, f"the numbers are not those from 1 to {size * size}, each once")
        if flaw := altered(self.givens, grid, blank=0):
            return Score(0, flaw)
        for number, after in pairwise(sorted(place)):
            if not self.follows(place[number], place[after]):
                return Score(0, self.apart.format(number, after))
        return Score(1)

    def audit(self, answer: str) -> bool:
        return answer.replace(",", " ").split() == self.answer().split()

    def blanks(self) -> int:
        return sum(row.count(0) for row in self.givens)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, given=3)

    def candidates(self) -> Iterable[str]:
        numbers = [number for row in self.givens for number in row]
        for some in permutations(sorted({*range(1, 10)} - {*numbers})):
            rest = iter(some)
            full = [number or next(rest) for number in numbers]
            yield text([full[:3], full[3:6], full[6:]])


def numbered(cells: Iterable[int]) -> list[list[int]]:
    """A square with the numbers from 1 on, in the order of a walk through all its cells.

    >>> numbered([0, 1, 3, 2])
    [[1, 2], [4, 3]]
    """
    number = {cell: n for n, cell in enumerate(cells, 1)}
    size = isqrt(len(number))
    return [[number[row * size + column] for column in range(size)] for row in range(size)]
