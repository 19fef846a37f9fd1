"""Multiple choice among answers."""

import re
from random import Random
from typing import ClassVar, Self

from pydantic import Field

from palaestra.combinators.combinator import Combination, OfClaims, OfOne, Sampler
from palaestra.combinators.near_misses import near_miss, normal
from palaestra.task import InvalidAnswer, Puzzle, Score

LETTERS = "ABCDEFGH"

_OPTION = re.compile(r"(?:(?:option|choice|letter) ?)?[(\[]?([A-H])[)\].:]{0,2}", re.IGNORECASE)


class ChoicesPuzzle(OfOne, Puzzle):
    """A puzzle with several answers to choose from, of which one is right."""

    combinator: ClassVar["Choices"]

    options: tuple[str, ...]
    right: int

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        """The options are a chain in which each differs from its neighbours in one change.

        The right one has a random position in this chain, so that the option that is most like the
        others is the right one no more often than any other. The chain is then shuffled.
        """
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
        rng.shuffle(options)
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
            f"Give its letter alone, from A to {LETTERS[len(self.options) - 1]}."
        )

    def answer(self) -> str:
        return LETTERS[self.right]

    def verify(self, answer: str) -> Score:
        named = _OPTION.fullmatch(answer.strip())
        letter = named[1].upper() if named else ""
        if not named or letter not in LETTERS[: len(self.options)]:
            last = LETTERS[len(self.options) - 1]
            raise InvalidAnswer(f"expected one letter from A to {last}")
        if letter == LETTERS[self.right]:
            return Score(1)
        return Score(0, "this is not the right one")

    def random_baseline(self) -> float:
        return 1 / len(self.options)


class Choices(OfClaims):
    """The right answer is to be chosen among several, of which the others are near misses."""

    name: ClassVar[str] = "choices"
    template: ClassVar[type[Combination]] = ChoicesPuzzle

    n: int = Field(4, ge=2, le=8)
