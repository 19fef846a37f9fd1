"""Long multiplication: al-Khwarizmi (about 825)."""

from collections.abc import Iterable
from random import Random
from typing import Self

from palaestra.task import Derivation, Puzzle, Score, Step, ladder
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import joined


class LongMultiplication(Puzzle):
    """Multiply two numbers, and list the partial product of each digit and the product."""

    tags = {"calculation", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        digits: int = ladder(2, 3, 4, 5, 7, 10, 15, low=2, high=60)
        by: int = ladder(2, 2, 3, 4, 5, 8, 12, low=2, high=40)

    first: int
    second: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        first = rng.randrange(10 ** (knobs.digits - 1) + 1, 10**knobs.digits)
        return cls(first=first, second=rng.randrange(10 ** (knobs.by - 1) + 1, 10**knobs.by))

    def is_valid(self) -> bool:
        return self.second % 10 > 1 and self.first != self.second

    def prompt(self) -> str:
        ask = self.phrase("Multiply", "Work out by long multiplication:")
        example = LongMultiplication(first=12, second=int(("43" * self.places)[: self.places]))
        return (
            f"{ask} {self.first} * {self.second}.\n\nFor each digit of {self.second}, from the "
            f"last to the first, write the partial product: {self.first} times the place value of "
            "the digit, with all zeros at the end (for the digit 4 in the hundreds place, that is "
            f"{self.first} times 400; for the digit 0 it is 0). After the partial products, write "
            f"the full product. Give these {self.places + 1} numbers in this order, separated by "
            f"commas and without thousands separators, such as '{example.answer()}' for "
            f"12 * {example.second}."
        )

    @property
    def places(self) -> int:
        """The number of digits of the second number."""
        return len(str(self.second))

    def row(self) -> list[int]:
        """The partial products and the product."""
        digits = reversed(str(self.second))
        parts = [self.first * int(digit) * 10**power for power, digit in enumerate(digits)]
        return [*parts, self.first * self.second]

    def answer(self) -> str:
        return joined(self.row())

    def verify(self, answer: str) -> Score:
        right = self.row()
        numbers = integers(answer, len(right))
        same = [one == other for one, other in zip(numbers, right)]
        parts = {
            "progress": sum(same) / len(same),
            "partial products": sum(same[:-1]) / self.places,
            "product": same[-1],
        }
        if all(same):
            return Score(1, parts=parts)
        if all(same[:-1]):
            return Score(0, "the partial products are right, the product is not", parts)
        return Score(0, f"number {same.index(False) + 1} of the list is wrong", parts)

    def difficulty(self) -> float:
        """The number of products of two digits."""
        return len(str(self.first)) * self.places

    def derivation(self) -> Derivation:
        parts = []
        for power, digit in enumerate(reversed(str(self.second))):
            factor = int(digit) * 10**power
            parts.append((yield Step(f"{self.first} * {factor}", self.first * factor)))
        total = parts[0]
        for part in parts[1:]:
            total = yield Step(f"{total} + {part}", total + part)

    def shortcuts(self) -> Iterable[str]:
        yield str(self.first * self.second)
        yield joined([0] * self.places + [self.first * self.second])
