"""Killer sudoku: sudoku by the sums of cages, published in Japan since the 1990s.

Wherever another filling has the same sums, a digit is told, until there is no other left.
"""

from collections.abc import Iterable, Mapping
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.cells import COUNTED, text
from palaestra.generators.grids.cages import caged, flat, label, listed, squared
from palaestra.generators.grids.latin_squares import Square, compose
from palaestra.generators.grids.marks import lines
from palaestra.generators.grids.pencil import (
    Board,
    Cage,
    Different,
    Found,
    Pencil,
    between,
    revealed,
)
from palaestra.generators.grids.shapes import cut, gathered
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.boards import altered, repeated
from palaestra.verifiers.reading.values import grid


class KillerSudoku(Pencil):
    """Fill a sudoku from the sums of its cages, in which no number is repeated either."""

    tags = {"grid", "arithmetic", "constraint-satisfaction", "unique-solution"}

    class Knobs(Pencil.Knobs):
        height: int = ladder(2, 2, 2, 2, 2, 3, 3)
        width: int = ladder(2, 2, 3, 3, 3, 3, 3)
        cage: int = ladder(2, 3, 3, 3, 4, 3, 4)  # cells of the largest
        given: int = ladder(3, 1, 8, 2, 0, 20, 5, high=30)  # digits told before more are needed

    height: int
    width: int
    cages: tuple[tuple[int, ...], ...]
    sums: tuple[int, ...]
    givens: tuple[tuple[int, ...], ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.height * knobs.width
        square = Square(size, knobs.height, knobs.width)
        rows = square.grid(square.placed(compose(square, rng)[0]))
        numbers = [number for row in rows for number in row]
        cages = tuple(map(tuple, gathered(cut(rng, size, numbers, knobs.cage))))
        sums = tuple(sum(numbers[cell] for cell in cage) for cage in cages)
        task = cls(height=knobs.height, width=knobs.width, cages=cages, sums=sums, givens=())
        first = rng.sample(range(size * size), min(knobs.given, size * size - 4))
        given = revealed(task.completed, numbers, {cell: numbers[cell] for cell in first}, rng)
        return task.model_copy(update={"givens": squared(given, size)})

    def completed(self, given: Mapping[int, int]) -> Found[tuple[int, ...]]:
        """Up to two solutions with these digits."""
        size = self.height * self.width
        values = between(1, size)
        groups = [*lines(size, size), *boxes(self.height, self.width)]
        board = Board(size * size, [Different(tuple(group), values) for group in groups])
        for cage, total in zip(self.cages, self.sums):
            board.add(Cage(cage, total, size))
        domains = [1 << given[cell] if cell in given else values for cell in range(size * size)]
        return board.solve(domains)

    def solved(self) -> Found[tuple[int, ...]]:
        return self.completed(flat(self.givens))

    def canonical(self) -> str:
        return f"{self.height} {caged(self.cages, self.sums, self.givens)}"

    def prompt(self) -> str:
        size = self.height * self.width
        box = f"{self.height} rows by {self.width} columns"
        rules = self.phrase(
            f"Fill this grid of {size} rows and {size} columns with the numbers 1 to {size}. Every "
            f"row, every column and every box (the grid is tiled by boxes of {box}) holds each "
            "number exactly once. The cells are also divided into cages: the numbers in a cage "
            "have the given sum, and no number stands twice in a cage.",
            f"This is a killer sudoku of {size} by {size} cells with boxes of {box}. Each of the "
            f"numbers 1 to {size} stands once in every row, once in every column and once in every "
            "box. For each cage, the list below gives the sum of its cells and which cells they "
            "are; within one cage all numbers are different.",
        )
        return (
            f"{rules} Numbers that are given must stay; dots are empty cells. There is exactly one "
            f"way to do it. {COUNTED}: r1c2 is the cell in row 1, column 2.\n\n"
            f"{text([[cell or '.' for cell in row] for row in self.givens])}\n\nCages, with their "
            f"sums:\n{listed(self.cages, self.sums, size)}\n\nAnswer with the whole grid, given "
            f"numbers included: {size} lines, each a row of {size} numbers separated by spaces, "
            f"such as '{' '.join(str(n) for n in range(size, 0, -1))}'."
        )

    def answer(self) -> str:
        (solution,) = self.solved().solutions
        return text(squared(dict(enumerate(solution)), self.height * self.width))

    def verify(self, answer: str) -> Score:
        size = self.height * self.width
        signs = [str(n) for n in range(1, size + 1)]
        rows = [[*map(int, row)] for row in grid(answer, size, size, signs)]
        if flaw := altered(self.givens, rows, blank=0) or repeated(rows):
            return Score(0, flaw)
        numbers = [number for row in rows for number in row]
        for number, box in enumerate(boxes(self.height, self.width), 1):
            if len({numbers[cell] for cell in box}) < size:
                return Score(0, f"box {number}, in reading order, holds a number more than once")
        for place, (cage, total) in enumerate(zip(self.cages, self.sums)):
            held = [numbers[cell] for cell in cage]
            if sum(held) != total:
                return Score(0, f"cage {label(place)} has the sum {sum(held)}")
            if len(set(held)) < len(held):
                return Score(0, f"cage {label(place)} holds a number more than once")
        return Score(1)

    def blanks(self) -> int:
        return sum(row.count(0) for row in self.givens)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(height=2, width=2, cage=3, given=11)

    def candidates(self) -> Iterable[str]:
        blanks = [cell for cell in range(16) if cell not in flat(self.givens)]
        for fill in product(range(1, 5), repeat=len(blanks)):
            yield text(squared(flat(self.givens) | dict(zip(blanks, fill)), 4))


def boxes(height: int, width: int) -> list[list[int]]:
    """The cells of each box of a sudoku, in reading order.

    >>> boxes(2, 2)[1]
    [2, 3, 6, 7]
    """
    size = height * width
    return [
        [(top + row) * size + left + column for row in range(height) for column in range(width)]
        for top in range(0, size, height)
        for left in range(0, size, width)
    ]
