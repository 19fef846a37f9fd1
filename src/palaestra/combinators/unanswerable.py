"""Some of the tasks have no solution."""

import re
from itertools import islice
from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.combinator import UNANSWERABLE, Combinator, OfOne
from palaestra.combinators.parts import parts_of
from palaestra.task import JudgeError, Puzzle, Score, Task

NO_SOLUTION = "no solution"

_TASKS = ("task", "puzzle", "problem")
_SOLUTIONS = ("solution", "solutions", "valid solution", "valid solutions")
_THERE = ("", "there is ", "there are ", "theres ")
_ENDS = ("exists", "exist", "possible", "is possible", "are possible")

_SUBJECTS = ("it", "this", *(f"{a} {b}" for a in ("the", "this") for b in _TASKS))
_PREDICATES = (
    *(f"has no {solution}" for solution in _SOLUTIONS),
    *("is impossible", "is unsolvable", "is not solvable"),
    *("cannot be solved", "can not be solved", "cant be solved"),
)
SAYINGS = frozenset(
    {
        *(f"{subject} {predicate}" for subject in _SUBJECTS for predicate in _PREDICATES),
        *(f"{there}no {solution}" for there in _THERE for solution in _SOLUTIONS),
        *(f"no {solution} {end}" for solution in _SOLUTIONS for end in _ENDS),
        *("its impossible", "its unsolvable", "its not solvable"),
        *("impossible", "unsolvable", "not solvable", "cannot be solved", "none exists"),
    }
)
"""What a reply may say in place of ``no solution``, in small letters, without an apostrophe
or a full stop.
"""

ALTERATIONS = 40
"""How many alterations of a task are tried."""

CHANGES = 5
"""How many details of a task are altered at most."""

REFUTED = 3
"""How many alterations without a solution are compared; the one with the longest proof is shown."""


class UnanswerablePuzzle(OfOne, Puzzle):
    """A puzzle that may have no solution, which is the right answer then."""

    combinator: ClassVar["Unanswerable"]

    altered: Puzzle | None
    """The puzzle shown in place of the task, which has no solution; None where the task is."""

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        """The alteration is computed on either side of the draw, so that the tasks which have one
        are as frequent among the solvable ones.
        """
        impossible = rng.random() * 100 < cls.combinator.percent
        altered = unsolvable(task, rng)
        if altered is None:
            raise Unsuitable("no alteration of its tasks is proved to have no solution")
        return cls(task=task, altered=altered if impossible else None)

    def shown(self) -> Puzzle:
        """The puzzle that the prompt puts."""
        return self.altered or self.task

    def canonical(self) -> str:
        twin = "" if self.altered is None else f"\n{self.altered.canonical()}"
        return f"{self.task.canonical()}{twin}"

    def prompt(self) -> str:
        request = self.phrase(
            "Whatever is stated above, it may be that this task has no solution at all. If so, the "
            f"right answer is: {NO_SOLUTION}",
            "Some of these tasks cannot be solved, even if the text above speaks of a solution. If "
            f"nothing satisfies all conditions, answer with the words: {NO_SOLUTION}",
        )
        return f"{self.shown().prompt()}\n\n{request}"

    def answer(self) -> str:
        return NO_SOLUTION if self.altered else self.task.answer()

    def verify(self, answer: str) -> Score:
        """The score is that of the task where it has a solution. Where it has none, only the reply
        that there is none scores.
        """
        parts = {"impossible": float(self.altered is not None)}
        if says_none(answer):
            parts["no solution"] = 1.0
            if self.altered:
                return Score(1, parts=parts)
            return Score(0, "there is a solution", parts)
        parts["no solution"] = 0.0
        score = self.shown().verify(answer)
        if self.altered and score.correct:
            raise JudgeError("a task that was proved to have no solution has one")
        value = 0.0 if self.altered else score.value
        return Score(value, score.reason, {**parts_of(score, value), **parts}, score.status)

    def audit(self, answer: str) -> bool | None:
        if says_none(answer):
            return self.altered is not None
        return self.shown().audit(answer) if self.altered is None else False

    def random_baseline(self) -> float:
        """What the better of two players earns: one who always says that there is no solution, and
        one who never does and guesses.
        """
        share = self.combinator.percent / 100
        return max(share, (1 - share) * self.task.random_baseline())

    def baselines(self, rng: Random) -> dict[str, str]:
        return {f"always '{NO_SOLUTION}'": NO_SOLUTION}

    def shortcuts(self) -> list[str]:
        return [NO_SOLUTION, *self.task.shortcuts()]


class Unanswerable(Combinator):
    """Some of the tasks are altered so that they have no solution, which is then the right answer.

    ``percent`` of the tasks are, on average. An alteration changes a detail, mostly by letting two
    clues change places, so that counts, sizes and sums stay as they are; that no solution is left
    is proved by the environment's solver, or by the theorem that the docstring of its
    ``refutation`` names. Who always replies ``no solution`` earns ``percent`` in 100.
    """

    name: ClassVar[str] = UNANSWERABLE
    version: ClassVar[int] = 2
    template: ClassVar[type[Combination]] = UnanswerablePuzzle

    percent: int = Field(50, ge=10, le=90)

    def refusal(self, base: type[Task]) -> str:
        if refusal := super().refusal(base):
            return refusal
        if not offers_alterations(base):
            return "it is for environments with alterations that are proved to have no solution"
        return ""

    def fields(self, base: type[Task]) -> dict[str, Any]:
        return super().fields(base) | {"altered": base | None}


def offers_alterations(base: type[Task]) -> bool:
    """Whether an environment has alterations of its tasks that may have no solution."""
    return issubclass(base, Puzzle) and base.alterations is not Puzzle.alterations


def unsolvable(task: Puzzle, rng: Random) -> Puzzle | None:
    """An alteration of a task that is proved to have no solution, though not at a glance.

    Of several, it is the one whose proof takes most effort. Where all keep a solution, one of them
    is altered further. None if none is among those tried.
    """
    current = task
    for _ in range(CHANGES):
        best, most, count, solvable = None, 0.0, 0, None
        for altered in islice(current.alterations(rng), ALTERATIONS):
            effort = task.refutation(altered)
            if effort is None:
                solvable = solvable or altered
            elif effort:
                count += 1
                if effort > most:
                    best, most = altered, effort
                if count == REFUTED:
                    break
        if best or not solvable:
            return best
        current = solvable
    return None


def says_none(answer: str) -> bool:
    """Whether an answer says that there is no solution, in one of the ``SAYINGS``.

    >>> says_none("No solution."), says_none("**There is no solution!**"), says_none("none")
    (True, True, False)
    """
    if len(answer) > 200:
        return False
    words = re.sub(r"[\"'`*_$\u2019]", "", answer).casefold().strip(" \t\n.!:")
    return " ".join(words.split()).removesuffix(" at all") in SAYINGS
