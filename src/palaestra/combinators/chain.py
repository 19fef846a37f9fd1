"""Tasks whose answers are numbers, each of which is needed for the next step."""

import re
from random import Random
from typing import ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.batch import distinct_tasks, listed
from palaestra.combinators.combinator import UNANSWERABLE, OfSeveral, OfSeveralTasks
from palaestra.combinators.headers import header
from palaestra.task import InvalidAnswer, Puzzle, Score, Task
from palaestra.verifiers.reading.numbers import integer

_INTEGER = re.compile(r"-?\d{1,12}", re.ASCII)
_NAME = re.compile(r"x_?\{?(\d{1,2})(?!\d)\}?", re.ASCII)
_IS = re.compile(r"[ \t]{0,3}(?:[:=\uff1a]|$)")

MODULUS = 997
"""A prime, so that each answer below it gives another result."""


class ChainPuzzle(OfSeveral, Puzzle):
    """Several puzzles with integers as answers, and a number that is computed from all of them."""

    combinator: ClassVar["Chain"]

    factors: tuple[int, ...]
    """The factor before each answer but the first is added."""

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        tasks = distinct_tasks(task, another, cls.combinator.n)
        if not all(_INTEGER.fullmatch(each.answer()) for each in tasks):
            raise Unsuitable("its answers are not integers")
        return cls(tasks=tasks, factors=tuple(rng.randint(2, 9) for _ in tasks[1:]))

    def prompt(self) -> str:
        steps = "\n".join(
            f"x{n} = ({factor} * x{n - 1} + the answer to task {n}) mod {MODULUS}"
            for n, factor in enumerate(self.factors, 2)
        )
        last = len(self.tasks)
        opening = self.phrase(
            f"Solve these {last} tasks, and compute a number from their answers.",
            f"The answers to these {last} tasks are needed to compute a number.",
        )
        return (
            f"{opening}\n\n{listed(self.tasks)}\n\nNow compute x{last}, where\n"
            f"x1 = the answer to task 1 mod {MODULUS}\n{steps}\n"
            f"and a mod {MODULUS} is the number from 0 to {MODULUS - 1} by which a differs from a "
            f"multiple of {MODULUS}. Give x{last} alone, as an integer such as '640'."
        )

    def answer(self) -> str:
        first, *others = (int(task.answer()) for task in self.tasks)
        number = first % MODULUS
        for factor, value in zip(self.factors, others):
            number = (factor * number + value) % MODULUS
        return str(number)

    def verify(self, answer: str) -> Score:
        last = len(self.tasks)
        head = header(answer, _NAME, _IS)
        if head and int(head.label[1]) != last:
            raise InvalidAnswer(f"expected x{last}, not x{int(head.label[1])}")
        if integer(head.rest if head else answer) == int(self.answer()):
            return Score(1)
        return Score(0, f"x{last} is another number")

    def random_baseline(self) -> float:
        return 1 / MODULUS


class Chain(OfSeveralTasks):
    """A number is computed step by step from the answers to several tasks, all of which count.

    There are ``n`` tasks, whose answers are integers. Each step multiplies the number so far and
    adds the next answer, modulo a prime, so that no answer can be left out.
    """

    name: ClassVar[str] = "chain"
    version: ClassVar[int] = 2
    template: ClassVar[type[Combination]] = ChainPuzzle

    n: int = Field(3, ge=2, le=12)

    def refusal(self, base: type[Task]) -> str:
        if base.expensive:
            return "programs are no numbers"
        if base.answer_type == "digits":
            return "its answers are digits that are no numbers, as in other bases than ten"
        if UNANSWERABLE in base.tags:
            return "an answer that there is no solution is no number"
        return super().refusal(base)

    def class_variables(self, base: type[Task]) -> dict[str, object]:
        return super().class_variables(base) | {"verbatim": False, "longest": Task.longest}
