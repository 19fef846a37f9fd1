"""Linear congruences and inverses: Euclid's algorithm, Aryabhata's "pulveriser", Gauss (1801)."""

from collections.abc import Iterable
from math import comb, gcd
from random import Random
from typing import Literal, Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import joined


class ModularInverse(Puzzle):
    """Find inverses modulo a number and, at higher levels, all solutions of linear congruences."""

    version = 4
    tags = {"congruences", "euclid"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        digits: int = ladder(3, 2, 3, 4, 5, 7, 9, 12, low=2, high=40)
        solutions: int = ladder(1, 1, 1, 1, 2, 4, 6, 8, high=12)
        inverse: bool = ladder(True, True, True, True, False)
        factor: Literal["small", "any"] = ladder("small", "any")  # a small one is 2 or 3

    factor: int
    right: int
    modulus: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        # The greatest common divisor of factor and modulus is the number of solutions.
        shared = 1 if knobs.inverse else rng.randint(min(2, knobs.solutions), knobs.solutions)
        low = max(3, 10 ** (knobs.digits - 1) * 4 // shared)
        modulus, factor = low, low
        while gcd(factor, modulus) > 1:
            modulus = rng.randrange(low, 4 * low)
            factor = rng.randrange(2, 4 if knobs.factor == "small" else modulus)
        right = 1 if knobs.inverse else rng.randrange(1, modulus)
        return cls(factor=factor * shared, right=right * shared, modulus=modulus * shared)

    def is_valid(self) -> bool:
        # Neither a small number nor the factor itself is a solution, as a guess would try these.
        guesses = (*range(10), self.factor)
        return all((self.factor * x - self.right) % self.modulus for x in guesses)

    def canonical(self) -> str:
        return f"{self.factor} {self.right} {self.modulus}"

    def prompt(self) -> str:
        if self.right == 1:
            ask = self.phrase(
                f"Find the inverse of {self.factor} modulo {self.modulus}: the whole number x",
                f"What is the multiplicative inverse of {self.factor} modulo {self.modulus}? It "
                "is the one whole number x",
            )
            return (
                f"{ask} from 0 to {self.modulus - 1} for which {self.factor} * x leaves the "
                f"remainder 1 when divided by {self.modulus}. Give x alone, such as '17'."
            )
        ask = self.phrase("Find all whole numbers x", "Which whole numbers x are there")
        return (
            f"{ask} from 0 to {self.modulus - 1} for which {self.factor} * x - {self.right} is "
            f"divisible by {self.modulus}{self.phrase('.', '?')} There is at least one. List "
            "each of them once, in any order, separated by commas, such as '17, 58, 99'."
        )

    def answer(self) -> str:
        """All solutions, from one of the reduced congruence by Euclid's algorithm."""
        shared = gcd(self.factor, self.modulus)
        modulus = self.modulus // shared
        first = self.right // shared * _inverse(self.factor // shared, modulus) % modulus
        return joined([first + n * modulus for n in range(shared)])

    def verify(self, answer: str) -> Score:
        numbers = integers(answer)
        if len(numbers) != len(set(numbers)):
            return Score(0, "a number is listed twice")
        for x in numbers:
            if not 0 <= x < self.modulus:
                return Score(0, f"{str(x)[:40]} is not from 0 to {self.modulus - 1}")
            if (self.factor * x - self.right) % self.modulus:
                return Score(0, f"{x} is not a solution")
        complete = len(numbers) == gcd(self.factor, self.modulus)
        return Score(1) if complete else Score(0, "a solution is missing")

    def audit(self, answer: str) -> bool | None:
        if self.modulus > 10**6:
            return sorted(integers(answer)) == integers(self.answer())
        numbers = range(self.modulus)
        right = {x for x in numbers if self.factor * x % self.modulus == self.right % self.modulus}
        return sorted(integers(answer)) == sorted(right)

    def difficulty(self) -> float:
        """The number of divisions of Euclid's algorithm and of solutions to list."""
        a, b, steps = self.modulus, self.factor, 0
        while b:
            a, b, steps = b, a % b, steps + 1
        return steps + a

    def random_baseline(self) -> float:
        return 1 / comb(self.modulus, gcd(self.factor, self.modulus))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(digits=2, inverse=True)

    def candidates(self) -> Iterable[str]:
        return map(str, range(self.modulus))


def _inverse(number: int, modulus: int) -> int:
    """The inverse of a number that is coprime to the modulus.

    >>> _inverse(3, 7)
    5
    """
    rest, following = modulus, number % modulus
    coefficient, next_coefficient = 0, 1
    while following:
        quotient = rest // following
        rest, following = following, rest - quotient * following
        coefficient, next_coefficient = next_coefficient, coefficient - quotient * next_coefficient
    return coefficient % modulus
