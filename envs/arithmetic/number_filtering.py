"""Sieves, which select numbers by divisors and digits, after Eratosthenes (about 240 BC)."""

from collections.abc import Callable, Iterable
from itertools import combinations
from math import isqrt
from random import Random
from typing import Literal, Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import joined

Condition = tuple[str, int, int]
"""A key of ``MEANINGS`` and two parameters."""


def prime(number: int) -> bool:
    """Whether a number is prime, by trial division.

    >>> [n for n in range(20) if prime(n)]
    [2, 3, 5, 7, 11, 13, 17, 19]
    """
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))


def _digits(number: int) -> list[int]:
    return [int(digit) for digit in str(number)]


MEANINGS: dict[str, tuple[str, Callable[[int, int, int], bool]]] = {
    "multiple": ("it is divisible by {0}", lambda n, a, b: n % a == 0),
    "no multiple": ("it is not divisible by {0}", lambda n, a, b: n % a != 0),
    "more": ("it is greater than {1}", lambda n, a, b: n > b),
    "less": ("it is less than {1}", lambda n, a, b: n < b),
    "has": ("the digit {0} occurs in it", lambda n, a, b: str(a) in str(n)),
    "lacks": ("the digit {0} does not occur in it", lambda n, a, b: str(a) not in str(n)),
    "odd sum": ("the sum of its digits is odd", lambda n, a, b: sum(_digits(n)) % 2 == 1),
    "even sum": ("the sum of its digits is even", lambda n, a, b: sum(_digits(n)) % 2 == 0),
    "repeats": (
        "some digit occurs in it more than once",
        lambda n, a, b: len(set(str(n))) < len(str(n)),
    ),
    "rises": (
        "its last digit is greater than its first one",
        lambda n, a, b: _digits(n)[0] < _digits(n)[-1],
    ),
    "even digits": (
        "more of its digits are even than odd (0 is even)",
        lambda n, a, b: sum(1 - digit % 2 * 2 for digit in _digits(n)) > 0,
    ),
    "remainder": (
        "it leaves a remainder of less than 2 when divided by {0}",
        lambda n, a, b: n % a < 2,
    ),
    "prime": ("it is a prime number", lambda n, a, b: prime(n)),
    "composite": ("it is not a prime number", lambda n, a, b: not prime(n)),
}
OPPOSITES = ({"odd sum", "even sum"}, {"prime", "composite"})


class NumberFiltering(Puzzle):
    """Pick the numbers of a list that satisfy several conditions, or an exact number of them."""

    tags = {"number-theory", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        numbers: int = ladder(8, 10, 12, 16, 20, 28, 40, low=8, high=100)
        digits: int = ladder(2, 2, 3, 3, 4, 4, 5, low=2, high=6)
        conditions: int = ladder(1, 2, 2, 3, 3, 4, 5, low=1, high=6)
        need: Literal["all", "exactly"] = ladder("all", "all", "all", "all", "exactly")

    numbers: tuple[int, ...]
    conditions: tuple[Condition, ...]
    need: int
    """How many of the conditions hold for a number that is to be listed, exactly."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        low, high = 10 ** (knobs.digits - 1), 10**knobs.digits
        kinds = rng.sample(list(MEANINGS), knobs.conditions)
        conditions = tuple((k, rng.randint(3, 9), rng.randrange(2 * low, 7 * low)) for k in kinds)
        exactly = knobs.need == "exactly" and knobs.conditions > 1
        need = rng.randrange(1, knobs.conditions) if exactly else knobs.conditions
        right_ones = rng.randint(knobs.numbers // 4, knobs.numbers * 3 // 5)
        open_slots = {True: right_ones, False: knobs.numbers - right_ones}
        numbers: list[int] = []
        pool = rng.sample(range(low, high), min(high - low, 12 * knobs.numbers))
        for number in pool:  # if few numbers satisfy the conditions, the list is shorter
            right = _held(number, conditions) == need
            if open_slots[right]:
                open_slots[right] -= 1
                numbers.append(number)
            if len(numbers) == knobs.numbers:
                break
        rng.shuffle(numbers)
        return cls(numbers=tuple(numbers), conditions=conditions, need=need)

    def is_valid(self) -> bool:
        kinds = {condition for condition, _, _ in self.conditions}
        if any(pair <= kinds for pair in OPPOSITES) or len(self.numbers) < 8:
            return False
        kept = self.kept()
        # Neither a single condition nor all but one of them select the same numbers.
        each = [(condition,) for condition in self.conditions] * (len(self.conditions) > 1)
        fewer = [tuple(c for c in self.conditions if c != omitted) for omitted in self.conditions]
        others = [[n for n in self.numbers if _held(n, some) == len(some)] for some in each]
        others += [[n for n in self.numbers if _held(n, some) == self.need] for some in fewer]
        return 2 <= len(kept) <= len(self.numbers) - 3 and kept not in others

    def kept(self) -> list[int]:
        """The numbers that satisfy the conditions, in their order."""
        return [n for n in self.numbers if _held(n, self.conditions) == self.need]

    def canonical(self) -> str:
        return f"{self.need} {sorted(self.numbers)} {sorted(self.conditions)}"

    def prompt(self) -> str:
        lines = "\n".join(f"- {MEANINGS[name][0].format(a, b)}" for name, a, b in self.conditions)
        if self.need < len(self.conditions):
            which = f"exactly {self.need} of these {len(self.conditions)} conditions hold"
            which = which.replace("hold", "holds") if self.need == 1 else which
        elif self.need > 1:
            which = "all of these conditions hold"
        else:
            which = "this holds"
        ask = self.phrase("Which of these numbers are such that", "Pick all numbers for which")
        return (
            f"{joined(self.numbers)}\n\n{ask} {which}{self.phrase('?', ':')}\n{lines}\n\nList them "
            "in any order, each once, separated by commas, such as '7, 1000000'."
        )

    def answer(self) -> str:
        return joined(self.kept())

    def verify(self, answer: str) -> Score:
        numbers = integers(answer)
        if len(set(numbers)) < len(numbers):
            return Score(0, "a number is listed twice")
        for number in numbers:
            if number not in self.numbers:
                return Score(0, f"{str(number)[:40]} is not in the list")
            if _held(number, self.conditions) != self.need:
                return Score(0, f"{number} does not meet the conditions")
        return Score(1) if len(numbers) == len(self.kept()) else Score(0, "a number is missing")

    def audit(self, answer: str) -> bool:
        return sorted(integers(answer)) == sorted(self.kept())

    def difficulty(self) -> float:
        return len(self.numbers) * len(self.conditions) * len(str(max(self.numbers)))

    def random_baseline(self) -> float:
        return 0.5 ** len(self.numbers)

    def shortcuts(self) -> Iterable[str]:
        yield joined(self.numbers)
        for name, a, b in self.conditions[: len(self.conditions) - 1]:
            yield joined([n for n in self.numbers if MEANINGS[name][1](n, a, b)])

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(numbers=8, conditions=2)

    def candidates(self) -> Iterable[str]:
        for size in range(1, len(self.numbers) + 1):
            yield from map(joined, combinations(self.numbers, size))


def _held(number: int, conditions: tuple[Condition, ...]) -> int:
    """The number of conditions that hold for a number."""
    return sum(MEANINGS[name][1](number, a, b) for name, a, b in conditions)
