"""Whether a claimed answer is right."""

from random import Random
from typing import ClassVar, Self

from palaestra.combinators.combinator import Combination, OfClaims, OfOne, Sampler
from palaestra.combinators.near_misses import near_miss, normal
from palaestra.task import InvalidAnswer, Puzzle, Score

WORDS = {"yes": True, "no": False}


class YesNoPuzzle(OfOne, Puzzle):
    """A puzzle with a claimed answer, which is right or not."""

    claim: str
    right: bool

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        claim, right = claimed(task, rng, another)
        return cls(task=task, claim=claim, right=right)

    def prompt(self) -> str:
        question = self.phrase("Is this answer right?", "Somebody claims this answer. Is it right?")
        return (
            f"{self.task.prompt()}\n\n{question}\n\n{self.claim}\n\n"
            "The answer to give is yes or no."
        )

    def answer(self) -> str:
        return "yes" if self.right else "no"

    def verify(self, answer: str) -> Score:
        word = answer.strip().casefold()
        if word not in WORDS:
            raise InvalidAnswer("expected yes or no")
        if WORDS[word] == self.right:
            return Score(1)
        return Score(0, "it is the other way round")

    def random_baseline(self) -> float:
        return 0.5


class YesNo(OfClaims):
    """An answer is claimed, and is right in one of two tasks; the question is whether it is."""

    name: ClassVar[str] = "yes_no"
    template: ClassVar[type[Combination]] = YesNoPuzzle


def claimed(task: Puzzle, rng: Random, another: Sampler) -> tuple[str, bool]:
    """An answer that is right with a chance of one half, and else a near miss of a right one."""
    right = task.answer()
    wrong = near_miss(task, right, {normal(right)}, rng, another)
    return (right, True) if rng.random() < 0.5 else (wrong, False)
