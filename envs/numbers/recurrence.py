"""Linear recurrences modulo a number: Fibonacci (1202), and their periods after Lagrange (1775)."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.task import Derivation, Puzzle, Score, Step, ladder
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.rows import compared
from palaestra.verifiers.reading.values import joined


class Recurrence(Puzzle):
    """Find terms with large indices of a linear recurrence, modulo a number."""

    version = 2
    tags = {"number-theory", "congruences", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        order: int = ladder(1, 2, 2, 2, 2, 3, 3, high=4)
        modulus: int = ladder(50, 50, 100, 12, 30, 20, 200, high=1_000)
        digits: int = ladder(1, 1, 2, 3, 6, 9, 15, high=18)  # of the index of the term
        constant: bool = ladder(True, False, True, False, False, True)

    factors: tuple[int, ...]
    """The coefficients of the preceding terms, the nearest first."""

    constant: int
    start: tuple[int, ...]
    modulus: int
    index: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        modulus = rng.randint(knobs.modulus * 2 // 3, knobs.modulus)
        return cls(
            factors=tuple(rng.randint(2, min(9, modulus - 1)) for _ in range(knobs.order)),
            constant=rng.randint(1, 9) if knobs.constant else 0,
            start=tuple(rng.randint(0, min(9, modulus - 1)) for _ in range(knobs.order)),
            modulus=modulus,
            index=rng.randint(max(5, 10 ** (knobs.digits - 1)), 10**knobs.digits),
        )

    def is_valid(self) -> bool:
        """Whether the terms keep changing, and the two terms to give differ."""
        row = [*self.start]
        for _ in range(30):
            row.append(self._next(row))
        return len(set(row)) > 6 and len(set(self.terms())) > 1 and len(set(row[-8:])) > 3

    def _next(self, row: Sequence[int]) -> int:
        back = row[: -len(self.factors) - 1 : -1]
        return (sum(f * n for f, n in zip(self.factors, back)) + self.constant) % self.modulus

    def terms(self) -> tuple[int, ...]:
        """The terms at ``index`` and after it."""
        return terms_at(self.factors, self.constant, self.start, self.modulus, self.index)

    def prompt(self) -> str:
        rule = ""
        for back, factor in enumerate(self.factors, 1):
            times = f"{factor} * " if factor > 1 else ""
            rule += (" + " if rule else "") + f"{times}a(n - {back})"
        rule += f" + {self.constant}" if self.constant else ""
        start = joined([f"a({n}) = {value}" for n, value in enumerate(self.start)])
        first = len(self.start)
        ask = self.phrase("A sequence of numbers begins with", "In a sequence of numbers,")
        return (
            f"{ask} {start}. From n = {first} on, a(n) is the remainder of {rule} when divided by "
            f"{self.modulus}.\n\nWhat are a({self.index}) and a({self.index + 1})? Answer with the "
            "two numbers in this order, such as '7, 31'."
        )

    def answer(self) -> str:
        return joined(self.terms())

    def verify(self, answer: str) -> Score:
        return compared(integers(answer, 2), self.terms(), "number")

    def audit(self, answer: str) -> bool | None:
        """Compute the terms one after another, unless there are too many."""
        if self.index > 5_000:
            return None
        row = [*self.start]
        while len(row) < self.index + 2:
            row.append(self._next(row))
        return integers(answer) == row[self.index : self.index + 2]

    def derivation(self) -> Derivation:
        """The terms one after another."""
        row = [*self.start]
        while len(row) < self.index + 2:
            back = row[: -len(self.factors) - 1 : -1]
            products = " + ".join(f"{factor} * {n}" for factor, n in zip(self.factors, back))
            constant = f" + {self.constant}" if self.constant else ""
            expression = f"a({len(row)}) = ({products}{constant}) mod {self.modulus}"
            row.append((yield Step(expression, self._next(row))))

    def difficulty(self) -> float:
        order = len(self.factors)
        return order**2 * min(self.index, float(self.modulus) ** order)


Matrix = Sequence[Sequence[int]]


def _times(one: Matrix, other: Matrix, modulus: int) -> list[list[int]]:
    columns = list(zip(*other))
    return [[sum(a * b for a, b in zip(row, col)) % modulus for col in columns] for row in one]


@lru_cache(maxsize=256)
def terms_at(
    factors: tuple[int, ...], constant: int, start: tuple[int, ...], modulus: int, index: int
) -> tuple[int, int]:
    """The term at an index and the one after it, by powers of the matrix of the recurrence.

    >>> terms_at((1, 1), 0, (0, 1), 1000, 10)
    (55, 89)
    """
    order = len(factors)
    size = order + 1
    # A state consists of the last terms, the newest first, and 1 for the constant.
    step = [[*factors, constant]]
    step += [[int(i == j) for j in range(size)] for i in range(order - 1)]
    step.append([0] * order + [1])
    power = [[int(i == j) for j in range(size)] for i in range(size)]
    exponent = index
    while exponent:
        if exponent & 1:
            power = _times(power, step, modulus)
        step = _times(step, step, modulus)
        exponent >>= 1
    state = _times(power, [[value] for value in (*reversed(start), 1)], modulus)
    # The oldest term of the state is the one at the index.
    terms = [value for (value,) in state[:order]][::-1]
    if order == 1:
        terms.append((factors[0] * terms[0] + constant) % modulus)
    return terms[0], terms[1]
