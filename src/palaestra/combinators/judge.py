"""Verification as a task: to judge several claimed answers."""

import re
from random import Random
from typing import ClassVar, Self

from pydantic import Field

from palaestra.combinators.batch import distinct_tasks
from palaestra.combinators.combinator import (
    Combination,
    OfClaims,
    OfSeveral,
    OfSeveralTasks,
    Sampler,
)
from palaestra.combinators.yes_no import claimed
from palaestra.task import Puzzle, Score
from palaestra.verifiers.reading.numbers import integers

_TASK = re.compile(r"\btasks? ", re.IGNORECASE)


class JudgePuzzle(OfSeveral, Puzzle):
    """Several puzzles, each with a claimed answer that is right or not."""

    combinator: ClassVar["Judge"]

    claims: tuple[str, ...]
    wrong: tuple[int, ...]
    """The numbers of the tasks whose claimed answer is wrong, in ascending order."""

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        tasks = distinct_tasks(task, another, cls.combinator.n)
        pairs = [claimed(each, rng, another) for each in tasks]
        wrong = tuple(n for n, (_, right) in enumerate(pairs, 1) if not right)
        return cls(tasks=tasks, claims=tuple(claim for claim, _ in pairs), wrong=wrong)

    def prompt(self) -> str:
        tasks = "\n\n".join(
            f"Task {n}:\n{task.prompt()}\n\nClaimed answer to task {n}:\n{claim}"
            for n, (task, claim) in enumerate(zip(self.tasks, self.claims), 1)
        )
        request = self.phrase(
            "Which of the claimed answers are wrong?", "Find the claimed answers that are wrong."
        )
        return (
            f"Here are {len(self.tasks)} tasks, each with a claimed answer. Every claimed answer "
            f"may be right or wrong, independently of the others.\n\n{tasks}\n\n{request} Give the "
            "numbers of their tasks, separated by commas, or 0 if all claimed answers are right. "
            "For example, 2, 3 means that those of the tasks 2 and 3 are wrong and the others "
            "right."
        )

    def answer(self) -> str:
        return ", ".join(map(str, self.wrong)) or "0"

    def verify(self, answer: str) -> Score:
        if answer.strip(" .").casefold() == "none":
            answer = "0"
        numbers = set(integers(_TASK.sub("", answer)))
        if numbers == {0}:
            numbers = set()
        if numbers == set(self.wrong):
            return Score(1)
        return Score(0, "not all claimed answers are judged as they should be")

    def audit(self, answer: str) -> bool:
        """Judge the claims once more."""
        verdicts = [task.verify(claim).correct for task, claim in zip(self.tasks, self.claims)]
        wrong = {n for n, right in enumerate(verdicts, 1) if not right}
        return {int(number) for number in re.findall(r"\d{1,9}", answer)} - {0} == wrong

    def random_baseline(self) -> float:
        return 0.5 ** len(self.tasks)


class Judge(OfClaims, OfSeveralTasks):
    """Answers to several tasks are claimed; the wrong ones among them are to be named.

    Each of the ``n`` claims is right with a chance of one half. The labels are the verdicts of the
    base's ``verify``, and only a reply that judges all claims right scores, so that a guess does
    with a chance of ``1 / 2**n``.
    """

    name: ClassVar[str] = "judge"
    template: ClassVar[type[Combination]] = JudgePuzzle

    n: int = Field(5, ge=2, le=12)
