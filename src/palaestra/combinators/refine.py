"""Answers that are revised after a reviewer's remarks."""

from collections.abc import Iterable
from hashlib import blake2b
from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler
from palaestra.combinators.combinator import Combinator
from palaestra.combinators.several_replies import SeveralReplies, chances, check_guesses
from palaestra.task import Play, Puzzle, Score, Task, Turn

OVERLOOKED = 1 / 3
"""How often the reviewer overlooks what is wrong, and makes the remark that right answers get."""


class RefineTask(SeveralReplies):
    """A puzzle whose answer is revised."""

    combinator: ClassVar["Refine"]

    overlooked: tuple[bool, ...]
    """Whether the reviewer overlooks what is wrong, answer by answer but for the last."""

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        answers = cls.combinator.answers
        check_guesses(task, answers, reasons=True)
        return cls(
            task=task, overlooked=tuple(rng.random() < OVERLOOKED for _ in range(answers - 1))
        )

    def play(self) -> Play:
        """The score is that of the last answer."""
        observation = f"{self.task.prompt()}\n\n{self._rule()}"
        history = blake2b(digest_size=8)
        scores: list[Score] = []
        for overlooked in (*self.overlooked, True):
            history.update(observation.encode("utf-8", "replace"))
            state = f"{len(scores)} {history.hexdigest()}"
            move, score = yield from self.answered(Turn(observation, state=state))
            history.update(move.encode("utf-8", "replace"))
            scores.append(score)
            observation = self._remark(score, overlooked, self.combinator.answers - len(scores))
        first, last = scores[0].value, scores[-1].value
        parts = {**scores[-1].parts, "first": first, "last": last, "improved": last - first}
        return Score(last, scores[-1].reason, parts, scores[-1].status)

    def _rule(self) -> str:
        number = self.combinator.answers
        return self.phrase(
            f"You answer {number} times. After each answer but the last, a reviewer makes a "
            "remark, which names what is wrong if the reviewer sees it. The reviewer overlooks "
            "some mistakes. Only the last answer is scored; to keep an answer, give it again.",
            f"There are {number} rounds, and the answer in the last one is scored. Between two "
            "rounds you read the remark of a reviewer, who names a mistake but does not see "
            "every one. An answer that you do not want to change has to be repeated.",
        )

    def _remark(self, score: Score, overlooked: bool, left: int) -> str:
        """What the player reads after an answer. A right answer and one whose mistake is
        overlooked get the same remark; one that cannot be read is never overlooked.
        """
        overlooked = overlooked and score.status == "scored"
        silent = overlooked or score.correct or not score.reason
        neutral = self.phrase(
            "check each part of the answer against the task",
            "go through the task once more and compare the answer with it",
        )
        rounds = "the last answer" if left == 1 else f"{left} answers left"
        return (
            f"A reviewer remarks: {neutral if silent else score.reason}. "
            f"Give your answer again, changed or not ({rounds})."
        )

    def solve(self) -> Iterable[str]:
        return [self.task.answer()] * self.combinator.answers

    def random_baseline(self) -> float:
        """A bound on what guesses earn that follow the remarks."""
        return chances(self.task, self.combinator.answers, reasons=True)[-1]


class Refine(Combinator):
    """An answer is revised after a reviewer's remark, and the last one is scored.

    There are as many ``answers``, with a remark after each but the last: the reason of the score,
    or a neutral one. Right answers get the neutral one, and so do a third of the others, so that
    the player has to judge whether to revise. Parts of the score are those of the ``first`` and the
    ``last`` answer, and the difference, ``improved``.
    """

    name: ClassVar[str] = "refine"
    version: ClassVar[int] = 2
    template: ClassVar[type[Combination]] = RefineTask

    answers: int = Field(2, ge=2, le=5)

    def class_variables(self, base: type[Task]) -> dict[str, Any]:
        return super().class_variables(base) | {"hidden": frozenset({"overlooked"})}
