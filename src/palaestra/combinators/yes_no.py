"""Whether a claimed answer is right."""

import re
from random import Random
from typing import ClassVar, Self

from palaestra.combination import Combination, Sampler
from palaestra.combinators.combinator import OfClaims, OfOne
from palaestra.combinators.near_misses import near_miss, normal
from palaestra.task import InvalidAnswer, Puzzle, Score
from palaestra.verifiers.replies import unwrapped

LONGEST = 200
"""How many characters a verdict may have."""

WORDS = {"yes": True, "right": True, "correct": True, "true": True}
WORDS |= {"no": False, "wrong": False, "incorrect": False, "false": False}

_VERDICT = re.compile(
    r"(?:(?:it|this|that|(?:the|this|that) (?:(?:claimed|given|stated) )?(?:answer|claim))"
    rf"(?: is|'s) )?(?:(?:{'|'.join(WORDS)})|not (?:right|correct|true))"
)
_LEAD = re.compile(r"(?:(?:my|the) )?verdict(?: is|:) ")
_BETWEEN = re.compile(r"[.,;:!] | [-\u2013\u2014] ")


class YesNoPuzzle(OfOne, Puzzle):
    """A puzzle with a claimed answer, which is right or not."""

    claim: str
    right: bool

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        claim, right = claimed(task, rng, another)
        return cls(task=task, claim=claim, right=right)

    def prompt(self) -> str:
        question = self.phrase("Is this answer right?", "Somebody claims this answer. Is it right?")
        return (
            f"{self.task.prompt()}\n\n{question}\n\n{self.claim}\n\n"
            "The answer to give is yes or no."
        )

    def answer(self) -> str:
        return "yes" if self.right else "no"

    def verify(self, answer: str) -> Score:
        if verdict(answer) == self.right:
            return Score(1)
        return Score(0, "it is the other way round")

    def random_baseline(self) -> float:
        return 0.5


class YesNo(OfClaims):
    """An answer is claimed, and is right in one of two tasks; the question is whether it is."""

    name: ClassVar[str] = "yes_no"
    version: ClassVar[int] = 3
    template: ClassVar[type[Combination]] = YesNoPuzzle


def verdict(text: str, expected: str = "yes or no") -> bool:
    """The verdict that a text is: one of ``WORDS``, or a clause or two with one, which agree.

    Raises :class:`InvalidAnswer`, with what was ``expected``, for another text.

    >>> verdict("Yes."), verdict("**incorrect**"), verdict("No, it is not right.")
    (True, False, False)
    """
    verdicts = set[bool]()
    for clause in _clauses(text):
        if not _VERDICT.fullmatch(clause):
            raise InvalidAnswer(f"expected {expected}")
        *before, word = clause.split(" ")
        verdicts.add(WORDS[word] and "not" not in before)
    if len(verdicts) != 1:
        raise InvalidAnswer(f"expected {expected}")
    return verdicts.pop()


def _clauses(text: str) -> list[str]:
    """The clauses of a short text in small letters; none for a text of more than two."""
    if len(text) > LONGEST:
        return []
    body = unwrapped(text).casefold().replace("\u2019", "'").replace("n't", " not")
    body = " ".join(body.replace("*", "").split()).strip(" _.!:\"'`")
    clauses = _BETWEEN.split(body.removeprefix(lead[0] if (lead := _LEAD.match(body)) else ""))
    return clauses if len(clauses) <= 2 else []


def claimed(task: Puzzle, rng: Random, another: Sampler) -> tuple[str, bool]:
    """An answer that is right with a chance of one half, and else a near miss of a right one."""
    right = task.answer()
    wrong = near_miss(task, right, {normal(right)}, rng, another)
    return (right, True) if rng.random() < 0.5 else (wrong, False)
