"""A probability beside the answer."""

import re
from random import Random
from typing import ClassVar, Self

from palaestra.combinators.batch import agrees, judged
from palaestra.combinators.combinator import Combination, Combinator, OfOne, Sampler
from palaestra.task import InvalidAnswer, Puzzle, Score, Task

_LAST_LINE = re.compile(
    r"[ \t*_]{0,8}Confidence[ \t*_]{0,8}:[ \t*_]{0,8}(\d{1,3})(?:\.(\d{1,3}))?[ \t]?%[ \t*_.]{0,8}",
    re.IGNORECASE | re.ASCII,
)


class ConfidencePuzzle(OfOne, Puzzle):
    """A puzzle whose answer has a probability beside it."""

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        return cls(task=task)

    def prompt(self) -> str:
        request = self.phrase(
            "Below your answer, state the probability that it is right",
            "Then estimate the probability that your answer is right, and state it below it",
        )
        return (
            f"{self.task.prompt()}\n\n{request}, as a percentage in a line of its own, for "
            "example\nConfidence: 65%"
        )

    def answer(self) -> str:
        return f"{self.task.answer()}\nConfidence: 100%"

    def verify(self, answer: str) -> Score:
        """The score is that of the answer; the confidence and its Brier score are parts of it."""
        text, confidence = read_confidence(answer)
        score = judged(self.task, text)
        brier = (confidence - score.correct) ** 2
        parts = {**score.parts, "confidence": confidence, "brier": brier}
        return Score(score.value, score.reason, parts, score.status)

    def audit(self, answer: str) -> bool | None:
        return agrees(self.task, read_confidence(answer)[0])

    def random_baseline(self) -> float:
        return self.task.random_baseline()

    def shortcuts(self) -> list[str]:
        return [f"{shortcut}\nConfidence: 50%" for shortcut in self.task.shortcuts()]


class Confidence(Combinator):
    """The answer has the probability beside it that it is right.

    The score is that of the answer. Its parts have the ``confidence`` and the ``brier`` score, the
    square of its error, which the reward recipe
    :class:`palaestra.verifiers.shaping.Confidence` pays by a proper scoring rule.
    """

    name: ClassVar[str] = "confidence"
    template: ClassVar[type[Combination]] = ConfidencePuzzle

    def class_variables(self, base: type[Task]) -> dict[str, object]:
        return super().class_variables(base) | {"verbatim": True, "longest": base.longest + 50}


def read_confidence(text: str) -> tuple[str, float]:
    r"""An answer and the probability in its last line, from 0 to 1.

    Raises :class:`InvalidAnswer` where the last line is none.

    >>> read_confidence("42\nConfidence: 85%")
    ('42', 0.85)
    """
    answer, _, last = text.strip().rpartition("\n")
    stated = _LAST_LINE.fullmatch(last.strip())
    confidence = float(f"{stated[1]}.{stated[2] or 0}") / 100 if stated else 2.0
    if confidence > 1 or not answer.strip():
        raise InvalidAnswer(
            "expected an answer and, below it, a line 'Confidence: …%' with a number from 0 to 100"
        )
    return answer, confidence
