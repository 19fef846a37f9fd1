"""Several tasks in one prompt."""

import re
from math import prod
from random import Random
from typing import ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.combinator import OfSeveral, OfSeveralTasks
from palaestra.combinators.headers import SEPARATOR, header, uncovered, without_rules
from palaestra.task import InvalidAnswer, Puzzle, Score, Task
from palaestra.verifiers.replies import unwrapped

_TASK = re.compile(r"Task[ \t]{1,3}#?(\d{1,2})(?!\d)", re.IGNORECASE)
"""The label of the line that the answer to a task follows."""

TRIES = 100
"""How many tasks are drawn for one that differs from the earlier ones."""


def distinct_tasks(first: Puzzle, another: Sampler, number: int) -> tuple[Puzzle, ...]:
    """A number of different tasks, of which ``first`` is the first.

    Raises :class:`Unsuitable` where there are not so many.
    """
    tasks, forms = [first], {first.canonical()}
    for _ in range(TRIES * number):
        if len(tasks) == number:
            return tuple(tasks)
        task = another()
        assert isinstance(task, Puzzle)
        if (form := task.canonical()) not in forms:
            forms.add(form)
            tasks.append(task)
    raise Unsuitable(f"there are fewer than {number} different tasks with these knobs")


def listed(tasks: tuple[Puzzle, ...]) -> str:
    """The prompts of several tasks, each below its number."""
    return "\n\n".join(f"Task {n}:\n{task.prompt()}" for n, task in enumerate(tasks, 1))


class BatchPuzzle(OfSeveral, Puzzle):
    """Several puzzles in one prompt, with one reply to all of them."""

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        tasks = list(distinct_tasks(task, another, cls.combinator.n))
        rng.shuffle(tasks)
        return cls(tasks=tuple(tasks))

    combinator: ClassVar["Batch"]

    def prompt(self) -> str:
        number = len(self.tasks)
        opening = self.phrase(
            f"Solve these {number} tasks. Only a reply in which all answers are right scores.",
            f"Here are {number} tasks. The reply is right if and only if all {number} answers are.",
        )
        return (
            f"{opening}\n\n{listed(self.tasks)}\n\nGive your answers one after the other, each "
            "below a line with the number of its task:\n"
            "Task 1:\n(your answer to task 1)\nTask 2:\n(your answer to task 2)\n"
            "and so on. What the tasks state about the form of an answer applies to each of them."
        )

    def answer(self) -> str:
        return "\n".join(f"Task {n}:\n{task.answer()}" for n, task in enumerate(self.tasks, 1))

    def verify(self, answer: str) -> Score:
        answers = read_answers(answer, len(self.tasks))
        scores = [judged(task, text) for task, text in zip(self.tasks, answers)]
        right = sum(score.correct for score in scores)
        parts = {f"task {n}": score.value for n, score in enumerate(scores, 1)}
        reasons = (f"task {n}: {each.reason}" for n, each in enumerate(scores, 1) if each.reason)
        return Score(
            float(right == len(scores)),
            "" if right == len(scores) else next(reasons, "not all answers are right"),
            {"progress": right / len(scores), "share": right / len(scores), **parts},
        )

    def audit(self, answer: str) -> bool | None:
        texts = read_answers(answer, len(self.tasks))
        return all(agrees(task, text) for task, text in zip(self.tasks, texts))

    def random_baseline(self) -> float:
        return prod(task.random_baseline() for task in self.tasks)


class Batch(OfSeveralTasks):
    """Several tasks stand in one prompt; the reply is right if and only if all answers are.

    There are ``n`` tasks. The share of right answers and the score of each are parts of the score.
    """

    name: ClassVar[str] = "batch"
    template: ClassVar[type[Combination]] = BatchPuzzle

    n: int = Field(4, ge=2, le=16)

    def class_variables(self, base: type[Task]) -> dict[str, object]:
        longest = min(200_000, (base.longest + 20) * self.n)
        return super().class_variables(base) | {"verbatim": True, "longest": longest}


def read_answers(text: str, number: int) -> list[str]:
    r"""The answers below the headers ``Task 1:`` to ``Task {number}:``, in this order.

    The headers may be in Markdown, and an answer may begin on the line of its header. A fence
    around the whole text is left out, and so are rules between the answers.

    Raises :class:`InvalidAnswer` where a header is missing, repeated or unknown.

    >>> read_answers("Task 1: 42\nTask 2:\nA\nB", 2), read_answers("**Task 1**: 4\n## Task 2\n5", 2)
    (['42', 'A\nB'], ['4', '5'])
    """
    answers: dict[int, list[str]] = {}
    current: list[str] = []
    for line in uncovered(text).splitlines():
        if head := header(line, _TASK, SEPARATOR):
            task = int(head.label[1])
            if task in answers or not 1 <= task <= number:
                raise InvalidAnswer(f"expected the tasks 1 to {number} once each")
            current = answers[task] = [head.rest]
        else:
            current.append(line)
    missing = [str(task) for task in range(1, number + 1) if task not in answers]
    if missing:
        raise InvalidAnswer(f"there is no line 'Task {missing[0]}:' with an answer below it")
    return [without_rules("\n".join(answers[task])) for task in range(1, number + 1)]


def read_to_last(text: str, number: int) -> list[str]:
    r"""The answers below the headers ``Task 1:`` to ``Task {number}:``, or that of the last alone.

    Raises :class:`InvalidAnswer` as :func:`read_answers` does.

    >>> read_to_last("Task 3: 42", 3), read_to_last("Task 1: 4\nTask 2: 5", 2)
    (['42'], ['4', '5'])
    """
    first, _, below = uncovered(text).partition("\n")
    head = header(first, _TASK, SEPARATOR)
    others = (header(line, _TASK, SEPARATOR) for line in below.splitlines())
    if head and int(head.label[1]) == number and not any(others):
        return [without_rules(f"{head.rest}\n{below}")]
    return read_answers(text, number)


def begins_with_header(text: str) -> bool:
    """Whether a text begins with a header such as ``Task 1:``."""
    first = text.lstrip().partition("\n")[0]
    return header(first, _TASK, SEPARATOR) is not None


def agrees(task: Puzzle, answer: str) -> bool:
    """Whether an answer is right by a second opinion, or the right answer itself."""
    return answer.split() == task.answer().split() or bool(task.audit(answer))


def judged(task: Puzzle, answer: str) -> Score:
    """The score of an answer that stands among others, which is 0 if it cannot be read."""
    try:
        text = answer if task.verbatim else unwrapped(answer)
        if not text.strip():
            raise InvalidAnswer("no answer", "no_answer")
        return task.verify(text)
    except InvalidAnswer as error:
        return Score(0, str(error), status=error.status)
