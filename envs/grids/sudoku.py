"""Sudoku: Howard Garns's "Number Place" (1979), named by Nikoli, on boxes of several shapes.

Clues are decided by chance as long as something does not follow from them, so that a square and
its clues come out of one pass; the hardest are then freed of every clue that follows from the rest.
"""

from collections.abc import Iterable
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.cells import images, text
from palaestra.generators.grids.latin_squares import Grid, Square, compose, solve, spared
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.boards import alike, altered, repeated
from palaestra.verifiers.reading.values import grid


class Sudoku(Puzzle):
    """Fill a grid so that each number stands once in every row, every column and every box."""

    tags = {"grid", "constraint-satisfaction", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        height: int = ladder(2, 2, 2, 3, 3, 3, 3)
        width: int = ladder(2, 3, 3, 3, 3, 3, 3, high=4)
        spare: int = ladder(3, 6, 0, 14, 6, 0, 0, high=40)  # clues beyond those that settle it
        search: bool = ladder(*[False] * 6, True)  # few clues, from which singles do not get there

    height: int
    width: int
    search: bool
    givens: Grid

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        square = Square(knobs.height * knobs.width, knobs.height, knobs.width)
        solution, bits = compose(square, rng)
        if knobs.search:
            bits = spared(square, bits, rng)
        clues = [square.clue(bit) for bit in bits]
        others = [clue for clue in square.placed(solution) if clue not in clues]
        givens = square.grid(clues + rng.sample(others, min(knobs.spare, len(others) - 1)))
        # On small squares, or with clues to spare, singles are nearly always enough.
        search = knobs.search and square.size > 8 and not knobs.spare
        return cls(height=knobs.height, width=knobs.width, search=search, givens=givens)

    def is_valid(self) -> bool:
        solutions, looks = self.solved()
        return len(solutions) == 1 and (looks > 1 or not self.search)

    def solved(self) -> tuple[list[int], int]:
        """Up to two solutions, and how many looks it took; one look means no trial and error."""
        square = self.square()
        return solve(square, square.given(square.clues(self.givens)))

    def square(self) -> Square:
        """The rules of this size."""
        return Square(self.height * self.width, self.height, self.width)

    def canonical(self) -> str:
        pictures = images(self.givens, turned=self.height == self.width)
        return min(map(relabelled, pictures))

    def prompt(self) -> str:
        size = self.height * self.width
        box = f"{self.height} rows by {self.width} columns"
        rules = self.phrase(
            f"Here is a sudoku of {size} rows and {size} columns, divided into boxes of {box}. Put "
            f"a number from 1 to {size} into every empty cell, shown as a dot, so that every row, "
            f"every column and every box holds each number from 1 to {size} exactly once.",
            f"Complete this {size} by {size} sudoku. A dot is an empty cell. In the finished grid "
            f"the numbers 1 to {size} each stand once in every row, once in every column and once "
            f"in every box; the boxes are the blocks of {box} that tile the grid.",
        )
        return (
            f"{rules} The numbers that are given must stay. There is exactly one way to do it.\n\n"
            f"{text([[cell or '.' for cell in row] for row in self.givens])}\n\nAnswer with the "
            f"whole grid, numbers already given included: {size} lines, each a row of {size} "
            "numbers separated by spaces, such as "
            f"'{' '.join(str(n) for n in range(size, 0, -1))}'."
        )

    def answer(self) -> str:
        square = self.square()
        (solution,), _ = self.solved()
        return text(square.grid(square.placed(solution)))

    def verify(self, answer: str) -> Score:
        size = self.height * self.width
        signs = [str(n) for n in range(1, size + 1)]
        filled = [[*map(int, row)] for row in grid(answer, size, size, signs)]
        flaw = altered(self.givens, filled, blank=0) or repeated(filled) or self.crowded(filled)
        return Score(0, flaw) if flaw else Score(1)

    def crowded(self, filled: list[list[int]]) -> str:
        """Which box holds a number twice, if any."""
        size = self.height * self.width
        for top, left in product(range(0, size, self.height), range(0, size, self.width)):
            rows = filled[top : top + self.height]
            if len({n for row in rows for n in row[left : left + self.width]}) < size:
                corner = f"row {top + 1}, column {left + 1}"
                return f"the box whose top left cell is in {corner} holds a number more than once"
        return ""

    def audit(self, answer: str) -> bool:
        return alike(answer, self.answer())

    def difficulty(self) -> float:
        blanks = sum(row.count(0) for row in self.givens)
        return float(blanks * self.solved()[1])

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(height=2, width=2, spare=7)

    def candidates(self) -> Iterable[str]:
        blanks = sum(row.count(0) for row in self.givens)
        for fill in product(range(1, 5), repeat=blanks):
            rest = iter(fill)
            yield text([[cell or next(rest) for cell in row] for row in self.givens])


def relabelled(givens: list[list[int]]) -> str:
    r"""A grid with its numbers renamed in the order in which they come up.

    >>> relabelled([[0, 3], [1, 3]])
    '0 1\n2 1'
    """
    names = {0: 0}
    return "\n".join(
        " ".join(str(names.setdefault(cell, len(names))) for cell in row) for row in givens
    )
