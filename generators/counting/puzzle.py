"""The common part of puzzles that ask how many objects there are."""

import re
from abc import abstractmethod
from random import Random

from palaestra.task import Puzzle, Score
from palaestra.verifiers.reading.headings import unheaded
from palaestra.verifiers.reading.numbers import integer

PRIMES = (9_949, 9_967, 9_973, 10_007, 10_009, 10_037, 10_039, 10_061, 10_067, 10_069)
"""Moduli of counts that are too long to write."""


HEADINGS = ("count", "total", "number", "remainder", "total number", "total count")
"""What may stand before a count."""

UNITS = (
    "word", "words", "row", "rows", "way", "ways", "permutation", "permutations", "arrangement",
    "arrangements", "subarray", "subarrays", "subset", "subsets",
)  # fmt: skip
"""What is counted, which may stand behind a count."""

_MODULO = re.compile(r"\s?\(?\\?p?mod(?:ulo)?\s?\{?(\d{1,9})\}?\)?\.?$", re.ASCII | re.IGNORECASE)


def read_count(answer: str, modulus: int = 0) -> int:
    """Read a count, behind a heading, before what is counted, or before the modulus.

    >>> read_count("Count: 8,269"), read_count("8269 words"), read_count("85 (mod 10069)", 10069)
    (8269, 8269, 85)
    """
    text = unheaded(answer, HEADINGS)
    end = _MODULO.search(text, max(0, len(text) - 40))
    if end and int(end[1]) == modulus:
        text = text[: end.start()]
    return integer(text, units=UNITS)


class CountingPuzzle(Puzzle):
    """A question for a number of objects, or for its remainder after division by a prime.

    A subclass defines ``generate``, ``prompt``, which ends with :meth:`ending`, and :meth:`count`.
    """

    calculation = True

    modulus: int = 0
    """The remainder of the count after division by this number is asked for; 0 for the count."""

    @abstractmethod
    def count(self) -> int:
        """The number of objects; one with the same remainder, if a remainder is asked for."""

    @staticmethod
    def random_modulus(rng: Random) -> int:
        """A prime to divide by."""
        return rng.choice(PRIMES)

    def reduced(self, number: int) -> int:
        """A number, or its remainder."""
        return number % self.modulus if self.modulus else number

    def ending(self) -> str:
        """The form of the answer."""
        if self.modulus:
            return (
                "The number may be long. Answer with its remainder after division by "
                f"{self.modulus} alone, such as '360'."
            )
        return "Answer with the number alone, such as '360'."

    def answer(self) -> str:
        return str(self.reduced(self.count()))

    def verify(self, answer: str) -> Score:
        number = read_count(answer, self.modulus)
        if number < 0:
            return Score(0, "the number is negative")
        if 0 < self.modulus <= number:
            return Score(0, f"a remainder after division by {self.modulus} is less than that")
        right = number == self.reduced(self.count())
        return Score(1) if right else Score(0, "the number is wrong")
