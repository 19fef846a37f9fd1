"""Derivatives by the rules of sums, products and chains: Leibniz, "Nova methodus" (1684)."""

from collections.abc import Iterable
from functools import lru_cache
from random import Random
from typing import Literal, Self

from palaestra.generators.algebra.functions import summands
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.algebra.functions import (
    Function,
    derivative,
    parsed,
    read,
    slope_matches,
    written,
)

KINDS = {
    "powers": ("power",),
    "products": ("power", "bracket power"),
    "exponentials": ("power", "bracket", "exp"),
    "waves": ("power", "bracket", "exp", "sin", "cos"),
    "all": ("power", "bracket", "bracket power", "exp", "sin", "cos"),
}
GRAMMAR = (
    "'^' is a power and has the highest precedence, '*' is a product; exp(u) is e to the power of "
    "u, and angles are in radians."
)


class SymbolicDerivative(Puzzle):
    """Differentiate sums and products of powers, exponentials, sines and cosines."""

    version = 2
    tags = {"calculus", "functions"}
    calculation = True
    answer_type = "polynomial"

    class Knobs(Puzzle.Knobs):
        terms: int = ladder(2, 2, 3, 3, 3, 3, 4, low=2, high=6)
        factors: int = ladder(1, 2, 2, 2, 3, 3, 3, low=1, high=4)
        kinds: Literal["powers", "products", "exponentials", "waves", "all"] = ladder(
            "powers", "products", "exponentials", "waves", "all"
        )
        largest: int = ladder(12, 6, 7, 9, 9, 9, 12, low=4, high=30)
        inner: int = ladder(3, 1, 1, 1, 1, 2, 3, low=1, high=4)  # highest power in an argument

    function: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        kinds = KINDS[knobs.kinds]
        sizes = knobs.largest, knobs.inner
        return cls(function=summands(rng, knobs.terms, knobs.factors, kinds, sizes))

    def is_valid(self) -> bool:
        slope = slope_of(self.function)
        return len(slope) > 1 and slope != parsed(self.function)

    def canonical(self) -> str:
        return repr(sorted(parsed(self.function).items()))

    def prompt(self) -> str:
        ask = self.phrase(
            "What is the derivative of this function with respect to x?",
            "Differentiate with respect to x:",
        )
        return (
            f"{ask}\n\n{self.function}\n\n{GRAMMAR} Write the derivative with numbers, x, the "
            "signs + - * / ^, round brackets and the functions exp, sin and cos, whose arguments "
            "are polynomials without a constant term, in any form of the same value, such as "
            "'-17*x^16*exp(21*x) + cos(19*x)'."
        )

    def answer(self) -> str:
        return written(slope_of(self.function))

    def verify(self, answer: str) -> Score:
        right = read(answer) == slope_of(self.function)
        return Score(1) if right else Score(0, "the derivative is another function")

    def audit(self, answer: str) -> bool:
        """Compare with a numerical derivative at several points."""
        return slope_matches(parsed(self.function), read(answer))

    def difficulty(self) -> float:
        return len(parsed(self.function)) + 3.0 * len(self.answer())

    def shortcuts(self) -> Iterable[str]:
        yield self.function
        yield f"d/dx ({self.function})"
        yield f"Derivative({self.function}, x)"


@lru_cache(maxsize=256)
def slope_of(function: str) -> Function:
    """The derivative of a task's function."""
    return derivative(parsed(function))
