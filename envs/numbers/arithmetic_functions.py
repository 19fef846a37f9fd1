"""Sums of arithmetic functions, by Dirichlet's hyperbola and Moebius inversion.

Godfrey Hardy and Edward Wright, "An Introduction to the Theory of Numbers" (1938).
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import log
from random import Random
from typing import Self, get_args

from palaestra.generators.numbers.arithmetic_functions import (
    SHORT,
    Question,
    Topic,
    random_question,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.headings import unheaded
from palaestra.verifiers.reading.numbers import integer

TOPICS: tuple[Topic, ...] = get_args(Topic)
PAIRS: frozenset[Topic] = frozenset({"coprime pairs", "gcd pairs"})


@lru_cache(maxsize=64)
def by_hand(question: Question) -> int:
    """The answer from the definitions."""
    return question.by_hand()


HEADINGS = ("number", "value", "sum", "total", "count", "remainder")
"""What may stand before the number of an answer."""


class ArithmeticFunctions(Puzzle):
    """Find sums of divisors, remainders, common divisors and totients over long ranges."""

    tags = {"number-theory", "divisors", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        bound: int = ladder(60, 150, 500, 5_000, 100_000, 10**7, 10**12, low=30, high=10**14)

    question: Question

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        return cls(question=random_question(rng, rng.choice(TOPICS), knobs.bound))

    def is_valid(self) -> bool:
        """Whether the value is no number of the question, and not small."""
        value = self.question.value()
        return value > 9 and value not in {self.question.bound, *self.question.others}

    def prompt(self) -> str:
        ending = self.phrase(
            "Answer with the number alone, such as '360'.",
            "Give the exact number alone, such as '360'.",
        )
        return f"{self.question.text()}\n\n{ending}"

    def answer(self) -> str:
        return str(self.question.value())

    def verify(self, answer: str) -> Score:
        right = integer(unheaded(answer, HEADINGS)) == self.question.value()
        return Score(1) if right else Score(0, "the number is wrong")

    def audit(self, answer: str) -> bool | None:
        """Go through all numbers up to the bound; None if there are too many."""
        long = SHORT if self.question.topic not in PAIRS else SHORT // 5
        if max(self.question.bound, *self.question.others, 0) > long:
            return None
        return integer(unheaded(answer, HEADINGS)) == by_hand(self.question)

    def difficulty(self) -> float:
        """The digits of the bound, as the numbers of the work have so many."""
        return log(self.question.bound)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Estimates of sums by the usual first terms, and quotients and products."""
        n = self.question.bound
        first = (*self.question.others, 1)[0]
        guesses = {
            "the bound times its logarithm": round(n * log(n)),
            "half of the square": n * n // 2,
            "an eighth of pi squared": round(0.8224670334 * n * n),
            "six over pi squared": round(0.6079271019 * n * first),
            "quotient": n // first,
            "product": n * first,
        }
        return {player: str(guess) for player, guess in guesses.items()}

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(bound=30)

    def candidates(self) -> Iterable[str]:
        """The right answer and its neighbours."""
        value = self.question.value()
        return map(str, range(max(0, value - 50), value + 50))
