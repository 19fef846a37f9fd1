"""Further tries after a wrong reply."""

from random import Random
from typing import ClassVar, Literal, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler
from palaestra.combinators.combinator import Combinator
from palaestra.combinators.parts import parts_of
from palaestra.combinators.several_replies import (
    SeveralReplies,
    chances,
    check_guesses,
    normal_form,
)
from palaestra.task import Play, Puzzle, Score, Turn


class RetryTask(SeveralReplies):
    """A puzzle with several tries."""

    combinator: ClassVar["Retry"]

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        check_guesses(task, cls.combinator.tries, cls.combinator.feedback == "reason")
        return cls(task=task)

    def play(self) -> Play:
        """The score is that of the last try divided by the number of tries."""
        observation = f"{self.task.prompt()}\n\n{self._rule()}"
        earlier: set[str] = set()
        score = Score(0)
        for number in range(1, self.combinator.tries + 1):
            turn = Turn(observation, state=f"{number} {sorted(earlier)}")
            move, score = yield from self.answered(turn)
            # Only a wrong answer can be a repeated one, even where forms agree and answers do not.
            if score.correct:
                break
            if form := normal_form(move):
                score = Score(0, "this answer was given before") if form in earlier else score
                earlier.add(form)
            left = self.combinator.tries - number
            observation = f"{self._feedback(score)} {_tries(left).capitalize()} left."
        solved = f"right at try {number}" if number > 1 else ""
        value = score.value / number
        return Score(
            value,
            solved if score.correct else score.reason,
            {**parts_of(score, value), "solved": float(score.correct), "tries": float(number)},
            score.status,
        )

    def _rule(self) -> str:
        tries = _tries(self.combinator.tries)
        return self.phrase(
            f"You have {tries}. An answer that is right at try n scores 1/n.",
            f"If your answer is wrong, you can try again: there are {tries} in all, and a right "
            "answer at the n-th try scores 1/n.",
        )

    def _feedback(self, score: Score) -> str:
        match self.combinator.feedback:
            case "none":
                return "Try again."
            case "verdict":
                return "Your answer is wrong. Try again."
            case "reason":
                reason = f": {score.reason}" if score.reason else ""
                return f"Your answer is wrong{reason}. Try again."

    def random_baseline(self) -> float:
        """What guesses earn: the chance of the task at each try, discounted, which is somewhat more
        than distinct ones do. With reasons, it is a bound on what a player earns who follows them.
        """
        tries, feedback = self.combinator.tries, self.combinator.feedback
        each = chances(self.task, tries, feedback == "reason")
        return min(1.0, sum(chance / number for number, chance in enumerate(each, 1)))


class Retry(Combinator):
    """A wrong answer may be followed by another, up to a number of tries, with less credit.

    A right answer at the n-th of ``tries`` scores 1/n. ``feedback`` is what a player reads after
    a wrong one: only to try again (``none``), that it is wrong (``verdict``, which is unary
    feedback: the fact alone), or also why (``reason``). A repeated answer scores 0. Reasons narrow
    down the right answer, so that tasks with few possible answers have fewer tries with them.
    """

    name: ClassVar[str] = "retry"
    version: ClassVar[int] = 2
    template: ClassVar[type[Combination]] = RetryTask

    tries: int = Field(3, ge=2, le=10)
    feedback: Literal["none", "verdict", "reason"] = "verdict"


def _tries(number: int) -> str:
    return "1 try" if number == 1 else f"{number} tries"
