"""A part of a right answer beside the question."""

import re
from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field

from palaestra.combinators.combinator import Combination, Combinator, OfOne, Sampler, Unsuitable
from palaestra.task import Puzzle, Score, Task

RUNGS = 4
"""One rung of the ladder of hints shows so large a part of the answer: a quarter."""

_TOKEN = re.compile(r"\d+|[^\W\d_]+|\s+|[\W_]")


class HintPuzzle(OfOne, Puzzle):
    """A puzzle with a hint, a part of a right answer."""

    combinator: ClassVar["Hint"]

    hint: str
    """A right answer with ``?`` in place of each number or word that is not shown."""

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        """The tokens are shown in an order that the task determines, so that the hints of a task
        are a ladder: each shows what the one below it shows.
        """
        tokens = _TOKEN.findall(task.answer())
        filled = [n for n, token in enumerate(tokens) if token.strip(" \t\n.,:;()[]{}")]
        if len(filled) < RUNGS:
            raise Unsuitable(f"its answers have fewer than {RUNGS} parts to show")
        Random(task.canonical()).shuffle(filled)
        shown = set(filled[: len(filled) * cls.combinator.rung // RUNGS])
        masked = ("?" if n in filled and n not in shown else each for n, each in enumerate(tokens))
        return cls(task=task, hint="".join(masked))

    def prompt(self) -> str:
        opening = self.phrase("Here is a hint", "This may help you")
        return (
            f"{self.task.prompt()}\n\n{opening}: a right answer has the following form, where a "
            f"question mark stands for each part that is not shown.\n{self.hint}"
        )

    def answer(self) -> str:
        return self.task.answer()

    def verify(self, answer: str) -> Score:
        return self.task.verify(answer)

    def audit(self, answer: str) -> bool | None:
        return self.task.audit(answer)

    def random_baseline(self) -> float:
        return self.task.random_baseline()

    def shortcuts(self) -> list[str]:
        return [*self.task.shortcuts(), self.hint]


class Hint(Combinator):
    """A part of a right answer is shown as a hint.

    ``rung`` is how many quarters of its numbers and words are shown. The hints of a task are a
    ladder: each shows what the one below it shows and more, and none shows the whole answer.
    """

    name: ClassVar[str] = "hint"
    template: ClassVar[type[Combination]] = HintPuzzle

    rung: int = Field(1, ge=1, le=RUNGS - 1)

    def refusal(self, base: type[Task]) -> str:
        if base.expensive:
            return "a part of a program is no hint"
        return super().refusal(base)

    def class_variables(self, base: type[Task]) -> dict[str, Any]:
        return super().class_variables(base) | {"answer_type": base.answer_type}
