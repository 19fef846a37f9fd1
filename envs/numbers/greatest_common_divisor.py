"""Common divisors and multiples, by Euclid's algorithm ("Elements", book VII, about 300 BC)."""

from collections.abc import Iterable
from itertools import combinations
from math import gcd, lcm, prod
from random import Random
from typing import Literal, Self

from palaestra.task import Derivation, Puzzle, Score, Step, ladder
from palaestra.verifiers.reading.numbers import integer


class GreatestCommonDivisor(Puzzle):
    """Find the greatest common divisor or the least common multiple of whole numbers."""

    tags = {"number-theory", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        count: int = ladder(2, 2, 2, 3, 3, 4, 5, low=2, high=12)
        digits: int = ladder(3, 4, 5, 5, 7, 9, 12, low=3, high=60)
        what: Literal["divisor", "multiple"] = ladder(
            "divisor", "divisor", "divisor", "divisor", "divisor", "divisor", "divisor"
        )

    numbers: tuple[int, ...]
    what: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        bound = 10**knobs.digits
        common = rng.randrange(4, max(5, bound // 12))  # no value is a good guess
        most = (bound - 1) // common
        numbers = tuple(common * rng.randint(1, most) for _ in range(knobs.count))
        return cls(numbers=numbers, what=knobs.what)

    def is_valid(self) -> bool:
        """Whether the answer is none of the numbers, and no difference of two of them."""
        numbers, value = self.numbers, self.value()
        if value in numbers or len(set(numbers)) < len(numbers):
            return False
        return value not in [abs(one - other) for one, other in combinations(numbers, 2)]

    def value(self) -> int:
        """The greatest common divisor or the least common multiple."""
        return gcd(*self.numbers) if self.what == "divisor" else lcm(*self.numbers)

    def canonical(self) -> str:
        return f"{self.what} {sorted(self.numbers)}"

    def prompt(self) -> str:
        row = ", ".join(map(str, self.numbers))
        if self.what == "multiple":
            ask = self.phrase(
                "What is the least common multiple of {row}?",
                "Which is the smallest positive whole number that each of {row} divides without a "
                "remainder?",
            )
        elif len(self.numbers) == 2 and max(self.numbers) < 1000:
            # A short prompt for the smallest models.
            return f"Greatest common divisor, such as '14': {row}"
        else:
            ask = self.phrase(
                "What is the greatest common divisor of {row}?",
                "Which is the largest whole number that divides each of {row} without a remainder?",
            )
        return f"{ask.format(row=row)} Answer with a number, such as '14'."

    def answer(self) -> str:
        return str(self.value())

    def verify(self, answer: str) -> Score:
        number = integer(answer)
        if number == self.value():
            return Score(1)
        return Score(0, self._violation(number))

    def _violation(self, number: int) -> str:
        if number < 1:
            return "the number is not positive"
        if self.what == "divisor":
            failing = [n for n in self.numbers if n % number]
            if failing:
                return f"the number does not divide {failing[0]}"
            return "there is a larger common divisor"
        failing = [n for n in self.numbers if number % n]
        if failing:
            return f"{failing[0]} does not divide the number"
        return "there is a smaller common multiple"

    def difficulty(self) -> float:
        """The number of steps of Euclid's algorithm, weighted by digits."""
        steps, divisor = 0, self.numbers[0]
        for number in self.numbers[1:]:
            rest = number
            while rest:
                divisor, rest = rest, divisor % rest
                steps += len(str(divisor))
        return float(steps)

    def derivation(self) -> Derivation:
        """Euclid's algorithm; a multiple has no steps."""
        if self.what == "multiple":
            return
        divisor = self.numbers[0]
        for number in self.numbers[1:]:
            rest = number
            while rest:
                divisor, rest = rest, (yield Step(f"{divisor} mod {rest}", divisor % rest))

    def shortcuts(self) -> Iterable[str]:
        yield from ("1", "2", "3", "6", "12")
        yield str(min(self.numbers))
        yield str(max(self.numbers))
        yield str(prod(self.numbers))
        yield str(abs(self.numbers[0] - self.numbers[1]))
