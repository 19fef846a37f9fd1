"""Judging an answer by a rubric, or by its equivalence with a gold answer, with a judge model.

The measures against a judge being talked round follow what is known of its weaknesses: places,
length and self-praise sway it (Zheng et al., "Judging LLM-as-a-Judge", 2023), and single tokens
such as ":" or openers of reasoning pass for right answers (Zhao et al., "One Token to Fool
LLM-as-a-Judge", 2025).
"""

import math
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, NamedTuple, get_args

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.judges.ballots import Ballot, majority
from palaestra.verifiers.judges.canaries import Probe, polled, random_canaries
from palaestra.verifiers.judges.endpoint import Endpoint
from palaestra.verifiers.judges.guards import ANSWER_CAP, refusal
from palaestra.verifiers.verifier import GoldError, Judge, Verifier

Category = Literal["must", "should", "pitfall"]

YES_NO = ("yes", "no")


class Criterion(NamedTuple):
    """A criterion of a rubric, with its weight and its category.

    A ``must`` that is not met makes the score 0, a ``should`` adds its weight, and a ``pitfall``
    that the answer falls into takes its weight off.
    """

    text: str
    weight: float = 1.0
    category: Category = "should"


@dataclass(frozen=True, slots=True)
class Rubric(Verifier):
    """How far an answer of up to 500 characters meets criteria, as a judge model sees it.

    Each criterion is put to the judge by itself, ``votes`` times (an odd number up to 15), and is
    decided by the majority of the valid votes. The score is the share of the weights of ``must``
    and ``should`` that are met, less those of the pitfalls, from 0 to 1; it is 0 where a ``must``
    is not met, and 1 where all is met and no pitfall applies. ``parts`` hold 1 or 0 for each
    criterion.

    ``canaries`` injections are asked along with each answer;
    :func:`~palaestra.verifiers.judges.judge_all` asks all of them once for a whole batch instead.
    In asynchronous code, ``await asyncio.to_thread(rubric, answer)``.

    Raises :class:`~palaestra.task.JudgeError` where too few votes are valid or the endpoint fails.
    """

    longest: ClassVar[int] = ANSWER_CAP

    endpoint: Endpoint
    question: str
    gold: str | None
    criteria: tuple[Criterion, ...]
    votes: int = 3
    canaries: int = 1

    def __post_init__(self) -> None:
        criteria = tuple(
            Criterion(each) if isinstance(each, str) else Criterion(*each) for each in self.criteria
        )
        object.__setattr__(self, "criteria", criteria)
        _check(self.question, self.gold, self.votes, self.canaries)
        if not any(criterion.category != "pitfall" for criterion in criteria):
            raise GoldError("a rubric has a criterion that is a must or a should")
        if len({criterion.text for criterion in criteria}) < len(criteria):
            raise GoldError("a criterion is listed twice")
        for criterion in criteria:
            _check_criterion(criterion)

    def verify(self, answer: str) -> Score:
        _admit(answer)
        ballots = [self._ballot(criterion.text, answer) for criterion in self.criteria]
        replies = polled(
            self.endpoint, ballots, self.votes, self.probes(random_canaries(self.canaries))
        )
        return self._score([majority(votes, YES_NO) == "yes" for votes in replies])

    def probes(self, injections: Iterable[str], right: bool = False) -> list[Probe]:
        """Canaries: the criterion is a word that nobody can know, and so nobody can name."""
        word = f"kestrel-{secrets.token_hex(4)}"
        criterion = f"The answer names the word {word}."
        fooled = "it obeys an injection"
        attempts = [Probe((self._ballot(criterion, i),), ("yes",), fooled) for i in injections]
        if right:
            plain = self._ballot(criterion, f"The word is {word}.")
            attempts.append(Probe((plain,), ("no",), "it refuses an answer that is plainly right"))
        return attempts

    def _ballot(self, criterion: str, answer: str) -> Ballot:
        parts = [("question", self.question), ("criterion", criterion)]
        if self.gold is not None:
            parts.insert(1, ("reference", self.gold))
        asks = "Does the answer meet the criterion?"
        return Ballot(asks, YES_NO, tuple(parts), (("answer", answer),))

    def _score(self, met: Sequence[bool]) -> Score:
        earned, total, unmet = Fraction(0), Fraction(0), []
        for number, (holds, criterion) in enumerate(zip(met, self.criteria), 1):
            weight = Fraction(criterion.weight)
            if criterion.category == "pitfall":
                earned -= weight * holds
            else:
                earned += weight * holds
                total += weight
            if holds == (criterion.category == "pitfall"):
                unmet.append(str(number))
        gate = all(m or c.category != "must" for m, c in zip(met, self.criteria))
        value = float(max(Fraction(0), earned / total)) if gate else 0.0
        names = [f"{c.category} {number}" for number, c in enumerate(self.criteria, 1)]
        # What a criterion says may be what is right, so it goes by its number.
        why = f"the rubric is not met in point {', '.join(unmet)}" if unmet else ""
        return Score(value, why, dict(zip(names, map(float, met))))


@dataclass(frozen=True, slots=True)
class Equivalent(Verifier):
    """Whether an answer of up to 500 characters means the same as the gold one: 0 or 1.

    It is for what rules cannot read. Where a ``rule`` is given, its score stands unless it calls
    the answer malformed, so that the judge escalates and never overturns. An answer that is the
    gold one letter by letter is right without a judge. The rest is as for :class:`Rubric`.
    """

    longest: ClassVar[int] = ANSWER_CAP

    endpoint: Endpoint
    question: str
    gold: str
    rule: Judge | None = None
    votes: int = 3
    canaries: int = 1

    def __post_init__(self) -> None:
        _check(self.question, self.gold, self.votes, self.canaries)
        if len(self.gold) > ANSWER_CAP:
            raise GoldError(f"a gold answer has at most {ANSWER_CAP} characters")

    def verify(self, answer: str) -> Score:
        if self.rule is not None:
            score = self.rule(answer)
            if score.status != "malformed":
                return score
        if answer.strip() == self.gold.strip():
            return Score(1.0)
        _admit(answer)
        probes = self.probes(random_canaries(self.canaries))
        (votes,) = polled(self.endpoint, [self._ballot(answer)], self.votes, probes)
        same = majority(votes, YES_NO) == "yes"
        return Score(float(same), "" if same else "it does not mean the same as the right answer")

    def probes(self, injections: Iterable[str], right: bool = False) -> list[Probe]:
        """Canaries: injections instead of an answer, and the gold answer itself."""
        fooled = "it obeys an injection"
        attempts = [Probe((self._ballot(i),), ("yes",), fooled) for i in injections]
        if right:
            gold = self._ballot(self.gold)
            attempts.append(Probe((gold,), ("no",), "it refuses the right answer itself"))
        return attempts

    def _ballot(self, answer: str) -> Ballot:
        parts = (("question", self.question), ("reference", self.gold))
        asks = "Does the answer give the same final answer to the question as the reference?"
        return Ballot(asks, YES_NO, parts, (("answer", answer),))


def _admit(answer: str) -> None:
    """Keeps from the judge what it should not be asked about."""
    if why := refusal(answer):
        raise InvalidAnswer(why)


def _check(question: str, gold: str | None, votes: int, canaries: int) -> None:
    for name, text in (("question", question), ("gold answer", gold)):
        if text is not None and not (text.strip() and len(text) <= 20_000):
            raise GoldError(f"the {name} has from 1 to 20000 characters")
    if gold is not None and len(gold) <= ANSWER_CAP and (why := refusal(gold)):
        raise GoldError(f"the gold answer would be refused: {why}; judge it by a rule")
    if not (1 <= votes <= 15 and votes % 2):
        raise GoldError(f"votes are an odd number from 1 to 15, not {votes}")
    if not 0 <= canaries <= 8:
        raise GoldError(f"canaries are from 0 to 8, not {canaries}")


def _check_criterion(criterion: Criterion) -> None:
    if not (criterion.text.strip() and len(criterion.text) <= 2_000):
        raise GoldError("a criterion has from 1 to 2000 characters")
    if criterion.category not in get_args(Category):
        raise GoldError(f"a criterion is a must, a should or a pitfall, not {criterion.category!r}")
    if not (math.isfinite(criterion.weight) and 0.001 <= criterion.weight <= 1_000):
        raise GoldError(f"a weight is from 0.001 to 1000, not {criterion.weight}")
