"""Partial fractions: Johann Bernoulli and Leibniz (1702)."""

from operator import mul
from random import Random
from typing import Self

from palaestra.generators.algebra.partial_fractions import (
    Factor,
    cofactors,
    constants_of,
    size_of,
    split_at,
    value_at,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.algebra.named_fractions import compared
from palaestra.verifiers.algebra.polynomials import written
from palaestra.verifiers.reading.numbers import rationals
from palaestra.verifiers.reading.values import joined


class PartialFractions(Puzzle):
    """Decompose a rational function into partial fractions with exact constants."""

    version = 2
    tags = {"polynomials", "fractions", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        linear: int = ladder(2, 2, 3, 2, 3, 3, 4, low=2, high=5)
        repeated: int = ladder(0, 0, 0, 1, 1, 1, 2, high=3)  # repetitions of linear factors
        quadratics: int = ladder(0, 0, 0, 0, 0, 1, 1, high=2)
        largest: int = ladder(6, 9, 6, 7, 6, 6, 7, low=5, high=12)
        whole: bool = ladder(True, False, True, False)  # whether the constants are

    factors: tuple[Factor, ...]
    numerator: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        pool = [n for n in range(-knobs.largest, knobs.largest + 1) if n]
        powers = [1] * knobs.linear
        for _ in range(knobs.repeated):
            powers[rng.randrange(knobs.linear)] += 1
        roots = rng.sample(pool, knobs.linear)
        factors: list[Factor] = [((1, -root), power) for root, power in zip(roots, powers)]
        while len(factors) < knobs.linear + knobs.quadratics:
            b, c = rng.randint(-4, 4), rng.randint(1, 9)
            if b * b < 4 * c and ((1, b, c), 1) not in factors:
                factors.append(((1, b, c), 1))
        if knobs.whole:
            constants = [rng.choice(pool) for _ in range(sum(map(size_of, factors)))]
            columns = zip(*cofactors(tuple(factors)))
            numerator = [sum(map(mul, row, constants)) for row in columns]
        else:
            degree = sum(map(size_of, factors))
            numerator = [rng.randint(-knobs.largest, knobs.largest) for _ in range(degree)]
        while len(numerator) > 1 and not numerator[0]:
            numerator.pop(0)
        return cls(factors=tuple(factors), numerator=tuple(numerator))

    def is_valid(self) -> bool:
        constants = constants_of(self.factors, self.numerator)
        enough = any(self.numerator) and all(constants) and len(set(constants)) > 1
        return enough and max(value.denominator for value in constants) < 10 ** max(
            6, len(constants)
        )

    def canonical(self) -> str:
        return f"{sorted(self.factors)} {self.numerator}"

    def prompt(self) -> str:
        below = "".join(_powered(factor) for factor in self.factors)
        ask = self.phrase(
            "Decompose this function into partial fractions:",
            "Find the partial fraction decomposition of this function:",
        )
        names = iter("ABCDEFGHIJKLM")
        parts = []
        for polynomial, power in self.factors:
            for n in range(1, power + 1):
                top = next(names) if len(polynomial) == 2 else f"({next(names)}*x + {next(names)})"
                parts.append(f"{top}/{_powered((polynomial, n))}")
        number = sum(map(size_of, self.factors))
        above = written(self.numerator)
        if sum(map(bool, self.numerator)) > 1:
            above = f"({above})"
        return (
            f"{ask}\n\n{above} / [{below}]\n\nIt equals {' + '.join(parts)} "
            f"with {number} constants. Answer with {joined('ABCDEFGHIJKLM'[:number])} in this "
            "order, as whole numbers or fractions, such as "
            f"'{joined(['-17', '31/4', *['23'] * 11][:number])}'."
        )

    def answer(self) -> str:
        return joined(constants_of(self.factors, self.numerator))

    def verify(self, answer: str) -> Score:
        return compared(answer, "ABCDEFGHIJKLM", constants_of(self.factors, self.numerator))

    def audit(self, answer: str) -> bool:
        """Compare both sides at more points than their degree."""
        values = rationals(answer, names="ABCDEFGHIJKLM"[: sum(map(size_of, self.factors))])
        points = range(20, 21 + len(values))
        return all(split_at(self.factors, values, x) == value_at(self.numerator, x) for x in points)

    def difficulty(self) -> float:
        number = sum(map(size_of, self.factors))
        return float(number**2 + len(self.answer()))


def _powered(factor: Factor) -> str:
    polynomial, power = factor
    return f"({written(polynomial)})" + (f"^{power}" if power > 1 else "")
