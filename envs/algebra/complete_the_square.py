"""Completing the square: al-Khwarizmi (c. 820); in several variables, Lagrange (1759)."""

from fractions import Fraction
from random import Random
from typing import Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.algebra.named_fractions import compared
from palaestra.verifiers.reading.values import joined
from palaestra.verifiers.sums import signed_sum

NAMES = "xyzw"
Form = tuple[tuple[int, ...], ...]
"""Twice a quadratic polynomial, as a symmetric matrix; the last row belongs to the constant 1."""


class CompleteTheSquare(Puzzle):
    """Write a quadratic polynomial in one or more variables as a sum of multiples of squares."""

    tags = {"polynomials", "fractions", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        variables: int = ladder(1, 1, 2, 2, 3, 3, 4, high=4)
        largest: int = ladder(9, 15, 5, 9, 4, 9, 6, low=3, high=20)
        leading: int = ladder(1, 7, 1, 5, 2, 5, 4, high=9)  # the largest factor of a square
        halves: bool = ladder(False, True, False, True)  # whether there are fractions

    form: Form

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Draw the squares, add them up and scale the sum until its coefficients are whole."""
        size = knobs.variables + 1

        def number() -> Fraction:
            below = rng.choice((1, 2, 3)) if knobs.halves else 1
            return Fraction(rng.randint(-knobs.largest, knobs.largest), below)

        total = [[Fraction(0)] * size for _ in range(size)]
        total[-1][-1] = 2 * number()
        for n in range(knobs.variables):
            factor = rng.choice((1, -1)) * rng.randint(1, knobs.leading)
            row = [Fraction(0)] * n + [Fraction(1)] + [number() for _ in range(size - n - 1)]
            for i in range(size):
                for j in range(size):
                    total[i][j] += 2 * factor * row[i] * row[j]
        below = 1
        while any((below * total[i][j]).denominator > 1 for i in range(size) for j in range(i)) or (
            any((below * total[i][i] / 2).denominator > 1 for i in range(size))
        ):
            below += 1
        return cls(form=tuple(tuple(int(below * value) for value in row) for row in total))

    def is_valid(self) -> bool:
        return sum(value == 0 for value in self.values()) <= len(self.form) // 3

    def values(self) -> list[Fraction]:
        """The numbers to find, variable by variable, by Lagrange's method."""
        left = [[Fraction(value) for value in row] for row in self.form]
        fractions: list[Fraction] = []
        size = len(left)
        for n in range(size - 1):
            factor = left[n][n] / 2
            row = [left[n][j] / left[n][n] for j in range(n + 1, size)]
            fractions += [factor, *row]
            for i in range(n + 1, size):
                for j in range(n + 1, size):
                    left[i][j] -= 2 * factor * row[i - n - 1] * row[j - n - 1]
        return [*fractions, left[-1][-1] / 2]

    def polynomial(self) -> str:
        """The polynomial in the usual notation."""
        names = [*NAMES[: len(self.form) - 1], ""]
        terms = []
        for i, one in enumerate(names):
            terms.append((self.form[i][i] // 2, one and f"{one}^2"))
            for j, other in enumerate(names[i + 1 :], i + 1):
                terms.append((self.form[i][j], f"{one}*{other}".strip("*")))
        return signed_sum(terms, times="*")

    def pattern(self) -> tuple[str, int]:
        """The sum of squares with letters for its numbers, and how many letters there are."""
        names = NAMES[: len(self.form) - 1]
        letters = iter("abcdefghijklmnopq")
        parts, number = [], 1
        for n, name in enumerate(names):
            factor = next(letters)
            inner = [name, *(f"{next(letters)}*{other}" for other in names[n + 1 :]), next(letters)]
            parts.append(f"{factor}*({' + '.join(inner)})^2")
            number += len(inner)
        return " + ".join([*parts, next(letters)]), number

    def prompt(self) -> str:
        pattern, number = self.pattern()
        ask = self.phrase("Complete the square in", "Write as a sum of multiples of squares:")
        return (
            f"{ask}\n\n{self.polynomial()}\n\nIt equals {pattern} for some numbers, which may be "
            f"negative, fractions or 0. Answer with {joined('abcdefghijklmnopq'[:number])} in this "
            "order, as whole numbers or fractions, such as "
            f"'{joined(['2', '-31/7', '17', *['5'] * 14][:number])}'."
        )

    def answer(self) -> str:
        return joined(self.values())

    def verify(self, answer: str) -> Score:
        return compared(answer, "abcdefghijklmnopq", self.values())

    def difficulty(self) -> float:
        return float((len(self.form) - 1) ** 3 * 10 + len(self.answer()))
