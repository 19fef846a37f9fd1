"""Products of polynomials: al-Karaji (about 1010)."""

from collections.abc import Iterable
from math import prod
from random import Random
from typing import Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.algebra.monomials import expanded
from palaestra.verifiers.algebra.polynomials import Polynomial, product, written


class PolynomialMultiplication(Puzzle):
    """Expand a product of polynomials and collect the powers of the unknown."""

    version = 2
    tags = {"polynomials", "calculation", "unique-solution"}
    calculation = True
    answer_type = "polynomial"

    class Knobs(Puzzle.Knobs):
        factors: int = ladder(2, 2, 2, 3, 3, 4, 5, low=2, high=6)
        degree: int = ladder(1, 2, 3, 2, 3, 4, 5, low=1, high=10)
        coefficient: int = ladder(9, 9, 9, 9, 12, 20, 60, low=5, high=999)

    factors: tuple[Polynomial, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        return cls(factors=tuple(_factor(rng, knobs) for _ in range(knobs.factors)))

    def canonical(self) -> str:
        return repr(sorted(self.factors))

    def prompt(self) -> str:
        ask = self.phrase("Multiply out and collect terms:", "Expand this product:")
        row = "".join(f"({written(factor)})" for factor in self.factors)
        return (
            f"{ask}\n\n{row}\n\nGive a sum of powers of x without brackets, each power in at most "
            "one term, such as '-7x^9 + x^2 - 63'."
        )

    def answer(self) -> str:
        return written(product(self.factors))

    def verify(self, answer: str) -> Score:
        coefficients, right = expanded(answer), product(self.factors)
        top = len(right) - 1
        if max(coefficients, default=0) != top:
            return Score(0, "the degree is not that of the product")
        for power, coefficient in zip(range(top, -1, -1), right):
            if coefficients.get(power, 0) != coefficient:
                return Score(0, f"the coefficient of x^{power} is wrong")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Compare at more points than the degree of either polynomial."""
        coefficients = expanded(answer)
        top = sum(len(factor) - 1 for factor in self.factors)
        return all(
            sum(c * x**n for n, c in coefficients.items()) == prod(_at(f, x) for f in self.factors)
            for x in range(max(top, *coefficients) + 1)
        )

    def difficulty(self) -> float:
        """The number of products of coefficients, weighted by digits."""
        digits, length, steps = len(str(self.factors)), 1, 0
        for factor in self.factors:
            steps += length * len(factor)
            length += len(factor) - 1
        return steps * digits

    def shortcuts(self) -> Iterable[str]:
        yield "".join(f"({written(factor)})" for factor in self.factors)
        tops = prod(factor[0] for factor in self.factors)
        power = sum(len(factor) - 1 for factor in self.factors)
        yield f"{tops}x^{power} + {prod(factor[-1] for factor in self.factors)}"


def _factor(rng: Random, knobs: PolynomialMultiplication.Knobs) -> Polynomial:
    size = knobs.coefficient
    signed = [n for n in range(-size, size + 1) if n]
    middle = (rng.randint(-size, size) for _ in range(knobs.degree - 1))
    return rng.randint(1, size), *middle, rng.choice(signed)


def _at(polynomial: Polynomial, x: int) -> int:
    value = 0
    for coefficient in polynomial:
        value = value * x + coefficient
    return value
