"""A probability beside the answer."""

import re
from random import Random
from typing import ClassVar, Self

from palaestra.combination import Combination, Sampler
from palaestra.combinators.batch import agrees, judged
from palaestra.combinators.combinator import Combinator, OfOne
from palaestra.combinators.headers import SEPARATOR, header, uncovered, without_rules
from palaestra.task import InvalidAnswer, Puzzle, Score, Task
from palaestra.verifiers.reading.layout import bare, unbulleted
from palaestra.verifiers.reading.values import opened, plain
from palaestra.verifiers.replies import enclosed

_CONFIDENCE = re.compile("Confidence", re.IGNORECASE)
_PERCENTAGE = re.compile(
    r"(?:[~\u2248][ \t]?)?(\d{1,3}(?:\.\d{1,9})?)[ \t]?(?:\\?%|\uff05|per ?cent)\.?",
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
        parts = {
            **score.parts,
            "confidence": confidence,
            "correct": float(score.correct),
            "brier": (confidence - score.correct) ** 2,
        }
        return Score(score.value, score.reason, parts, score.status)

    def audit(self, answer: str) -> bool | None:
        return agrees(self.task, read_confidence(answer)[0])

    def random_baseline(self) -> float:
        return self.task.random_baseline()

    def shortcuts(self) -> list[str]:
        return [f"{shortcut}\nConfidence: 50%" for shortcut in self.task.shortcuts()]


class Confidence(Combinator):
    """The answer has the probability beside it that it is right.

    The score is that of the answer. Its parts have the ``confidence``, whether the answer is
    ``correct``, and the ``brier`` score, the square of the difference. The reward recipe
    :class:`palaestra.verifiers.shaping.Confidence` pays this confidence by a proper scoring rule.
    """

    name: ClassVar[str] = "confidence"
    version: ClassVar[int] = 2
    template: ClassVar[type[Combination]] = ConfidencePuzzle

    def refusal(self, base: type[Task]) -> str:
        if self.name in base.tags:
            return "its replies have a confidence already"
        return super().refusal(base)

    def class_variables(self, base: type[Task]) -> dict[str, object]:
        return super().class_variables(base) | {"verbatim": True, "longest": base.longest + 50}


def read_confidence(text: str) -> tuple[str, float]:
    r"""An answer and the probability in its last line, from 0 to 1.

    The line may be in Markdown, in brackets or in dollar signs. Raises :class:`InvalidAnswer`
    where the last line is none, or a second one stands anywhere above it.

    >>> read_confidence("42\nConfidence: 85%")
    ('42', 0.85)
    """
    above, _, last = uncovered(text).rpartition("\n")
    answer, confidence = without_rules(above), _stated(last)
    others = (_stated(line) is not None for line in above.splitlines())
    if confidence is None or not answer or any(others):
        raise InvalidAnswer(
            "expected an answer and, below it, a line 'Confidence: …%' with a number from 0 to 100"
        )
    if "\n" not in answer:
        answer = unbulleted([answer, last.lstrip()])[0]  # a dash before both is no minus sign
    return answer, confidence


def _stated(line: str) -> float | None:
    """The probability that a line states."""
    head = header(opened(line), _CONFIDENCE, SEPARATOR)
    stated = _PERCENTAGE.fullmatch(plain(_number(head.rest))) if head else None
    confidence = float(stated[1]) / 100 if stated else 2.0
    return confidence if confidence <= 1 else None


def _number(text: str) -> str:
    r"""What stands behind the colon, without emphasis and the signs of a formula.

    >>> _number(r"**$85\%$**"), _number("85%")
    ('85\\%', '85%')
    """
    inner = bare(text)
    return enclosed(inner, "$", "$") or enclosed(inner, r"\(", r"\)") or inner
