"""The statements of a task in another order."""

from random import Random
from typing import ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler
from palaestra.combinators.combinator import Combinator, SameAnswer
from palaestra.combinators.sentences import spans
from palaestra.task import WORDINGS, Puzzle, Task


class ReorderPuzzle(SameAnswer):
    """A puzzle with its statements in another order."""

    combinator: ClassVar["Reorder"]

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        spans(task, task.prompt())
        return cls(task=task)

    def prompt(self) -> str:
        """The order is determined by the task and the number of the variant."""
        text = self.task.prompt()
        where = spans(self.task, text)
        lines = [text[start:end] for start, end in where]
        Random(f"{self.combinator.number} {self.task.canonical()}").shuffle(lines)
        for (start, stop), line in zip(reversed(where), reversed(lines)):
            text = f"{text[:start]}{line}{text[stop:]}"
        return text


class Reorder(Combinator):
    """The statements of the task are in another order, one of 60 by their ``number``.

    The variants of a task have equal canonical forms and right answers, so that replies compare
    across them, as with ``wording``.
    """

    name: ClassVar[str] = "reorder"
    template: ClassVar[type[Combination]] = ReorderPuzzle

    number: int = Field(0, ge=0, lt=WORDINGS)

    def refusal(self, base: type[Task]) -> str:
        if reason := super().refusal(base):
            return reason
        assert issubclass(base, Puzzle)
        if base.sentences is Puzzle.sentences or base.sentences_in_order:
            return "it has no list of statements, or their order matters"
        return ""
