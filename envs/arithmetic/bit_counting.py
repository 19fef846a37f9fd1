"""Counting the ones of a binary number, which Peter Wegner (1960) did one by one from the right."""

from collections.abc import Callable, Iterable
from itertools import groupby, pairwise
from random import Random
from typing import Literal, Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.rows import in_order
from palaestra.verifiers.reading.values import joined


def _positions(bits: str) -> list[int]:
    return [position for position, bit in enumerate(reversed(bits)) if bit == "1"]


def _longest(bits: str, digit: str) -> int:
    return max((len(list(run)) for bit, run in groupby(bits) if bit == digit), default=0)


def _xor(numbers: Iterable[int]) -> int:
    total = 0
    for number in numbers:
        total ^= number
    return total


QUESTIONS: dict[str, tuple[str, Callable[[str], int]]] = {
    "sum": ("the sum of the positions of all digits 1", lambda b: sum(_positions(b))),
    "ones": ("the number of digits that are 1", lambda b: b.count("1")),
    "ones run": ("the length of the longest run of 1s in a row", lambda b: _longest(b, "1")),
    "zeros run": (
        "the length of the longest run of 0s in a row (0 if there is none)",
        lambda b: _longest(b, "0"),
    ),
    "changes": (
        "the number of digits that differ from the digit to their right",
        lambda b: sum(one != other for one, other in pairwise(b)),
    ),
    "pairs": (
        "the number of pairs of neighbouring digits that are both 1 (111 has two)",
        lambda b: sum(one == other == "1" for one, other in pairwise(b)),
    ),
    "third": (
        "the position of the third 1 from the right",
        lambda b: (_positions(b)[2:] or [-1])[0],
    ),
    "middle": (
        "the position of the middle 1 (of an even number of 1s, the right one of the middle two)",
        lambda b: _positions(b)[(b.count("1") - 1) // 2],
    ),
    "balance": (
        "the number of 1s at even positions minus the number of 1s at odd positions",
        lambda b: sum(1 - 2 * (position % 2) for position in _positions(b)),
    ),
    "xor": (
        "the positions of all digits 1, joined by exclusive or (bit by bit)",
        lambda b: _xor(_positions(b)),
    ),
}
"""The text of each question about the binary digits of a number, and the function it asks for."""

OTHERS = tuple(QUESTIONS)[1:]
"""All of them but the number of ones."""

SHOWN = {
    "decimal": "{}",
    "hexadecimal": "0x{:X} (0x: in base 16)",
    "octal": "0o{:o} (0o: in base 8)",
}


class BitCounting(Puzzle):
    """Write a number in binary, and find the number of its ones, their positions and their runs."""

    version = 2
    tags = {"calculation", "binary", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        bits: int = ladder(7, 10, 14, 20, 28, 40, 64, low=7, high=200)
        questions: int = ladder(2, 3, 3, 4, 4, 5, 6, high=9)
        base: Literal["decimal", "hexadecimal", "octal"] = ladder("decimal")

    number: int
    questions: tuple[str, ...]
    base: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        number = rng.getrandbits(knobs.bits) | 1 << (knobs.bits - 1)
        others = rng.sample(OTHERS, knobs.questions - 1)
        return cls(number=number, questions=("sum", *others), base=knobs.base)

    def is_valid(self) -> bool:
        return self.number.bit_count() > 2

    def canonical(self) -> str:
        return f"{self.number} {sorted(self.questions)} {self.base}"

    def prompt(self) -> str:
        lines = "\n".join([f"{n}. {QUESTIONS[ask][0]}" for n, ask in enumerate(self.questions, 1)])
        ask = self.phrase(
            "Write this number in binary, without leading zeros, and find:",
            "Take the binary digits of this number, beginning with its first 1, and find:",
        )
        sample = joined([53, 4, 2, 9, 11, 6, 1, 8, 5][: len(self.questions)])
        return (
            f"{ask}\n\n{SHOWN[self.base].format(self.number)}\n\n{lines}\n\n"
            "Positions are counted from the right and from 0, so that the last digit is at "
            f"position 0. Write the {len(self.questions)} numbers in this order, separated by "
            f"commas, such as '{sample}'."
        )

    def values(self) -> list[int]:
        """The answers to the questions."""
        return [QUESTIONS[ask][1](f"{self.number:b}") for ask in self.questions]

    def answer(self) -> str:
        return joined(self.values())

    def verify(self, answer: str) -> Score:
        return in_order(integers(answer, len(self.questions)), self.values())

    def difficulty(self) -> float:
        return float(self.number.bit_length() * len(self.questions))
