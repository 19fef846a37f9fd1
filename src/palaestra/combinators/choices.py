"""Multiple choice among answers."""

from dataclasses import replace
from random import Random
from typing import ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.combinator import OfClaims, OfOne
from palaestra.combinators.near_misses import near_miss, normal
from palaestra.task import WORDINGS, Puzzle, Score
from palaestra.verifiers.choices import Choice
from palaestra.verifiers.verifier import GoldError

LETTERS = "ABCDEFGH"


class ChoicesPuzzle(OfOne, Puzzle):
    """A puzzle with several answers to choose from, of which one is right."""

    combinator: ClassVar["Choices"]

    options: tuple[str, ...]
    right: int

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        """The options are a chain in which each differs from its neighbours in one change.

        The right one has a random position in this chain, so that the option that is most like the
        others is the right one no more often than any other. The chain is then shuffled. It is
        determined by the task and the number of options, so that all orders have the same ones.
        """
        rng = Random(f"{cls.combinator.n} {task.canonical()}")
        another = replace(another, rng=rng)
        right = task.answer()
        before = rng.randrange(cls.combinator.n)
        taken, lengths = {normal(right)}, (before, cls.combinator.n - 1 - before)
        options = [right]
        for length in lengths:
            text = right
            for _ in range(length):
                text = near_miss(task, text, taken, rng, another)
                taken.add(normal(text))
                options.append(text)
        Random(f"{cls.combinator.order} {task.canonical()}").shuffle(options)
        try:
            Choice("A", tuple(options))
        except GoldError as error:  # two differ in punctuation alone
            raise Unsuitable(str(error)) from None
        return cls(task=task, options=tuple(options), right=options.index(right))

    def prompt(self) -> str:
        options = "\n\n".join(
            f"{letter})\n{option}" for letter, option in zip(LETTERS, self.options)
        )
        request = self.phrase(
            "Exactly one of the following answers is right. Which one?",
            "Which of these answers is right? Exactly one is.",
        )
        return (
            f"{self.task.prompt()}\n\n{request}\n\n{options}\n\n"
            f"Give its letter, from A to {LETTERS[len(self.options) - 1]}."
        )

    def answer(self) -> str:
        return LETTERS[self.right]

    def verify(self, answer: str) -> Score:
        return Choice(LETTERS[self.right], self.options)(answer)

    def random_baseline(self) -> float:
        return 1 / len(self.options)


class Choices(OfClaims):
    """The right answer is to be chosen among several, of which the others are near misses.

    ``order`` is one of 60 orders of the same options, in which a consistent player chooses the same
    one.
    """

    name: ClassVar[str] = "choices"
    version: ClassVar[int] = 3
    template: ClassVar[type[Combination]] = ChoicesPuzzle

    n: int = Field(4, ge=2, le=8)
    order: int = Field(0, ge=0, lt=WORDINGS)
