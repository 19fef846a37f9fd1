"""Diophantine equations, after Diophantus's "Arithmetica" (third century)."""

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from random import Random
from typing import Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import joined
from palaestra.verifiers.sums import signed_sum

NAMES = "xyzw"
Term = tuple[int, int]
"""The coefficient of an unknown, and its power."""


class DiophantineEquation(Puzzle):
    """Find whole numbers within bounds that solve an equation in several unknowns."""

    tags = {"number-theory", "search"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        unknowns: int = ladder(2, 2, 3, 3, 3, 3, 4, low=2, high=4)
        power: int = ladder(1, 1, 1, 2, 2, 3, 3, high=4)
        largest: int = ladder(20, 60, 40, 30, 50, 60, 20, low=15, high=100)  # bound of the unknowns
        coefficients: int = ladder(15, 90, 90, 12, 12, 9, 9, low=5, high=200)

    terms: tuple[Term, ...]
    total: int
    largest: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        low = 1 if knobs.power > 1 else knobs.coefficients // 3 + 1
        terms = []
        for _ in range(knobs.unknowns):
            factor = rng.randint(low, knobs.coefficients) * rng.choice((1, 1, 1, -1))
            terms.append((factor, rng.randint(max(1, knobs.power - 1), knobs.power)))
        hidden = [rng.randint(3, knobs.largest) for _ in terms]
        total = sum(factor * x**power for (factor, power), x in zip(terms, hidden))
        return cls(terms=tuple(terms), total=total, largest=knobs.largest)

    def is_valid(self) -> bool:
        """Whether small or equal unknowns are no solution, and the coefficients all differ."""
        factors = {abs(factor) for factor, _ in self.terms}
        if len(factors) < len(self.terms) or not any(factor > 0 for factor, _ in self.terms):
            return False
        small = product(range(1, 4), repeat=len(self.terms))
        equal = ((n,) * len(self.terms) for n in range(1, self.largest + 1))
        return not any(self.holds(row) for rows in (small, equal) for row in rows)

    def canonical(self) -> str:
        return f"{sorted(self.terms)} {self.total} {self.largest}"

    def holds(self, unknowns: tuple[int, ...] | list[int]) -> bool:
        """Whether whole numbers solve the equation."""
        return _sum(self.terms, tuple(unknowns)) == self.total

    def prompt(self) -> str:
        names = NAMES[: len(self.terms)]
        powers = [f"{name}^{n}" if n > 1 else name for name, (_, n) in zip(names, self.terms)]
        left = signed_sum(zip([factor for factor, _ in self.terms], powers), times="*")
        ask = self.phrase(
            "Find whole numbers that solve this equation:",
            "Solve this equation in whole numbers:",
        )
        return (
            f"{ask}\n\n{left} = {self.total}\n\nEach of the unknowns must be from 1 to "
            f"{self.largest}. If there are several solutions, give any one of them. Answer with "
            f"the values of {joined(names)} in this order, such as "
            f"'{joined([7, 12, 9, 4][: len(names)])}'."
        )

    def answer(self) -> str:
        return joined(next(solutions(self.terms, self.total, self.largest)))

    def verify(self, answer: str) -> Score:
        numbers = integers(answer, names=NAMES[: len(self.terms)])
        if not all(1 <= x <= self.largest for x in numbers):
            return Score(0, f"not all numbers are from 1 to {self.largest}")
        return (
            Score(1) if self.holds(numbers) else Score(0, "the numbers do not solve the equation")
        )

    def audit(self, answer: str) -> bool:
        """Subtract the terms from the total one after another."""
        rest = self.total
        numbers = [int(x) for x in answer.replace(",", " ").split()]
        for (factor, power), x in zip(self.terms, numbers):
            for _ in range(abs(factor)):
                rest -= pow(x, power) if factor > 0 else -pow(x, power)
        return rest == 0 and min(numbers) > 0 and max(numbers) <= self.largest

    def difficulty(self) -> float:
        return float(self.largest) ** (len(self.terms) - 1) * max(power for _, power in self.terms)

    def random_baseline(self) -> float:
        return number_of(self.terms, self.total, self.largest) / float(self.largest) ** len(
            self.terms
        )

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(unknowns=2, power=2, largest=15, coefficients=5)

    def candidates(self) -> Iterator[str]:
        return map(joined, product(range(1, self.largest + 1), repeat=len(self.terms)))


def solutions(terms: tuple[Term, ...], total: int, largest: int) -> Iterator[tuple[int, ...]]:
    """All solutions, by matching the sums of the first half of the terms with those of the others.

    >>> list(solutions(((2, 1), (3, 1)), 12, 5))
    [(3, 2)]
    """
    cut = len(terms) // 2
    by_sum: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for row in product(range(1, largest + 1), repeat=cut):
        by_sum[_sum(terms[:cut], row)].append(row)
    for row in product(range(1, largest + 1), repeat=len(terms) - cut):
        for first in by_sum.get(total - _sum(terms[cut:], row), ()):
            yield first + row


@lru_cache(maxsize=256)
def number_of(terms: tuple[Term, ...], total: int, largest: int) -> int:
    """The number of solutions."""
    return sum(1 for _ in solutions(terms, total, largest))


def _sum(terms: tuple[Term, ...], row: tuple[int, ...]) -> int:
    return sum(factor * x**power for (factor, power), x in zip(terms, row))
