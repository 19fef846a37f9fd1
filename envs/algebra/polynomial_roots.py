"""Roots of polynomials: the rational root theorem and division by linear factors (Ruffini)."""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import gcd
from random import Random
from typing import Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.algebra.polynomials import (
    Polynomial,
    divisors,
    multiplicity,
    product,
    rational_roots,
    written,
)
from palaestra.verifiers.reading.numbers import rationals
from palaestra.verifiers.reading.values import joined


class PolynomialRoots(Puzzle):
    """Find all rational roots of an expanded polynomial with their multiplicities."""

    version = 2
    tags = {"polynomials", "factoring"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        roots: int = ladder(2, 2, 3, 3, 4, 5, 6, low=1, high=8)
        largest: int = ladder(15, 24, 12, 20, 12, 12, 15, low=5, high=30)
        denominator: int = ladder(1, 3, 1, 5, 5, 5, 6, high=9)
        repeated: float = ladder(0.0, 0.0, 0.3, 0.2, 0.3, low=0, high=1)
        quadratics: int = ladder(0, 0, 0, 0, 0, 1, 2, high=3)  # factors without a rational root

    coefficients: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        linear: list[tuple[int, ...]] = []
        for _ in range(knobs.roots):
            if linear and rng.random() < knobs.repeated:
                linear.append(rng.choice(linear))
            else:
                linear.append(_linear(rng, knobs))
        others = [_irreducible(rng) for _ in range(knobs.quadratics)]
        return cls(coefficients=product([*linear, *others]))

    def is_valid(self) -> bool:
        return self.coefficients[-2:] != (0, 0)  # a multiple root 0 is obvious

    def canonical(self) -> str:
        return joined(self.coefficients)

    def prompt(self) -> str:
        ask = self.phrase(
            "Find all rational roots of this equation, with their multiplicities:",
            "Which rational numbers solve this equation, and with which multiplicity is each of "
            "them a root?",
        )
        return (
            f"{ask}\n\n{written(self.coefficients)} = 0\n\nLeave out roots that are not rational. "
            "List the rational roots in any order, separated by commas, each as often as its "
            "multiplicity. Write whole numbers or fractions, such as '-14, 23/7, 23/7' for the "
            "root -14 and the double root 23/7."
        )

    def answer(self) -> str:
        return joined(sorted(roots(self.coefficients).elements()))

    def verify(self, answer: str) -> Score:
        counts = Counter(rationals(answer, most=100))
        for root, times in counts.items():
            order = multiplicity(self.coefficients, root)
            if order == 0:
                return Score(0, f"{str(root)[:40]} is not a root")
            if order != times:
                return Score(0, f"{root} has another multiplicity")
        if len(counts) < len(roots(self.coefficients)):
            return Score(0, "a rational root is missing")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Divide by the claimed linear factors, and try all possible roots of the quotient."""
        values = rationals(answer, most=100)
        quotient = [Fraction(c) for c in self.coefficients]
        for root in values:
            for n in range(1, len(quotient)):
                quotient[n] += root * quotient[n - 1]
            if quotient.pop():
                return False
        # The bounds of the knobs: no sampled root is outside of these.
        possible = (Fraction(p, q) for q in range(1, 10) for p in range(-30, 31))
        return not any(_at(quotient, x) == 0 for x in possible)

    def difficulty(self) -> float:
        """How many fractions the rational root theorem allows, times the degree."""
        first, *_, last = [n for n in self.coefficients if n]
        possible = 2 * len(divisors(first)) * len(divisors(last))
        return possible * (len(self.coefficients) - 1)


def _linear(rng: Random, knobs: PolynomialRoots.Knobs) -> tuple[int, int]:
    p, q = rng.randint(-knobs.largest, knobs.largest), rng.randint(1, knobs.denominator)
    shared = gcd(p, q)
    return q // shared, -p // shared


def _irreducible(rng: Random) -> Polynomial:
    while True:
        quadratic = rng.randint(1, 3), rng.randint(-5, 5), rng.choice((-7, -5, -3, -2, 2, 3, 5, 7))
        if gcd(*quadratic) == 1 and not rational_roots(quadratic):
            return quadratic


def _at(polynomial: list[Fraction], x: Fraction) -> Fraction:
    value = Fraction(0)
    for coefficient in polynomial:
        value = value * x + coefficient
    return value


@lru_cache(maxsize=256)
def roots(polynomial: Polynomial) -> Counter[Fraction]:
    """All rational roots of a polynomial."""
    return rational_roots(polynomial)
