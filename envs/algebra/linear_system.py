"""Systems of linear equations: "The Nine Chapters on the Mathematical Art", ch. 8; Gauss (1810)."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.tiles import entered, tiles
from palaestra.scenes import Grid
from palaestra.task import Puzzle, Score, Sentence, ladder
from palaestra.verifiers.linear import Row, cramer, determinant, holds, solved
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.numbers import rational
from palaestra.verifiers.sums import signed_sum

UNKNOWNS = "xyzwuvst"


class LinearSystem(Puzzle):
    """Solve a system of linear equations in whole numbers or fractions."""

    version = 2
    tags = {"equations", "linear-algebra", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        unknowns: int = ladder(2, 2, 3, 3, 4, 5, 6, high=8)
        coefficient: int = ladder(3, 7, 4, 7, 6, 7, 9, low=2, high=99)
        solution: int = ladder(12, 20, 12, 9, 9, 12, 15, low=3, high=99)
        denominator: int = ladder(1, 1, 1, 3, 3, 4, 5, high=12)
        sides: bool = ladder(False, False, False, False, True)  # unknowns on both sides

    left: tuple[Row, ...]
    right: tuple[Row, ...]
    """One side of each equation: the coefficients of the unknowns, and a number."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        below = [rng.randint(1, knobs.denominator) for _ in range(knobs.unknowns)]
        values = [Fraction(rng.randint(-knobs.solution, knobs.solution), b) for b in below]
        sides = [_equation(rng, knobs, values) for _ in values]
        return cls(left=tuple(left for left, _ in sides), right=tuple(right for _, right in sides))

    def is_valid(self) -> bool:
        return determinant([row[:-1] for row in self.rows()]) != 0

    def canonical(self) -> str:
        return repr(sorted(max(row, tuple(-number for number in row)) for row in self.rows()))

    def rows(self) -> list[Row]:
        """The equations with all unknowns on the left and the number on the right."""
        return [
            (*(a - b for a, b in zip(left[:-1], right)), right[-1] - left[-1])
            for left, right in zip(self.left, self.right)
        ]

    @property
    def names(self) -> str:
        """The unknowns."""
        return UNKNOWNS[: len(self.left)]

    def sentences(self) -> Sequence[Sentence]:
        return [
            Sentence(f"{_written(left)} = {_written(right)}")
            for left, right in zip(self.left, self.right)
        ]

    def prompt(self) -> str:
        equations = "\n".join(sentence.text for sentence in self.sentences())
        ask = self.phrase(
            "Solve this system of equations:",
            "Find the only values for which all of these equations hold:",
        )
        return (
            f"{ask}\n\n{equations}\n\nWrite one line for each of the unknowns "
            f"{', '.join(self.names)}, such as 'x = -40', or 'x = 61/9' if the value is not "
            "whole. Values must be exact."
        )

    def answer(self) -> str:
        return self.as_text(solved(self.rows()))

    def as_text(self, values: Iterable[Fraction | int]) -> str:
        """The answer that states these values."""
        return "\n".join(f"{name} = {value}" for name, value in zip(self.names, values))

    def scene(self) -> Grid:
        return self.pictured({})

    def solved_scene(self, answer: str) -> Grid:
        values = zip(self.names, self.read(answer))
        return self.pictured({name: str(value) for name, value in values})

    def pictured(self, values: Mapping[str, str]) -> Grid:
        """The coefficients on both sides, with a row of values if there are any."""
        equals = ("", ["="] * len(self.left))
        columns = [*self._columns(self.left), equals, *self._columns(self.right)]
        rows = [tiles(texts) for texts in zip(*(texts for _, texts in columns))]
        left = [""] * len(rows)
        if values:
            rows.append(entered(values.get(name, "") for name, _ in columns))
            left.append("=")
        return Grid(
            tuple(map(tuple, rows)),
            top=tuple((name,) for name, _ in columns),
            left=tuple((text,) for text in left) if values else (),
        )

    def _columns(self, side: Sequence[Row]) -> list[tuple[str, list[str]]]:
        """The coefficients of each unknown on a side, and its numbers; 0 only where it is all."""
        columns = [(name, [str(row[n] or "") for row in side]) for n, name in enumerate(self.names)]
        numbers = [str(row[-1]) if row[-1] or not any(row) else "" for row in side]
        return [each for each in (*columns, ("", numbers)) if any(each[1])]

    def verify(self, answer: str) -> Score:
        values = self.read(answer)
        for number, row in enumerate(self.rows(), 1):
            if not holds(row, values):
                return Score(0, f"equation {number} does not hold")
        return Score(1)

    def read(self, answer: str) -> list[Fraction]:
        """The values in an answer, in the order of the unknowns."""
        values = pairs(answer, names=self.names, variables=True)
        return [rational(values[name]) for name in self.names]

    def audit(self, answer: str) -> bool:
        return tuple(self.read(answer)) == cramer(self.rows())

    def difficulty(self) -> float:
        """The multiplications of an elimination, weighted by the digits of all numbers."""
        numbers = (*sum(self.left, ()), *sum(self.right, ()), *solved(self.rows()))
        return len(self.left) ** 3 * len("".join(map(str, numbers)))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(unknowns=2, solution=5, denominator=1)

    def candidates(self) -> Iterable[str]:
        return map(self.as_text, product(range(-5, 6), repeat=2))


def _equation(rng: Random, knobs: LinearSystem.Knobs, values: list[Fraction]) -> tuple[Row, Row]:
    """The two sides of an equation that holds for the values."""
    size = knobs.coefficient
    row = [rng.randint(-size, size) for _ in values]
    total = sum((c * value for c, value in zip(row, values)), Fraction(0))
    scale = total.denominator
    whole, number = [c * scale for c in row], total.numerator
    if not knobs.sides:
        return (*whole, 0), (*(0 for _ in whole), number)
    moved = [rng.randint(-size, size) if rng.random() < 0.6 else 0 for _ in (*whole, 0)]
    left = (*(c + m for c, m in zip(whole, moved)), moved[-1])
    return left, (*moved[:-1], number + moved[-1])


def _written(side: Row) -> str:
    """One side of an equation in the usual notation."""
    return signed_sum(zip(side, (*UNKNOWNS[: len(side) - 1], "")))
