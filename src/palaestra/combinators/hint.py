"""The beginning of a solution, or a part of a right answer, beside the question."""

import re
from collections.abc import Sequence
from random import Random
from typing import ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.combinator import UNANSWERABLE, Combinator, SameAnswer
from palaestra.combinators.locate import derived
from palaestra.task import InvalidAnswer, Puzzle, Task

RUNGS = 4
"""One rung of the ladder of hints shows so large a part of the answer or solution: a quarter."""

_TOKEN = re.compile(r"\d+|[^\W\d_]+|\s+|[\W_]")


class HintPuzzle(SameAnswer):
    """A puzzle with a hint: the first steps of a solution, or a part of a right answer."""

    combinator: ClassVar["Hint"]

    hint: str
    """Steps, one a line, or a right answer with ``?`` in place of what is not shown."""

    steps: bool = False
    """Whether the hint is steps of a solution."""

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        """The hints of a task are a ladder: each shows what the one below it shows, and more."""
        rung = cls.combinator.rung
        if lines := first_steps(task, rung):
            return cls(task=task, hint="\n".join(lines), steps=True)
        return cls(task=task, hint=masked(task, rung))

    def prompt(self) -> str:
        opening = self.phrase("Here is a hint", "This may help you")
        meaning = (
            "a solution begins with the following steps."
            if self.steps
            else "a right answer has the following form, where a question mark stands for each "
            "part that is not shown."
        )
        return f"{self.task.prompt()}\n\n{opening}: {meaning}\n{self.hint}"

    def random_baseline(self) -> float:
        """That of the task, if each part that is not shown is as hard to guess as any other."""
        chance = self.task.random_baseline()
        return float(chance ** (1 - self.combinator.rung / RUNGS))

    def shortcuts(self) -> list[str]:
        return [*self.task.shortcuts(), self.hint]


class Hint(Combinator):
    """The first steps of a solution, or a part of a right answer, are shown as a hint.

    ``rung`` is how many quarters are shown: of the steps, where the environment has a derivation;
    of the moves from the first one, in planning; of the digits or letters from the first one, of
    an answer of one number or word; and else of the numbers and words of the answer. The hints of a
    task are a ladder: each shows what the one below it shows and more, and none the whole answer.
    """

    name: ClassVar[str] = "hint"
    version: ClassVar[int] = 2
    template: ClassVar[type[Combination]] = HintPuzzle

    rung: int = Field(1, ge=1, le=RUNGS - 1)

    def refusal(self, base: type[Task]) -> str:
        if base.expensive:
            return "a part of a program is no hint"
        if UNANSWERABLE in base.tags:
            return "the form of an answer would show that there is a solution"
        return super().refusal(base)


def first_steps(task: Puzzle, rung: int) -> list[str]:
    """The steps of a solution that a rung shows.

    There are none where the environment has no derivation, where it is too short, or where the
    steps up to the highest rung hold the answer.
    """
    try:
        lines = [f"{step.expression} = {step.value}" for step in derived(task)]
    except Unsuitable:
        return []
    ladder = [lines[: len(lines) * each // RUNGS] for each in range(1, RUNGS)]
    if len(lines) < RUNGS or holds(task, ladder[-1]):
        return []
    return ladder[rung - 1]


def holds(task: Puzzle, lines: Sequence[str]) -> bool:
    """Whether the answer is in a step, as its value or anywhere else."""
    answer = " ".join(task.answer().split())
    texts = [" ".join(line.split()) for line in lines]
    if any(re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text) for text in texts):
        return True
    return any(_solves(task, text.rpartition("=")[2].strip()) for text in texts)


def _solves(task: Puzzle, text: str) -> bool:
    try:
        return task.verify(text).correct
    except InvalidAnswer:
        return False


def masked(task: Puzzle, rung: int) -> str:
    """A right answer with ``?`` for all but some quarters of it.

    Moves, and the characters of a single number or word, are shown from the first one on, and other
    parts in an order that the task determines. Raises :class:`Unsuitable` for a short answer.
    """
    tokens = _TOKEN.findall(task.answer())
    filled = _filled(tokens)
    if single := len(filled) == 1:
        tokens = list(task.answer())
        filled = _filled(tokens)
    if len(filled) < RUNGS:
        raise Unsuitable(f"its answers have fewer than {RUNGS} parts to show")
    if not single and "planning" not in task.tags:
        Random(task.canonical()).shuffle(filled)
    shown = set(filled[: len(filled) * rung // RUNGS])
    hidden = set(filled) - shown
    return "".join("?" if n in hidden else each for n, each in enumerate(tokens))


def _filled(tokens: Sequence[str]) -> list[int]:
    """The positions of the tokens that are not spaces or punctuation."""
    return [n for n, token in enumerate(tokens) if token.strip(" \t\n.,:;()[]{}")]
