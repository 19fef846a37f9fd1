"""Continued fractions: Bombelli (1572), Euler (1737); of square roots, Lagrange (1770)."""

from fractions import Fraction
from math import isqrt
from random import Random
from typing import Literal, Self

from palaestra.generators.numbers.continued_fractions import (
    best,
    convergent,
    expansion,
    root_expansion,
    valued,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import integers, rational
from palaestra.verifiers.reading.rows import compared
from palaestra.verifiers.reading.values import joined

About = Literal["expand", "value", "root", "convergent", "best"]


CONTINUED = "continued fraction a0 + 1/(a1 + 1/(a2 + 1/(a3 + ...)))"

PHRASES: dict[About, tuple[str, str]] = {
    "expand": ("Write", "Expand"),
    "value": ("What is the value of", "Which fraction is equal to"),
    "root": ("Expand", "Write"),
    "convergent": ("is expanded", "is written"),
    "best": ("Which fraction", "Of all fractions, which"),
}
PROMPTS: dict[About, str] = {
    "expand": "{ask} {0}/{1} as a {continued}, which ends after finitely many terms: a0 is a whole "
    "number, all others are positive whole numbers, and the last one is larger than 1. Answer with "
    "the terms in order, such as '4, 1, 16, 3, 8'.",
    "value": "{ask} the {continued}, whose terms a0, a1, ... to the last one are {terms}? Answer "
    "with a fraction, such as '355/113'.",
    "root": "{ask} the square root of {0} as a {continued}, where a0 is a whole number and all "
    "others are positive whole numbers. Answer with the terms from a0 to a{1} in order, such as "
    "'4, 1, 16, 3'.",
    "convergent": "The square root of {0} {ask} as a {continued}, where a0 is a whole number and "
    "all others are positive whole numbers. What is the value of its part that ends with a{1}, "
    "without all further terms? Answer with a fraction, such as '355/113'.",
    "best": "{ask} with a positive denominator of at most {2} is closest to {0}/{1}? It is "
    "unique. Answer with that fraction, such as '355/113'.",
}


class ContinuedFractions(Puzzle):
    """Expand numbers into continued fractions, evaluate them, and find best approximations."""

    tags = {"fractions", "euclid", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        about: About = ladder("expand", "value", "expand", "root", "convergent", "best", "best")
        size: int = ladder(3, 4, 7, 6, 8, 8, 13, low=3, high=16)  # the length of the expansion

    about: About
    numbers: tuple[int, ...]
    """The numbers of the question: numerator and denominator, followed by the largest denominator
    for 'best'; the terms for 'value'; or a radicand and the index of the last term.
    """

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        if knobs.about in ("root", "convergent"):
            return cls(about=knobs.about, numbers=(rng.randint(1_000, 20_000), size - 1))
        terms = [rng.choice((1, 1, 2, 2, 3, 4, 5, 7, 9, 12)) for _ in range(size)]
        terms[-1] += terms[-1] == 1
        if knobs.about == "value":
            return cls(about="value", numbers=tuple(terms))
        fraction = valued(terms)
        if knobs.about == "expand":
            return cls(about="expand", numbers=fraction.as_integer_ratio())
        most = rng.randint(fraction.denominator // 9 + 2, max(3, fraction.denominator // 3))
        return cls(about="best", numbers=(*fraction.as_integer_ratio(), most))

    def is_valid(self) -> bool:
        if self.about in ("root", "convergent"):
            return isqrt(self.numbers[0]) ** 2 < self.numbers[0]
        if self.about == "best":
            # The closest fraction has not the largest denominator, and no other is equally close.
            fraction, near = Fraction(*self.numbers[:2]), best(*self.numbers)
            mirrored = 2 * fraction - near
            below = near.denominator < self.numbers[2] < mirrored.denominator
            return fraction.denominator > 50 and below
        return self.about == "value" or self.numbers[1] > 6

    def prompt(self) -> str:
        ask = self.phrase(*PHRASES[self.about])
        terms = joined(self.numbers)
        return PROMPTS[self.about].format(*self.numbers, ask=ask, continued=CONTINUED, terms=terms)

    def answer(self) -> str:
        match self.about:
            case "expand":
                return joined(expansion(*self.numbers))
            case "root":
                return joined(root_expansion(*self.numbers))
            case "value":
                return str(valued(self.numbers))
            case "convergent":
                return str(convergent(*self.numbers))
        return str(best(*self.numbers))

    def verify(self, answer: str) -> Score:
        if self.about in ("expand", "root"):
            return compared(integers(answer), integers(self.answer()), "term")
        right = rational(answer) == Fraction(self.answer())
        return Score(1) if right else Score(0, "the fraction has another value")

    def audit(self, answer: str) -> bool | None:
        if self.about != "best" or self.numbers[2] > 20_000:
            return None
        a, b, most = self.numbers
        near = (Fraction(round(Fraction(a * q, b)), q) for q in range(1, most + 1))
        return rational(answer) == min(near, key=lambda other: abs(other - Fraction(a, b)))

    def difficulty(self) -> float:
        weight = {"expand": 1.0, "value": 1.5, "root": 4.0, "convergent": 5.0, "best": 8.0}
        match self.about:
            case "value":
                terms = len(self.numbers)
            case "convergent" | "root":
                terms = self.numbers[1]
            case _:
                terms = len(expansion(*self.numbers[:2]))
        return weight[self.about] * terms
