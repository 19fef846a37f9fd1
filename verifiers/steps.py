"""Judging the way and not only the end: verdicts on steps, credit for turns, the first error.

Two ways of earning by going on and on are shut: what is no step at all (no verdict, which is None)
counts nowhere, and a step or state that comes again counts once, with the worst it was given.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum, isfinite, prod
from typing import Literal, get_args

from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.verifiers.composites import BELOW_ONE
from palaestra.verifiers.reading import moves
from palaestra.verifiers.reading.numbers import integer
from palaestra.verifiers.verifier import GoldError, Judge, Verifier

How = Literal["min", "product", "mean", "last", "discounted"]

StepJudge = Callable[[Sequence[str], str], Score | None]
"""Called with the steps before and a step; gives its score, or None where it is no step."""


def aggregate(
    values: Sequence[float | None],
    how: How = "min",
    keys: Sequence[Hashable] | None = None,
    needed: int | None = None,
    gamma: float = 0.9,
) -> float:
    """What the verdicts on some steps (0 to 1, None for no step) come to, from 0 to 1.

    ``keys`` tell steps or states that are the same: only the first counts, with the least value
    that any of them has. Nothing at all is worth 0. Of what is left,

    - ``min``, ``product``: a chain is as good as its weakest link, or as all of them together. No
      further step raises these, of whatever value.
    - ``last``: only where it ends.
    - ``mean``: over the ``needed`` worst steps; where there are fewer, the missing ones are 0.
      So right steps beyond those that are needed raise nothing.
    - ``discounted``: the mean with weights of ``gamma ** t``, over at least ``needed`` steps: early
      slips weigh more. Right steps put before a slip make it a late one.

    The last two must be told how many steps are ``needed``. Where the player decides on the number
    of steps and a right step is easily found, use one of the first two.

    Raises ``ValueError`` for values that are off the scale and options that cannot work.

    >>> [aggregate([1, None, 0.5, 1], how) for how in ("min", "product", "last")]
    [0.5, 0.5, 1.0]
    >>> aggregate([1, 1, 1], "mean", keys="aab", needed=4)
    0.5
    """
    if how not in get_args(How) or not 0 <= gamma <= 1:
        raise ValueError(f"how is one of {', '.join(get_args(How))}, and 0 <= gamma <= 1")
    if how in ("mean", "discounted") and (needed is None or needed < 1):
        raise ValueError(f"{how} requires the number of needed steps")
    first_values = _once(values, keys)
    if how == "last":
        return first_values[-1] if first_values else 0.0
    value = _over_all(first_values, how, needed or 1, gamma) if first_values else 0.0
    # A mean of what is nearly right may be rounded up to 1.
    return value if min(first_values, default=0) == 1 else min(value, BELOW_ONE)


def _over_all(values: Sequence[float], how: How, needed: int, gamma: float) -> float:
    if how == "min":
        return min(values)
    if how == "product":
        return prod(values)
    if how == "mean":
        return fsum(sorted(values)[:needed]) / needed
    weights = [gamma**t for t in range(max(needed, len(values)))]
    return fsum(weight * value for weight, value in zip(weights, values)) / fsum(weights)


def _once(values: Sequence[float | None], keys: Sequence[Hashable] | None) -> list[float]:
    """The values of the steps that count, in their order."""
    if keys is not None and len(keys) != len(values):
        raise ValueError(f"{len(values)} values do not go with {len(keys)} keys")
    first_values: dict[Hashable, float] = {}
    for key, value in zip(range(len(values)) if keys is None else keys, values):
        if value is not None:
            if not 0 <= value <= 1:
                raise ValueError(f"the value of a step is from 0 to 1, not {value}")
            first_values[key] = min(first_values.get(key, 1.0), float(value))
    return list(first_values.values())


@dataclass(frozen=True, slots=True)
class StepScores(Verifier):
    r"""The steps of an answer, a line for each, judged one by one; see :func:`aggregate`.

    It says whether the steps are sound, not whether they lead anywhere: put it beside what judges
    the result, as in ``Gate(result, StepScores(...))``. A line that is there again (but for case
    and blanks) counts once. A step that ``judge`` leaves :class:`~palaestra.task.JudgeError` leaves
    the whole so; one that it cannot read is worth 0.

    >>> def grows(before, step):
    ...     return Score(not before or len(step) > len(before[-1]), "not longer than the last one")
    >>> StepScores(grows)("a\nab\nabc").value, StepScores(grows)("ab\na").reason
    (1.0, 'step 2: not longer than the last one')
    """

    judge: StepJudge
    how: How = "min"
    needed: int | None = None
    gamma: float = 0.9

    def __post_init__(self) -> None:
        try:
            aggregate([], self.how, None, self.needed, self.gamma)
        except ValueError as error:
            raise GoldError(str(error)) from None

    def verify(self, answer: str) -> Score:
        lines = moves.steps(answer)
        scores = [self._judged(lines[:index], line) for index, line in enumerate(lines)]
        values = [None if score is None else score.value for score in scores]
        keys = [" ".join(line.casefold().split()) for line in lines]
        value = aggregate(values, self.how, keys, self.needed, self.gamma)
        parts = {"steps": float(sum(score is not None for score in scores))}
        return Score(value, "" if value == 1 else self._reason(scores), parts)

    def _judged(self, before: Sequence[str], step: str) -> Score | None:
        try:
            score: object = self.judge(before, step)
        except InvalidAnswer as slip:
            return Score(0.0, str(slip), status=slip.status)
        if isinstance(score, JudgeError):
            raise score
        if score is not None and not isinstance(score, Score):
            raise JudgeError("the judge of a step gave no score")
        return score

    @staticmethod
    def _reason(scores: Sequence[Score | None]) -> str:
        for number, score in enumerate(scores, 1):
            if score is not None and not score.correct:
                return f"step {number}: {score.reason or 'not right'}"
        return "there are too few steps" if any(scores) else "there is no step"


def turn_credit(
    rewards: Sequence[float], gamma: float = 1.0, states: Sequence[Hashable] | None = None
) -> list[float]:
    """The return from each turn on: its reward and, discounted, all that come after.

    Where the ``states`` are given that the turns led to, a reward above 0 is paid once for
    each state: coming there again earns nothing, and a penalty is due each time.

    >>> turn_credit([0, 0, 1], gamma=0.5)
    [0.25, 0.5, 1.0]
    >>> turn_credit([1, 0, 1], states=["key", "door", "key"])
    [1.0, 0.0, 0.0]
    """
    _check_finite(rewards, gamma)
    credit: list[float] = []
    rest = 0.0
    for reward in reversed(rewards if states is None else _paid_once(rewards, states)):
        rest = reward + gamma * rest
        credit.append(rest)
    return credit[::-1]


def _paid_once(rewards: Sequence[float], states: Sequence[Hashable]) -> list[float]:
    if len(states) != len(rewards):
        raise ValueError(f"{len(rewards)} rewards do not go with {len(states)} states")
    paid: set[Hashable] = set()
    due: list[float] = []
    for reward, state in zip(rewards, states):
        due.append(0.0 if reward > 0 and state in paid else reward)
        if reward > 0:
            paid.add(state)
    return due


def potential_shaping(
    potentials: Sequence[float], gamma: float = 1.0, ended: bool = True
) -> list[float]:
    """Dense rewards from the potentials of the states passed through, one less than those.

    ``gamma * after - before`` for each step, which leaves the best policy the best (Ng, Harada &
    Russell 1999). Discounted they telescope to ``gamma ** T * last - first``: going round in a
    circle earns nothing. The state in which an episode has ``ended`` counts as 0, whatever its
    potential, since the sum would depend on it otherwise (Grzes 2017); say ``ended=False`` for
    a stretch of an episode that goes on, or where the sum itself is the score.

    >>> potential_shaping([0, 0.5, 0.25, 1], ended=False)
    [0.5, -0.25, 0.75]
    >>> potential_shaping([0, 0.5, 0.25, 1])
    [0.5, -0.25, -0.25]
    """
    _check_finite(potentials, gamma)
    known = [*potentials[:-1], 0.0] if ended else list(potentials)
    return [gamma * after - before for before, after in pairwise(known)]


def _check_finite(numbers: Sequence[float], gamma: float) -> None:
    if not all(map(isfinite, numbers)) or not 0 <= gamma <= 1:
        raise ValueError("rewards and potentials must be finite, and gamma from 0 to 1")


def first_error(steps: Sequence[str], judges: Judge | Sequence[Judge]) -> int:
    """The place, from 0, of the first step that its judge does not call right; -1 for none.

    One judge for all steps, or one for each. Those after the first error are not asked. Raises
    :class:`~palaestra.task.JudgeError` where a judge does that is asked.

    >>> first_error(["2", "4", "x"], lambda step: Score(step.isdigit()))
    2
    """
    if callable(judges):
        judges = [judges] * len(steps)
    elif len(judges) != len(steps):
        raise ValueError(f"{len(steps)} steps do not go with {len(judges)} judges")
    return next((n for n, (s, judge) in enumerate(zip(steps, judges)) if not judge(s).correct), -1)


@dataclass(frozen=True, slots=True)
class FirstError(Verifier):
    """Which step of a solution is the first wrong one: its place from 0, -1 for none; 1 or 0.

    The task of ProcessBench (Zheng et al. 2024). ``steps`` is how many there are. Whoever always
    says -1 is right on every sound solution, so report the two kinds apart, as :func:`process_f1`
    does.

    >>> FirstError(2, steps=5)("2").correct, FirstError(2, steps=5)("-1").reason
    (True, 'that is not the first wrong step')
    """

    gold: int
    steps: int

    def __post_init__(self) -> None:
        if not -1 <= self.gold < self.steps:
            raise GoldError(f"a first error is from -1 to {self.steps - 1}, not {self.gold}")

    def verify(self, answer: str) -> Score:
        index = integer(answer, "the number of a step, or -1")
        if not -1 <= index < self.steps:
            raise InvalidAnswer(f"not from -1 to {self.steps - 1}")
        right = index == self.gold
        return Score(right, "" if right else "that is not the first wrong step")


def process_f1(golds: Iterable[int], scores: Iterable[Score | JudgeError]) -> float:
    """The harmonic mean of the accuracies on flawed and on sound solutions, 0 to 1 (ProcessBench).

    0 where one of the kinds is missing. What is unscored is left out.

    >>> process_f1([2, -1, -1], [Score(1), Score(1), Score(0)])
    0.6666666666666666
    """
    right: dict[bool, list[bool]] = {True: [], False: []}
    for gold, score in zip(golds, scores, strict=True):
        if score.correct is not None:
            right[gold == -1].append(score.correct)
    if not all(right.values()):
        return 0.0
    one, other = (sum(outcomes) / len(outcomes) for outcomes in right.values())
    return 2 * one * other / (one + other) if one + other else 0.0
