"""The same task in a chosen wording."""

from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field

from palaestra.combinators.combinator import Combination, Combinator, OfOne, Sampler
from palaestra.task import WORDINGS, Puzzle, Score, Task


class WordingPuzzle(OfOne, Puzzle):
    """A puzzle in one of its wordings."""

    combinator: ClassVar["Wording"]

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        return cls(task=task.model_copy(update={"wording": cls.combinator.number}))

    def prompt(self) -> str:
        return self.task.prompt()

    def answer(self) -> str:
        return self.task.answer()

    def verify(self, answer: str) -> Score:
        return self.task.verify(answer)

    def audit(self, answer: str) -> bool | None:
        return self.task.audit(answer)

    def random_baseline(self) -> float:
        return self.task.random_baseline()

    def shortcuts(self) -> list[str]:
        return list(self.task.shortcuts())


class Wording(Combinator):
    """The same task is put in a chosen wording, so that replies compare across wordings.

    The wordings of a task have equal canonical forms and right answers. An environment with two
    wordings has the first at even numbers and the second at odd ones.
    """

    name: ClassVar[str] = "wording"
    template: ClassVar[type[Combination]] = WordingPuzzle

    number: int = Field(0, ge=0, lt=WORDINGS)

    def class_variables(self, base: type[Task]) -> dict[str, Any]:
        return super().class_variables(base) | {"answer_type": base.answer_type}
