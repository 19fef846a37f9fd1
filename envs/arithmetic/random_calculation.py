"""Exact arithmetic with brackets and fractions, which are never rounded."""

from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Literal, Self

from palaestra.generators.arithmetic.random_calculation import expression
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.expressions import second_opinion, worked
from palaestra.verifiers.reading.numbers import rational

RULES = {
    "^": "'^' is a power and has the highest precedence, even over a leading minus: -2^2 is -4.",
    "/": "'/' is exact division, as in a fraction.",
    "//": "'a // b' is a/b rounded down, towards minus infinity: -7 // 2 is -4.",
    "mod": "'a mod b' is a - b * (a // b): -7 mod 2 is 1.",
}
"""The rule of each operation that the prompt must explain."""

SIGNS = {
    "sums": ("+", "-"),
    "products": ("+", "-", "*"),
    "quotients": ("+", "-", "*", "/"),
    "powers": ("+", "-", "*", "/", "^"),
    "remainders": ("+", "-", "*", "/", "^", "//", "mod"),
}


class RandomCalculation(Puzzle):
    """Evaluate an expression with brackets, precedence and fractions exactly."""

    tags = {"calculation", "fractions", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        numbers: int = ladder(2, 3, 4, 5, 7, 9, 12, 16, low=2, high=30)
        largest: int = ladder(30, 50, 20, 20, 30, 30, 60, 99, low=9, high=9999)
        signs: Literal["sums", "products", "quotients", "powers", "remainders"] = ladder(
            "sums", "products", "quotients", "quotients", "powers", "remainders"
        )
        minus: bool = ladder(False, False, False, True)

    expression: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        minus = 0.1 if knobs.minus else 0
        term = expression(rng, knobs.numbers, knobs.largest, SIGNS[knobs.signs], minus)
        return cls(expression=term.text)

    def is_valid(self) -> bool:
        return value(self.expression) not in (0, 1, -1)  # by far the most frequent values

    def canonical(self) -> str:
        return self.expression

    def prompt(self) -> str:
        ask = self.phrase("Work out exactly:", "What is the exact value of this expression?")
        order = "'*' and '/' take precedence over '+' and '-'"
        if any(f" {sign} " in self.expression for sign in ("//", "mod")):
            order = "'*', '/', '//' and 'mod' have equal precedence, above that of '+' and '-'"
        order += "; operations of equal precedence are evaluated from left to right."
        used = {sign for sign in RULES if f" {sign} " in self.expression}
        used |= {"//"} if "mod" in used else set()  # the rule of mod refers to //
        explained = [rule for sign, rule in RULES.items() if sign in used]
        rules = "\n".join([order, *explained])
        return (
            f"{ask}\n\n{self.expression}\n\n{rules}\n\nGive one number: a whole number such as "
            "'-1250' or, if it is not whole, a fraction such as '-1250/7' in any equal form."
        )

    def answer(self) -> str:
        return str(value(self.expression))

    def verify(self, answer: str) -> Score:
        if rational(answer) == value(self.expression):
            return Score(1)
        return Score(0, "the expression has another value")

    def audit(self, answer: str) -> bool:
        result = second_opinion(self.expression)
        return result is not None and rational(answer) == result.value

    def difficulty(self) -> float:
        result = worked(self.expression, SIGNS["remainders"])
        return sum(len(str(step)) for step in result.steps)


@lru_cache(maxsize=256)
def value(text: str) -> Fraction:
    """The value of an expression."""
    return worked(text, SIGNS["remainders"]).value
