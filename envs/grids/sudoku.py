"""Sudoku: Howard Garns's "Number Place" (1979), named by Nikoli, on boxes of several shapes.

Clues are decided by chance as long as something does not follow from them, so that a square and
its clues come out of one pass; the hardest are then freed of every clue that follows from the rest.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.cells import images, in_rows
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.latin_squares import (
    LatinSquare,
    Square,
    completions,
    compose,
    spared,
)
from palaestra.generators.grids.pencil import Grid, NumberGrid, SearchResult
from palaestra.scenes import Grid as Picture
from palaestra.scenes.elements import changed
from palaestra.task import ladder


class Sudoku(LatinSquare):
    """Fill a grid so that each number stands once in every row, every column and every box."""

    version = 2
    tags = {"grid", "constraint-satisfaction", "unique-solution"}

    class Knobs(LatinSquare.Knobs):
        height: int = ladder(2, 2, 2, 3, 3, 3, 3, 3, 4)
        width: int = ladder(2, 3, 3, 3, 3, 3, 3, 4, 4)
        spare: int = ladder(3, 6, 0, 14, 6, 0, 0, high=40)  # clues beyond those that make it unique
        search: bool = ladder(*[False] * 6, True)  # few clues, for which singles are not enough

    height: int
    width: int
    search: bool
    givens: Grid

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        square = Square(knobs.height * knobs.width, knobs.height, knobs.width)
        large = square.size > 9
        solution, bits = compose(square, rng, pairs_first=large)
        if knobs.search:
            # A large square has too many clues for a search without a solution at each of them.
            bits = spared(square, bits, rng, len(bits), 2) if large else spared(square, bits, rng)
        clues = [square.clue(bit) for bit in bits]
        others = [clue for clue in square.placed(solution) if clue not in clues]
        givens = square.grid(clues + rng.sample(others, min(knobs.spare, len(others) - 1)))
        # On small squares, or with clues to spare, singles are nearly always enough.
        search = knobs.search and square.size > 8 and not knobs.spare
        return cls(height=knobs.height, width=knobs.width, search=search, givens=givens)

    def is_valid(self) -> bool:
        result = self.solved()
        return result.unique and (result.nodes > 1 or not self.search)

    def solved(self) -> SearchResult[tuple[int, ...]]:
        """Up to two solutions; one node means that no number had to be tried."""
        return completions(self.square(), self.givens)

    def square(self) -> Square:
        """The rules of this size."""
        return Square(self.height * self.width, self.height, self.width)

    def canonical(self) -> str:
        pictures = images(self.givens, turned=self.height == self.width)
        return min(map(relabelled, pictures))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two given numbers change places, so that no number is twice in a line or box and, above
        four rows, each empty cell keeps a candidate.
        """
        size = self.height * self.width
        flat = [number for row in self.givens for number in row]
        for numbers in exchanges(flat, rng, lambda cell: True if flat[cell] else None):
            givens = tuple(map(tuple, in_rows(numbers, size)))
            if not (self.repeats(givens) if size < 6 else self.square().at_odds(givens)):
                yield self.model_copy(update={"givens": givens})

    def repeats(self, givens: Sequence[Sequence[int]]) -> bool:
        """Whether a row, a column or a box has a given number twice."""
        cells = [
            (number, *line)
            for row, numbers in enumerate(givens)
            for column, number in enumerate(numbers)
            if number
            for line in (
                ("row", row),
                ("column", column),
                ("box", row // self.height * self.height + column // self.width),
            )
        ]
        return len({*cells}) < len(cells)

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
            f"{self.board()}\n\n{self.answer_format()}"
        )

    def picture(self, rows: Sequence[Sequence[int]]) -> Picture:
        """The scene of the grid with its boxes."""
        size = self.height * self.width
        boxes = tuple(
            tuple(row // self.height * size + column // self.width for column in range(size))
            for row in range(size)
        )
        return changed(super().picture(rows), regions=boxes)

    def violation(self, rows: list[list[int]]) -> str:
        return super().violation(rows) or self.repeated_in_box(rows)

    def repeated_in_box(self, rows: list[list[int]]) -> str:
        """Which box holds a number twice, if any."""
        size = self.height * self.width
        for top, left in product(range(0, size, self.height), range(0, size, self.width)):
            box = [row[left : left + self.width] for row in rows[top : top + self.height]]
            if len({number for row in box for number in row}) < size:
                corner = f"row {top + 1}, column {left + 1}"
                return f"the box whose top left cell is in {corner} holds a number more than once"
        return ""

    def difficulty(self) -> float:
        return float(self.blanks() * self.solved().nodes)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(height=2, width=2, spare=7)

    def candidates(self) -> Iterable[str]:
        """All numbers in all empty cells, as there are too many squares of rows alone."""
        return NumberGrid.candidates(self)


def relabelled(givens: list[list[int]]) -> str:
    r"""A grid with its numbers renamed in the order in which they appear.

    >>> relabelled([[0, 3], [1, 3]])
    '0 1\n2 1'
    """
    names = {0: 0}
    return "\n".join(
        " ".join(str(names.setdefault(cell, len(names))) for cell in row) for row in givens
    )
