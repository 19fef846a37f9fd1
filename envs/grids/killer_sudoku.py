"""Killer sudoku: sudoku by the sums of cages, published in Japan since the 1990s.

Wherever another filling has the same sums, a digit is given, until the solution is unique.
"""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Self

from palaestra.generators.cells import COUNTED
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.cages import caged, in_cages, label, listed, outline
from palaestra.generators.grids.constraints import Cage, Different, Rule, between
from palaestra.generators.grids.latin_squares import LatinSquare, empty_grid, latin_square
from palaestra.generators.grids.pencil import Grid, NumberGrid
from palaestra.generators.grids.shapes import cut, gathered
from palaestra.scenes import Grid as GridScene
from palaestra.scenes.elements import changed
from palaestra.task import ladder


class KillerSudoku(LatinSquare):
    """Fill a sudoku from the sums of its cages, in which no number is repeated either."""

    version = 2
    tags = {"grid", "arithmetic", "constraint-satisfaction", "unique-solution"}

    class Knobs(LatinSquare.Knobs):
        height: int = ladder(2, 2, 2, 2, 2, 3, 3)
        width: int = ladder(2, 2, 3, 3, 3, 3, 3)
        cage: int = ladder(2, 3, 3, 3, 4, 3, 4)  # cells of the largest
        givens: int = ladder(3, 1, 8, 2, 0, 20, 5, high=30)  # digits given at first

    height: int
    width: int
    cages: tuple[tuple[int, ...], ...]
    sums: tuple[int, ...]
    givens: Grid

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.height * knobs.width
        numbers = latin_square(rng, size, knobs.height, knobs.width)
        cages = tuple(map(tuple, gathered(cut(rng, size, numbers, knobs.cage))))
        sums = tuple(sum(numbers[cell] for cell in cage) for cage in cages)
        task = cls(
            height=knobs.height,
            width=knobs.width,
            cages=cages,
            sums=sums,
            givens=empty_grid(size),
        )
        return task.with_givens(rng, numbers, knobs.givens)

    def rules(self) -> Iterable[Rule]:
        size = self.height * self.width
        for box in boxes(self.height, self.width):
            yield Different(tuple(box), between(1, size))
        for cage, total in zip(self.cages, self.sums):
            yield Cage(cage, total, size)

    def canonical(self) -> str:
        return f"{self.height} {caged(self.cages, self.sums, self.givens)}"

    def alterations(self, rng: Random) -> Iterator[Self]:
        """The sums of two cages of equal size change places."""
        for sums in exchanges(self.sums, rng, lambda cage: len(self.cages[cage])):
            yield self.model_copy(update={"sums": tuple(sums)})

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
            f"{self.board()}\n\nCages, with their sums:\n{listed(self.cages, self.sums, size)}"
            f"\n\n{self.answer_format()}"
        )

    def picture(self, rows: Sequence[Sequence[int]]) -> GridScene:
        """Boxes with thick borders, cages with dashed ones inside of their cells."""
        size, across = self.height * self.width, range(self.height * self.width)
        regions = tuple(
            tuple(r // self.height * size + c // self.width for c in across) for r in across
        )
        board = in_cages(super().picture(rows), self.cages, self.sums)
        dashes = (border for cage in self.cages for border in outline(cage, size))
        return changed(board, regions=regions, borders=tuple(dashes))

    def violation(self, rows: list[list[int]]) -> str:
        return super().violation(rows) or self.false_cage([n for row in rows for n in row])

    def false_cage(self, numbers: list[int]) -> str:
        """Which box or cage breaks a rule, if any."""
        for number, box in enumerate(boxes(self.height, self.width), 1):
            if len({numbers[cell] for cell in box}) < len(box):
                return f"box {number}, in reading order, holds a number more than once"
        for number, (cage, total) in enumerate(zip(self.cages, self.sums)):
            held = [numbers[cell] for cell in cage]
            if sum(held) != total:
                return f"cage {label(number)} has the sum {sum(held)}"
            if len(set(held)) < len(held):
                return f"cage {label(number)} holds a number more than once"
        return ""

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(height=2, width=2, cage=3, givens=11)

    def candidates(self) -> Iterable[str]:
        """All numbers in all empty cells, as there are too many squares of rows alone."""
        return NumberGrid.candidates(self)


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
