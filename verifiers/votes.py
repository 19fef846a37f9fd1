"""Majority vote: what most answers to one question agree on, and how far to trust that.

A vote stands in for a gold answer where there is none (self-consistency, Wang et al. 2022; as a
reward in training, TTRL, Zuo et al. 2025). A model that is paid for agreeing with itself soon finds
an answer to agree on, so the agreement is told, and labels can be refused outside of bounds.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import fsum, log2
from typing import ClassVar

from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.verifiers.reading.values import plain
from palaestra.verifiers.replies import unwrapped
from palaestra.verifiers.verifier import GoldError, Verifier

MOST = 1_000
"""How many answers may vote."""

LONG = 2_000
"""An answer of more characters abstains: it is an essay, and nobody agrees with that."""

Equal = Callable[[str, str], bool]
"""Whether an answer (the second) says the same as another (the first)."""


@lru_cache(maxsize=MOST)
def plainly(answer: str) -> str:
    """Normalise an answer: without wrapping, case and spaces.

    >>> plainly(" **Forty  Two**. ")
    'forty two'
    """
    return " ".join(plain(unwrapped(answer)).casefold().split())


def alike(one: str, other: str) -> bool:
    """Return whether two answers are the same, except for wrapping, case and spaces.

    >>> alike("42", " $42$. "), alike("42", "42.0")
    (True, False)
    """
    return plainly(one) == plainly(other)


_NOBODY = r"(?:i |we )?(?:really |simply |just )?"
_THE_ANSWER = (
    r"(?: (?:(?:to )?(?:the|this|that|your)(?: correct| right| exact)?"
    r"(?: (?:answer|question|problem|task|one))?|it|what|how|which|either))*"
)
_ABSTAINS = re.compile(
    rf"(?:(?:i'm |i am )?sorry,? (?:but )?)?(?:"
    rf"{_NOBODY}(?:don't|do not|cannot|can't|could not|couldn't|am unable to|was unable to)"
    rf" (?:know|tell|say|answer|solve|find|determine|work out|figure out){_THE_ANSWER}(?: out)?"
    rf"|(?:i'm|i am|we are|we're)? ?(?:not (?:\w+ )?(?:sure|certain)|unable to (?:\w+){_THE_ANSWER}"
    rf"|unsure|uncertain|clueless)"
    rf"|(?:i have |i've )?(?:absolutely )?no (?:idea|clue|answer)|idk|dunno|i give up|i pass|n/a"
    rf")"
)
"""What people say who have no answer, in small letters; "unknown" or "none" may be one."""

_SAYING_NOTHING = re.compile(r"[?.\s\u2026_]*")


def blank(answer: str) -> bool:
    """Return whether an answer is empty or has no visible characters."""
    return not plain(answer)


def abstention(answer: str) -> bool:
    """Return whether an answer is empty or states that there is no answer.

    "Unknown", "none" and "cannot be determined" may be answers, and are taken for such.

    >>> [text for text in ("I don't know.", "?", "no idea", "unknown", "0") if abstention(text)]
    ["I don't know.", '?', 'no idea']
    """
    if len(answer) > LONG:
        return True
    plain_text = plainly(answer.replace("\u2019", "'"))
    return bool(
        _SAYING_NOTHING.fullmatch(plain_text) or _ABSTAINS.fullmatch(plain_text.rstrip(".! "))
    )


@dataclass(frozen=True, slots=True)
class Tally:
    """How a vote went: the classes of equal answers with their votes, those with most first.

    Each class goes by its most frequent answer (the shorter one, then the first in the alphabet
    among equally frequent ones).
    """

    classes: tuple[tuple[str, int], ...]
    abstained: int = 0

    @property
    def leader(self) -> str | None:
        """The answer with most votes, if it has more than every other."""
        if not self.classes or [votes for _, votes in self.classes[1:2]] == [self.classes[0][1]]:
            return None
        return self.classes[0][0]

    @property
    def agreement(self) -> float:
        """The share of all answers, abstentions included, in the largest class; 0 to 1."""
        total = self.abstained + sum(votes for _, votes in self.classes)
        return self.classes[0][1] / total if self.classes else 0.0

    @property
    def entropy(self) -> float:
        """Return Shannon's entropy of the classes, in bits: 0 if all answers are the same."""
        total = sum(votes for _, votes in self.classes)
        shares = [votes / total for _, votes in self.classes]
        return fsum(-share * log2(share) for share in shares) + 0.0


def poll(
    answers: Sequence[str], equal: Equal = alike, abstains: Callable[[str], bool] = abstention
) -> Tally:
    """Count the votes.

    Answers go into classes from the most frequent wording down: each joins the first class whose
    name it equals, or opens one. So the outcome depends neither on the order of the answers nor on
    ``equal`` being transitive: an answer in between two others joins the more frequent one. One
    that ``equal`` cannot read (it raises :class:`InvalidAnswer`) equals nothing. Time is that of
    one comparison for each pair of wordings and classes.

    >>> poll(["42", "$42$", "41", ""])
    Tally(classes=(('42', 2), ('41', 1)), abstained=1)
    """
    short = [answer for answer in answers if len(answer) <= LONG and not abstains(answer)]
    votes: dict[str, int] = {}
    wordings = Counter(short)
    for answer in sorted(wordings, key=lambda answer: (-wordings[answer], len(answer), answer)):
        name = next((name for name in votes if _same(equal, name, answer)), answer)
        votes[name] = votes.get(name, 0) + wordings[answer]
    ranked = sorted(votes.items(), key=lambda item: -item[1])
    return Tally(tuple(ranked), len(answers) - len(short))


def _same(equal: Equal, one: str, other: str) -> bool:
    try:
        return bool(equal(one, other))
    except InvalidAnswer:
        return False


@dataclass(frozen=True, slots=True)
class Majority(Verifier):
    """Whether an answer is the one that most of a group gave: 1 or 0.

    There is no such answer, and everything is :class:`~palaestra.task.JudgeError`, where two tie
    for most votes, where fewer than ``quorum`` of all answers (abstentions included) are of one
    class, and where that share is not within ``trusted``: below it the label is a guess, and above
    it a group that always agrees, on the easy mode or on a hack, has nothing left to learn from.

    ``equal`` is called with the name of the class and an answer, ``abstains`` with an answer; give
    functions of a module, so that it can be pickled. Raises :class:`GoldError` for no answers, too
    many of them, or shares that are none. The parts tell ``agreement`` and ``entropy``.

    >>> vote = Majority(["42", "42", "$42$", "41"])
    >>> vote(" 42.").correct, vote("41").value, vote.tally.agreement
    (True, 0.0, 0.75)
    """

    answers: Sequence[str]
    equal: Equal = alike
    quorum: float = 0.5
    abstains: Callable[[str], bool] = abstention
    trusted: tuple[float, float] = (0.0, 1.0)
    longest: ClassVar[int] = LONG
    tally: Tally = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 1 <= len(self.answers) <= MOST:
            raise GoldError(f"a vote has 1 to {MOST} answers, not {len(self.answers)}")
        low, high = self.trusted
        if not 0 <= self.quorum <= 1 or not 0 <= low <= high <= 1:
            raise GoldError("the quorum and the trusted share are from 0 to 1")
        object.__setattr__(self, "answers", tuple(self.answers))
        object.__setattr__(self, "tally", poll(self.answers, self.equal, self.abstains))

    def refusal(self) -> str:
        """Return why there is no label; an empty text if there is one."""
        low, high = self.trusted
        agreement = self.tally.agreement
        if not self.tally.classes:
            return "everybody abstained"
        if self.tally.leader is None:
            return "two answers tie for most votes"
        if agreement < self.quorum:
            return f"{agreement:.0%} agree, which is short of the quorum"
        return "" if low <= agreement <= high else f"{agreement:.0%} agree, which is not trusted"

    def __call__(self, answer: str) -> Score:
        """The score of any text whatever; unscored, also where it is blank, without a label."""
        if why := self.refusal():
            raise JudgeError(f"no label: {why}", "gold_error")
        return Verifier.__call__(self, answer)

    def verify(self, answer: str) -> Score:
        parts = {"agreement": self.tally.agreement, "entropy": self.tally.entropy}
        if self.abstains(answer):
            return Score(0.0, "it abstains", parts, "no_answer")
        right = _same(self.equal, self.tally.leader or "", answer)
        return Score(right, "" if right else "not what most answers say", parts)


def vote_rewards(
    answers: Sequence[str],
    equal: Equal = alike,
    quorum: float = 0.5,
    abstains: Callable[[str], bool] = abstention,
    trusted: tuple[float, float] = (0.0, 1.0),
) -> list[float | None]:
    """1 for each answer of a group that agrees with most of it, else 0; all None without a label.

    This is the reward of TTRL, with the guards of :class:`Majority`. Bounds such as
    ``trusted=(0.3, 0.9)`` leave out groups that know nothing and groups that know it all.

    >>> vote_rewards(["7", "7", "8", ""]), vote_rewards(["7", "8"])
    ([1.0, 1.0, 0.0, 0.0], [None, None])
    """
    if not answers:
        return []
    vote = Majority(answers, equal, quorum, abstains, trusted)
    if vote.refusal():
        return [None] * len(answers)
    return [vote(answer).value for answer in answers]
