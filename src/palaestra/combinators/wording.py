"""The same task in a chosen wording."""

from random import Random
from typing import ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler
from palaestra.combinators.combinator import Combinator, SameAnswer
from palaestra.task import WORDINGS, Puzzle


class WordingPuzzle(SameAnswer):
    """A puzzle in one of its wordings."""

    combinator: ClassVar["Wording"]

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        return cls(task=task.model_copy(update={"wording": cls.combinator.number}))

    def prompt(self) -> str:
        return self.task.prompt()


class Wording(Combinator):
    """The same task is put in a chosen wording, so that replies compare across wordings.

    The wordings of a task have equal canonical forms and right answers. An environment with two
    wordings has the first at even numbers and the second at odd ones.
    """

    name: ClassVar[str] = "wording"
    template: ClassVar[type[Combination]] = WordingPuzzle

    number: int = Field(0, ge=0, lt=WORDINGS)
