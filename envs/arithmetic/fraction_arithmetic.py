"""Sums and products of fractions: the Rhind papyrus (about 1550 BC), Brahmagupta (628)."""

from fractions import Fraction
from functools import lru_cache
from math import gcd
from random import Random
from typing import Literal, Self

from palaestra.generators.arithmetic.postfix import Postfix, folded, infix, postfix
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import fraction

SIGNS = {"sums": ("+", "-"), "products": ("+", "-", "*"), "quotients": ("+", "-", "*", ":")}
ALL = SIGNS["quotients"]
FINEST = 10**30
"""Numerator and denominator of the result are smaller than this."""

"""A fraction in TeX."""


class FractionArithmetic(Puzzle):
    """Add, subtract, multiply and divide fractions, and give the result in lowest terms."""

    version = 2
    tags = {"calculation", "fractions", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        fractions: int = ladder(2, 2, 3, 4, 5, 7, 10, low=2, high=16)
        denominator: int = ladder(9, 15, 12, 15, 24, 40, 60, low=5, high=999)
        signs: Literal["sums", "products", "quotients"] = ladder(
            "sums", "sums", "products", "quotients"
        )
        mixed: bool = ladder(False, False, False, False, True)

    row: tuple[str, ...]
    """The expression in postfix notation, with fractions in lowest terms."""

    mixed: bool
    """Whether fractions above 1 are written as mixed numbers."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        operands = [_fraction(rng, knobs) for _ in range(knobs.fractions)]
        return cls(row=postfix(rng, operands, SIGNS[knobs.signs]), mixed=knobs.mixed)

    def is_valid(self) -> bool:
        result = value(self.row)
        return result is not None and result.denominator > 1 and 3 < _size(result) < FINEST

    def canonical(self) -> str:
        return " ".join(self.row)

    def prompt(self) -> str:
        row = tuple(_mixed(token) if self.mixed else token for token in self.row)
        ask = self.phrase("Work out exactly:", "What is the exact value of this?")
        notes = "':' means division. " if ":" in self.row else ""
        if self.mixed and any(" " in token for token in row):
            notes += "'[2 3/4]' is a mixed number: 2 and 3/4, which is 11/4. "
        return (
            f"{ask}\n\n{infix(row, ALL)}\n\nHere 'a/b' is one fraction. {notes}Give the result as "
            "a fraction in lowest terms with a positive denominator, such as '-85/91', or as a "
            "whole number if it is one."
        )

    def answer(self) -> str:
        return str(value(self.row))

    def verify(self, answer: str) -> Score:
        top, bottom = fraction(answer)
        if Fraction(top, bottom) != value(self.row):
            return Score(0, "the expression has another value")
        if bottom < 0 or gcd(top, bottom) > 1:
            return Score(0.5, "the value is right, but not in lowest terms", {"progress": 0.5})
        return Score(1)

    def difficulty(self) -> float:
        """The number of digits of all intermediate results."""
        digits = 0

        def join(sign: str, left: Fraction, right: Fraction) -> Fraction:
            nonlocal digits
            result = _join(sign, left, right)
            digits += len(str(result)) + len(str(left.denominator * right.denominator))
            return result

        folded(self.row, ALL, Fraction, join)
        return float(digits)


def _fraction(rng: Random, knobs: FractionArithmetic.Knobs) -> str:
    while True:
        below = rng.randint(2, knobs.denominator)
        number = Fraction(rng.randint(1, knobs.denominator + knobs.mixed * 3 * below), below)
        if number.denominator > 1:
            return str(number)


def _mixed(token: str) -> str:
    """A fraction above 1 as a mixed number."""
    if token in ALL or (fraction := Fraction(token)) < 1:
        return token
    return f"[{fraction // 1} {fraction % 1}]"


def _size(fraction: Fraction) -> int:
    return max(abs(fraction.numerator), fraction.denominator)


def _join(sign: str, left: Fraction, right: Fraction) -> Fraction:
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    return left * right if sign == "*" else left / right


@lru_cache(maxsize=256)
def value(row: Postfix) -> Fraction | None:
    """The value of an expression; ``None`` if it divides by zero."""
    try:
        return folded(row, ALL, Fraction, _join)
    except ZeroDivisionError:
        return None
