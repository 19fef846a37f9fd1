"""A task whose answer decides which of several others is asked."""

from random import Random
from typing import Any, ClassVar, Self

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.batch import distinct_tasks, judged
from palaestra.combinators.links import (
    LinkedPuzzle,
    OfLinks,
    described,
    number_in,
    number_named,
)
from palaestra.task import Puzzle, Task


class BranchPuzzle(LinkedPuzzle):
    """A puzzle among several, which the answer to another one, its only link, selects."""

    combinator: ClassVar["Branch"]

    others: tuple[Puzzle, ...]
    """The tasks that are not selected."""

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        """The selected task is the base's at the same seed; where it stands, the answer decides."""
        tasks = distinct_tasks(task, another, cls.combinator.n)
        answers = [each.answer() for each in tasks]
        for n, each in enumerate(tasks):
            if any(judged(each, text).correct for m, text in enumerate(answers) if m != n):
                raise Unsuitable("an answer is right for several of its tasks")
        number = cls.combinator.n
        link = cls.combinator.link_with(rng.randrange(number), number, rng, task.held_out())
        return cls(task=task, links=(link,), others=tasks[1:])

    def prompt(self) -> str:
        number = len(self.others) + 1
        link, tasks = self.links[0], list(self.others)
        selected = number_in(link) % number
        tasks.insert(selected, self.task)
        opening = self.phrase(
            "Solve task 1. Its answer decides which of the other tasks you solve next.",
            "The answer to task 1 selects one of the tasks below it, which you solve, too.",
        )
        sections = [f"Task 1:\n{link.prompt()}"]
        sections += [f"Task 2, case {n}:\n{task.prompt()}" for n, task in enumerate(tasks)]
        return (
            "\n\n".join([opening, *sections])
            + f"\n\nThe case of task 2 is the remainder of {number_named(link, 1)} divided by "
            f"{number}, which is from 0 to {number - 1}, also of a negative number. Solve task 2 "
            "in this case, and give its answer alone, in the form that it states."
        )

    def canonical(self) -> str:
        return "\n".join(task.canonical() for task in (*self.links, self.task, *self.others))


class Branch(OfLinks):
    """The answer to a task of another environment decides which of several tasks is asked.

    The first task is of the environment ``other`` at ``level``, which is named with a dot, as
    ``arithmetic.word_problem``. There are ``n`` tasks of the base, no answer to which is right for
    another; the one that is selected is judged. All cases are equally frequent.
    """

    name: ClassVar[str] = "branch"
    version: ClassVar[int] = 2
    template: ClassVar[type[Combination]] = BranchPuzzle

    def fields(self, base: type[Task]) -> dict[str, Any]:
        several: Any = tuple[base, ...]  # type: ignore[valid-type]
        return described(super().fields(base), base, self.other) | {"others": several}
