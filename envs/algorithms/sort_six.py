"""Sorting by a key, the oldest exercise of all (Knuth, "Sorting and Searching", 1973)."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise, permutations
from math import factorial, log2, prod
from random import Random
from typing import Any, Literal, NamedTuple, Self

from palaestra.generators.tiles import across, entered, stacked, tiles, wrapped
from palaestra.scenes import Grid, Panels
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import integers


class Order(NamedTuple):
    """What to sort by, and two ways to ask for it."""

    key: Callable[[int], Any]
    ask: str
    again: str


ORDERS = {
    # A model of 0.1 M parameters starts here, so that these questions have one wording only.
    "ascending": Order(lambda n: n, "Sort", "Sort"),
    "descending": Order(
        lambda n: -n,
        "Sort from the largest to the smallest",
        "Put these in descending order",
    ),
    "last digit": Order(
        lambda n: n % 10,
        "Sort by the last digit alone, the smallest first; numbers with the same last digit "
        "keep the order they have here",
        "Put these in ascending order of their last digits; where those are equal, the number "
        "that comes first here stays first",
    ),
    "digit sum": Order(
        lambda n: sum(map(int, str(n))),
        "Sort by the sum of the digits, the smallest sum first; numbers with the same sum "
        "keep the order they have here",
        "Put these in ascending order of their digit sums; where those are equal, the number "
        "that comes first here stays first",
    ),
    "parity": Order(
        lambda n: (n % 2, -n if n % 2 else n),
        "Put all even numbers first, from the smallest to the largest, and then all odd "
        "numbers, from the largest to the smallest",
        "Sort so that the even numbers come before the odd ones, the even ones ascending and the "
        "odd ones descending",
    ),
    "backwards": Order(
        lambda n: int(str(n)[::-1]),
        "Sort by what each number is when its digits are read from right to left (120 counts "
        "as 21), the smallest first; numbers that are equal in this keep the order they have "
        "here",
        "Reverse the digits of each number (120 gives 21) and sort the original numbers by the "
        "results, ascending; where those are equal, the number that comes first here stays first",
    ),
}


class SortSix(Puzzle):
    """Put a short list of numbers in order, at first six digits, later by stranger keys."""

    tags = {"sorting", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        count: int = ladder(6, 8, 10, 12, 16, 20, 28, low=3, high=60)
        digits: int = ladder(1, 2, 3, 3, 4, 4, 5, high=9)
        order: Literal[
            "ascending", "descending", "last digit", "digit sum", "parity", "backwards"
        ] = ladder(
            "ascending", "ascending", "descending", "last digit", "parity", "digit sum", "backwards"
        )

    numbers: tuple[int, ...]
    order: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        numbers = rng.choices(range(10**knobs.digits), k=knobs.count)
        return cls(numbers=tuple(numbers), order=knobs.order)

    def is_valid(self) -> bool:
        return self.sorted() != list(self.numbers)

    def sorted(self) -> list[int]:
        """The numbers in order; ``sorted`` is stable."""
        return sorted(self.numbers, key=ORDERS[self.order].key)

    def prompt(self) -> str:
        ask = self.phrase(*ORDERS[self.order][1:])
        row = " ".join(map(str, self.numbers))
        example = " ".join(str(n % 100) for n in range(1, len(self.numbers) + 1))
        if self.order == "ascending":
            return f"{ask}, such as '{example}': {row}"
        return (
            f"{ask}: {row}\nAnswer with all the numbers on one line, separated by spaces, such as "
            f"'{example}'."
        )

    def answer(self) -> str:
        return " ".join(map(str, self.sorted()))

    def scene(self) -> Grid:
        return wrapped(tiles(self.numbers), across(len(self.numbers)))

    def solved_scene(self, answer: str) -> Panels:
        order = wrapped(entered(self.read(answer)), across(len(self.numbers)))
        return stacked({"Start": self.scene(), "In order": order})

    def read(self, answer: str) -> list[int]:
        """The numbers of an answer."""
        return integers(answer, len(self.numbers))

    def verify(self, answer: str) -> Score:
        row = self.read(answer)
        right = self.sorted()
        parts = {"progress": sum(map(int.__eq__, row, right)) / len(right)}
        return Score(1, "", parts) if row == right else Score(0, self._violation(row), parts)

    def _violation(self, row: list[int]) -> str:
        """What is wrong with a row."""
        if Counter(row) != Counter(self.numbers):
            return "these are not the numbers to be sorted"
        key = ORDERS[self.order].key
        for position, (one, other) in enumerate(pairwise(row), 1):
            if key(one) > key(other):
                return f"the numbers at places {position} and {position + 1} are in the wrong order"
        return "numbers that tie do not keep their order"

    def difficulty(self) -> float:
        digits = sum(len(str(number)) for number in self.numbers)
        return digits * log2(len(self.numbers))

    def random_baseline(self) -> float:
        return prod(map(factorial, Counter(self.numbers).values())) / factorial(len(self.numbers))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(count=5, digits=2, order="last digit")

    def candidates(self) -> Iterable[str]:
        return (" ".join(map(str, row)) for row in permutations(self.numbers))
