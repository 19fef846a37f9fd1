"""Complex numbers: Bombelli, "L'Algebra" (1572); Gaussian integers (1832)."""

from functools import lru_cache
from random import Random
from typing import Literal, Self

from palaestra.generators.arithmetic.postfix import Postfix, folded, infix, postfix
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.gaussian import Gaussian, gaussian, joined, written

SIGNS = {"sums": ("+", "-"), "products": ("+", "-", "*"), "quotients": ("+", "-", "*", "/")}
ALL = SIGNS["quotients"]
PARTS = ("real", "imaginary")


class ComplexArithmetic(Puzzle):
    """Work out expressions of complex numbers exactly, in the form a + bi with fractions."""

    version = 2
    tags = {"calculation", "complex-numbers", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        numbers: int = ladder(2, 2, 3, 4, 5, 6, 8, low=2, high=12)
        largest: int = ladder(9, 9, 9, 9, 12, 15, 20, low=4, high=99)
        signs: Literal["sums", "products", "quotients"] = ladder(
            "sums", "products", "products", "quotients"
        )

    row: tuple[str, ...]
    """The expression in postfix notation."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        numbers = [_number(rng, knobs.largest) for _ in range(knobs.numbers)]
        return cls(row=postfix(rng, numbers, SIGNS[knobs.signs]))

    def is_valid(self) -> bool:
        """Whether both parts of the value differ from 0, and one of them is larger than 2."""
        result = value(self.row)
        return result is not None and all(result) and max(map(abs, result)) > 2

    def canonical(self) -> str:
        return " ".join(self.row)

    def prompt(self) -> str:
        row = tuple(token if token in ALL else f"({token})" for token in self.row)
        ask = self.phrase("Work out exactly, with i^2 = -1:", "Let i^2 = -1. What is the value of")
        return (
            f"{ask}\n\n{infix(row, ALL)}\n\nGive the result as a number of the form a + bi with "
            "exact whole numbers or fractions a and b, such as '-31 + 45i' or '17/23 - 30/23i' "
            "(where 30/23i is 30/23 times i)."
        )

    def answer(self) -> str:
        result = value(self.row)
        return written(result) if result else ""

    def verify(self, answer: str) -> Score:
        number, right = gaussian(answer), value(self.row)
        if number == right:
            return Score(1)
        wrong = [name for name, one, other in zip(PARTS, number, right or ()) if one != other]
        return Score(0, f"wrong: the {wrong[0]} part")

    def audit(self, answer: str) -> bool:
        """Compare with the value in floating point."""

        def join(sign: str, left: complex, right: complex) -> complex:
            return {
                "+": left + right,
                "-": left - right,
                "*": left * right,
                "/": left / (right or 1),
            }[sign]

        result = folded(self.row, ALL, _floating, join)
        return abs(result - _floating(answer)) < 1e-9 * max(1, abs(result))

    def difficulty(self) -> float:
        products = sum(token in "*/" for token in self.row if token in ALL)
        return len(self.row) + 4 * products * len(self.row)


def _number(rng: Random, largest: int) -> str:
    real = rng.randint(-largest, largest)
    size = rng.randint(1, largest)
    imaginary = "i" if size == 1 else f"{size}i"
    sign = rng.choice("+-")
    return f"{real} {sign} {imaginary}" if real else f"{'-' * (sign == '-')}{imaginary}"


def _floating(text: str) -> complex:
    real, imaginary = gaussian(text)
    return complex(real, imaginary)


@lru_cache(maxsize=256)
def value(row: Postfix) -> Gaussian | None:
    """The value of an expression; ``None`` if it divides by zero."""
    try:
        return folded(row, ALL, gaussian, joined)
    except ZeroDivisionError:
        return None
