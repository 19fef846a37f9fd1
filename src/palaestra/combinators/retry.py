"""Further tries after a wrong reply."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import ClassVar, Literal, Self

from pydantic import Field

from palaestra.combinators.combinator import (
    Combination,
    Combinator,
    OfOne,
    Sampler,
    Unsuitable,
)
from palaestra.task import InvalidAnswer, Play, Policy, Puzzle, Score, Turn

GUESSABLE = 0.05
"""What all tries together may earn a player who guesses."""


class RetryTask(OfOne):
    """A puzzle with several tries."""

    combinator: ClassVar["Retry"]

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        chance, tries = task.random_baseline(), cls.combinator.tries
        if chance * tries > GUESSABLE:
            raise Unsuitable(
                f"a guess is right with a chance of {chance:.2g}, so that {tries} guesses are "
                f"right more often than {GUESSABLE}; use a higher level, or fewer tries"
            )
        return cls(task=task)

    def play(self) -> Play:
        """The score is that of the last try divided by the number of tries."""
        observation = f"{self.task.prompt()}\n\n{self._rule()}"
        earlier: set[str] = set()
        score = Score(0)
        for number in range(1, self.combinator.tries + 1):
            try:
                move = yield Turn(observation, state=f"{number} {sorted(earlier)}")
                score = self._judged(move, earlier)
            except InvalidAnswer as error:
                score = Score(0, str(error), status=error.status)
            if score.correct:
                break
            left = self.combinator.tries - number
            observation = f"{self._feedback(score)} {_tries(left).capitalize()} left."
        solved = f"right at try {number}" if number > 1 else ""
        return Score(
            score.value / number,
            solved if score.correct else score.reason,
            {**score.parts, "solved": float(score.correct), "tries": float(number)},
            score.status,
        )

    def _rule(self) -> str:
        tries = _tries(self.combinator.tries)
        return self.phrase(
            f"You have {tries}. An answer that is right at try n scores 1/n.",
            f"If your answer is wrong, you can try again: there are {tries} in all, and a right "
            "answer at the n-th try scores 1/n.",
        )

    def _judged(self, move: str, earlier: set[str]) -> Score:
        """The score of an answer; one that was given before scores 0."""
        if not move.strip():
            raise InvalidAnswer("no answer", "no_answer")
        normal = " ".join(move.casefold().split())
        if normal in earlier:
            return Score(0, "this answer was given before")
        earlier.add(normal)
        return self.task.verify(move)

    def _feedback(self, score: Score) -> str:
        match self.combinator.feedback:
            case "none":
                return "Try again."
            case "verdict":
                return "Your answer is wrong. Try again."
            case "reason":
                return f"Your answer is wrong: {score.reason}. Try again."

    def solve(self) -> Iterable[str]:
        return [self.task.answer()]

    def random_baseline(self) -> float:
        """That of the task for each try, discounted; somewhat more than distinct guesses earn."""
        tries = range(1, self.combinator.tries + 1)
        return min(1.0, self.task.random_baseline() * sum(1 / number for number in tries))

    def baselines(self, rng: Random) -> Mapping[str, str | Policy]:
        return {name: _always(play) for name, play in self.task.baselines(rng).items()}

    def shortcuts(self) -> Iterable[str]:
        return self.task.shortcuts()


class Retry(Combinator):
    """A wrong answer may be followed by another, up to a number of tries, with less credit.

    A right answer at the n-th of ``tries`` scores 1/n. ``feedback`` is what a player reads after
    a wrong one: only to try again (``none``), that it is wrong (``verdict``, which is unary
    feedback: the fact alone), or also why (``reason``). A repeated answer scores 0.
    """

    name: ClassVar[str] = "retry"
    template: ClassVar[type[Combination]] = RetryTask

    tries: int = Field(3, ge=2, le=10)
    feedback: Literal["none", "verdict", "reason"] = "verdict"


def _tries(number: int) -> str:
    return "1 try" if number == 1 else f"{number} tries"


def _always(play: str | Policy) -> Policy:
    return (lambda _: play) if isinstance(play, str) else play
