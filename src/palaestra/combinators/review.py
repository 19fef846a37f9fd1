"""A claimed answer, which is to be accepted or corrected."""

import re
from random import Random
from typing import ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler
from palaestra.combinators.batch import agrees, judged
from palaestra.combinators.combinator import OfClaims, OfOne
from palaestra.combinators.headers import COLON, header, uncovered, unmarked, without_rules
from palaestra.combinators.near_misses import near_miss, normal
from palaestra.combinators.yes_no import verdict
from palaestra.task import InvalidAnswer, Puzzle, Score, Task

_WRONG = re.compile(r"(?:wrong|incorrect)(?!\w)", re.IGNORECASE)
_CORRECTION = re.compile(
    r"(?:(?:the|a|my)[ \t])?(?:right|correct|corrected)[ \t](?:answer|value|result)", re.IGNORECASE
)
_IS = re.compile(r"[ \t]{0,3}(?:(?:is[ \t]{0,3})?[:=\uff1a]|is(?=[ \t]|$)|$)", re.IGNORECASE)


class ReviewPuzzle(OfOne, Puzzle):
    """A puzzle with a claimed answer, which is right or is to be replaced by a right one."""

    combinator: ClassVar["Review"]

    claim: str
    right: bool

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        answer = task.answer()
        wrong = near_miss(task, answer, {normal(answer)}, rng, another)
        right = 100 * rng.random() < cls.combinator.percent
        return cls(task=task, claim=answer if right else wrong, right=right)

    def prompt(self) -> str:
        question = self.phrase(
            "Somebody gives this answer. Review it:", "Review the following answer to this task:"
        )
        return (
            f"{self.task.prompt()}\n\n{question}\n\n{self.claim}\n\n"
            "If it is right, the answer to give is the word right. If it is wrong, write the word "
            "wrong in a line of its own, and a right answer below it:\nwrong\n(a right answer)"
        )

    def answer(self) -> str:
        return "right" if self.right else f"wrong\n{self.task.answer()}"

    def verify(self, answer: str) -> Score:
        """A wrong claim has to be named wrong and corrected."""
        accepted, correction = read_review(answer)
        parts = {"verdict": float(accepted == self.right)}
        if accepted != self.right:
            reason = "the claimed answer is right" if self.right else "the claimed answer is wrong"
            return Score(0, reason, parts)
        if self.right:
            return Score(1, parts=parts)
        score = judged(self.task, correction)
        return Score(float(score.correct), score.reason, parts, score.status)

    def audit(self, answer: str) -> bool | None:
        accepted, correction = read_review(answer)
        claim_is_right = self.task.verify(self.claim).correct
        return accepted == claim_is_right and (claim_is_right or agrees(self.task, correction))

    def random_baseline(self) -> float:
        return self.combinator.percent / 100

    def shortcuts(self) -> list[str]:
        return ["right", f"wrong\n{self.claim}"]


class Review(OfClaims):
    """A claimed answer is to be accepted if it is right, and corrected if it is wrong.

    It is right in ``percent`` of the tasks, which is what a reply earns that accepts every claim.
    The verdict on a wrong claim earns nothing without a right answer below it; it is the part
    ``verdict`` of the score.
    """

    name: ClassVar[str] = "review"
    version: ClassVar[int] = 4
    template: ClassVar[type[Combination]] = ReviewPuzzle

    percent: int = Field(20, ge=5, le=80)

    def class_variables(self, base: type[Task]) -> dict[str, object]:
        return super().class_variables(base) | {"verbatim": True, "longest": base.longest + 50}


def read_review(text: str) -> tuple[bool, str]:
    r"""Whether a review accepts the claim, and the correction, which is empty if it does.

    Raises :class:`InvalidAnswer` where the first line is no verdict, where there are two, or where
    a correction is missing.

    >>> read_review("Wrong.\n42"), read_review("right")
    ((False, '42'), (True, ''))
    """
    first, _, below = uncovered(text).partition("\n")
    if (head := header(first, _WRONG, COLON)) and head.rest:
        return False, _correction(f"{head.rest}\n{below}")
    if not verdict(unmarked(first), "right or wrong"):
        return False, _correction(below)
    if any(header(line, _WRONG, COLON) for line in below.splitlines()):
        raise InvalidAnswer("expected right or wrong, not both")
    return True, ""


def _correction(text: str) -> str:
    """The answer that replaces a wrong claim, without words such as "The right answer is"."""
    first, _, below = without_rules(text).partition("\n")
    head = header(first, _CORRECTION, _IS)
    correction = f"{head.rest if head else first}\n{below}".strip()
    if not correction:
        raise InvalidAnswer("expected a right answer below the word wrong")
    return correction
