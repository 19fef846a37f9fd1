"""Determinants of integer matrices: Seki Takakazu (1683), Leibniz (1693), Laplace's expansion."""

from collections.abc import Iterable
from math import prod
from random import Random
from typing import Self

from palaestra.generators.algebra.pictures import bars
from palaestra.generators.tiles import tiles
from palaestra.scenes import Grid
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.linear import determinant
from palaestra.verifiers.reading.numbers import integer


class Determinant(Puzzle):
    """Compute the determinant of a square matrix of whole numbers."""

    tags = {"linear-algebra", "calculation", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        size: int = ladder(2, 2, 3, 3, 4, 5, 6, low=2, high=9)
        largest: int = ladder(9, 20, 7, 15, 12, 12, 20, low=4, high=999)

    rows: tuple[tuple[int, ...], ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        def row() -> tuple[int, ...]:
            return tuple(rng.randint(-knobs.largest, knobs.largest) for _ in range(knobs.size))

        return cls(rows=tuple(row() for _ in range(knobs.size)))

    def is_valid(self) -> bool:
        """Whether the value is not small, and not the product of the diagonal."""
        value = abs(determinant(self.rows))
        return value > 10 and value != abs(prod(row[n] for n, row in enumerate(self.rows)))

    def canonical(self) -> str:
        """The same text for a matrix and its transpose, which have equal determinants."""
        return min(repr(self.rows), repr(tuple(zip(*self.rows))))

    def prompt(self) -> str:
        ask = self.phrase(
            "What is the determinant of this matrix?", "Work out the determinant of this matrix."
        )
        width = max(len(str(n)) for row in self.rows for n in row)
        lines = "\n".join(" ".join(f"{n:{width}}" for n in row) for row in self.rows)
        return f"{ask}\n\n{lines}\n\nEach line is a row. Give a whole number, such as '-1234'."

    def scene(self) -> Grid:
        cells = tuple(tuple(tiles(row)) for row in self.rows)
        return Grid(cells, style="plain", borders=bars(len(cells), len(cells)))

    def answer(self) -> str:
        return str(determinant(self.rows))

    def verify(self, answer: str) -> Score:
        right = integer(answer) == determinant(self.rows)
        return Score(1) if right else Score(0, "the determinant is another number")

    def difficulty(self) -> float:
        """The number of multiplications of an elimination, weighted by digits."""
        return len(self.rows) ** 3 * len(self.answer())

    def shortcuts(self) -> Iterable[str]:
        yield str(prod(row[n] for n, row in enumerate(self.rows)))
