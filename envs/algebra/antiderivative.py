"""Antiderivatives by parts: Brook Taylor (1715); two antiderivatives differ by a constant."""

from collections.abc import Iterable
from random import Random
from typing import Literal, Self

from palaestra.generators.algebra.functions import summands
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.algebra.functions import (
    antiderivative,
    derivative,
    parsed,
    read,
    slope_matches,
    written,
)
from palaestra.verifiers.reading.values import plain

KINDS = {
    "powers": ("power", "bracket"),
    "exponentials": ("power", "exp"),
    "waves": ("power", "sin", "exp"),
    "all": ("power", "bracket", "exp", "sin", "cos"),
}


def without_constant(text: str) -> str:
    """The text of an antiderivative without a final "+ C".

    >>> without_constant("x^2 + C"), without_constant("x^2 - 3")
    ('x^2', 'x^2 - 3')
    """
    body = plain(text)
    front = body[:-1].rstrip()
    if body[-1:] in {"C", "c"} and front[-1:] in {"+", "-"}:
        return front[:-1].rstrip()
    return body


class Antiderivative(Puzzle):
    """Find an antiderivative of sums and products of powers, exponentials, sines and cosines."""

    version = 3
    tags = {"calculus", "functions"}
    calculation = True
    answer_type = "polynomial"

    class Knobs(Puzzle.Knobs):
        terms: int = ladder(2, 1, 2, 3, 2, 2, 3, low=1, high=5)
        factors: int = ladder(1, 2, 2, 2, 3, 4, 4, low=1, high=5)
        kinds: Literal["powers", "exponentials", "waves", "all"] = ladder(
            "powers", "exponentials", "exponentials", "waves", "waves", "all"
        )
        largest: int = ladder(12, 9, 9, 9, 9, 9, 12, low=4, high=30)

    function: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        kinds = KINDS[knobs.kinds]
        return cls(function=summands(rng, knobs.terms, knobs.factors, kinds, (knobs.largest, 1)))

    def is_valid(self) -> bool:
        return any(key.power or key.angle for key in parsed(self.function))

    def canonical(self) -> str:
        return repr(sorted(parsed(self.function).items()))

    def prompt(self) -> str:
        ask = self.phrase(
            "Find a function of x whose derivative is",
            "Give an antiderivative with respect to x of",
        )
        return (
            f"{ask}\n\n{self.function}\n\n'^' is a power and has the highest precedence, '*' is a "
            "product; exp(u) is e to the power of u, and angles are in radians. Any antiderivative "
            "is correct; it may end with a constant, which is a number or C. Write it with "
            "numbers, x, the signs + - * / ^, round brackets and the functions exp, sin and cos, "
            "whose arguments are polynomials without a constant term, in any form of the same "
            "value, such as '-2/17*x^16*exp(21*x) + cos(19*x)'."
        )

    def answer(self) -> str:
        return written(antiderivative(parsed(self.function)))

    def verify(self, answer: str) -> Score:
        right = derivative(read(without_constant(answer))) == parsed(self.function)
        return Score(1) if right else Score(0, "the derivative of the answer is another function")

    def audit(self, answer: str) -> bool:
        """Compare the slope numerically at several points."""
        return slope_matches(read(without_constant(answer)), parsed(self.function))

    def difficulty(self) -> float:
        return float(len(self.answer()))

    def shortcuts(self) -> Iterable[str]:
        yield self.function
        yield f"Integral({self.function}, x)"
        yield f"int({self.function})"
        yield f"x*({self.function})"
