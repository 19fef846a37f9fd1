"""The algebra of verifiers: several of them, each by its name, judged as one.

A member is anything that is called like a verifier; its value becomes a part of the score under
its name, and its own parts stand below it (``name/part``). Composites are verifiers themselves, so
they nest. Every member is asked, and one that is unscored leaves the whole unscored; only a closed
:class:`Gate` asks no further. What cannot work (a member off the scale from 0 to 1, a whole that no
answer could satisfy) is refused when it is built.

>>> word = All({"letters": Holds(str.isalpha, "other signs"), "low": Holds(str.islower)})
>>> word("ab").correct, word("a1").reason, dict(word("a1").parts)
(True, 'letters: other signs', {'letters': 0.0, 'low': 1.0})
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum, nextafter, prod
from typing import ClassVar, cast

from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.verifiers.verifier import LONGEST, GoldError, Judge, Verifier

DEPTH = 16
"""How deep composites may nest."""

CALLS = 1_000
"""How many members a composite may ask in all, those of its members included."""

TOLD = 3
"""How many members a reason speaks of."""

LIGHTEST, HEAVIEST = 1e-9, 1e9
"""Where weights above 0 lie, so that the sum is finite and no share vanishes."""

FINEST = 2**50
"""How many marks a scale may have; a float tells so many apart."""

BELOW_ONE = nextafter(1, 0)
"""The highest value of an answer that is not right."""

Members = Mapping[str, Judge] | Sequence[tuple[str, Judge]]
"""Judges by name: a dict or pairs. Their order is the order they are asked in."""


@dataclass(frozen=True, slots=True)
class Holds(Verifier):
    """Score 1 if a predicate is true of an answer, otherwise 0. The simplest member of a composite.

    >>> Holds(str.isdigit, "not a row of digits")("x").reason
    'not a row of digits'
    """

    test: Callable[[str], bool]
    reason: str = "it does not hold"

    def verify(self, answer: str) -> Score:
        return Score(1.0) if self.test(answer) else Score(0.0, self.reason)


@dataclass(frozen=True, slots=True)
class Composite(Verifier):
    """Base of all composites. A subclass defines its members and how their scores are combined.

    ``low`` and ``high`` are the range of its values, worked out from those of the members: a judge
    has its range in attributes of these names, and is taken to go from 0 to 1 where it has none.
    """

    low: float = field(init=False, repr=False, compare=False)
    high: float = field(init=False, repr=False, compare=False)
    depth: int = field(init=False, repr=False, compare=False)
    calls: int = field(init=False, repr=False, compare=False)

    longest: ClassVar[int] = 1_000_000
    """Each member keeps its own, shorter limit, and answers ``limit`` beyond it."""

    def __post_init__(self) -> None:
        self.prepare()
        judges = [judge for _, judge in self.named()]
        inner = [judge for judge in judges if isinstance(judge, Composite)]
        object.__setattr__(self, "depth", 1 + max((judge.depth for judge in inner), default=0))
        object.__setattr__(self, "calls", len(judges) + sum(judge.calls for judge in inner))
        if self.depth > DEPTH or self.calls > CALLS:
            raise GoldError(f"composites nest up to {DEPTH} deep and ask up to {CALLS} judges")
        ranges = [_range(name, judge) for name, judge in self.named()]
        # No composite ever falls when a member rises, so its ends are those of its members.
        object.__setattr__(self, "low", self.combined([low for low, _ in ranges]))
        object.__setattr__(self, "high", self.combined([high for _, high in ranges]))
        if self.high != 1:
            raise GoldError("no answer could be right, for no member value reaches 1 where it must")

    def prepare(self) -> None:
        """Check the options, and bring them into the form that they are kept in."""

    @abstractmethod
    def named(self) -> Sequence[tuple[str, Judge]]:
        """The members and their names, in the order they are asked in."""

    @abstractmethod
    def combined(self, values: Sequence[float]) -> float:
        """What the values of the members come to; it never falls when one of them rises."""

    def verify(self, answer: str) -> Score:
        return self._whole([ask(name, judge, answer) for name, judge in self.named()])

    def _whole(self, scores: Sequence[Score]) -> Score:
        """The score of the whole; ``scores`` are those of the first members."""
        names = [name for name, _ in self.named()]
        parts: dict[str, float] = {}
        for name, score in zip(names, scores):
            parts[name] = score.value
            parts |= {f"{name}/{part}": value for part, value in score.parts.items()}
        value = self.combined([s.value for s in scores]) if len(scores) == len(names) else 0.0
        wrong = [(n, s.reason or "not right") for n, s in zip(names, scores) if not s.correct]
        reason = "" if value == 1 else "; ".join(f"{n}: {r}" for n, r in wrong[:TOLD])
        unread = value == 0 and all(score.status != "scored" for score in scores)
        return Score(value, reason, parts, scores[0].status if unread else "scored")


def ask(name: str, judge: Judge, answer: str) -> Score:
    """The score of one member, held to what it declared.

    Raises :class:`~palaestra.task.JudgeError` where it is at fault, also by leaving its range.
    """
    if len(answer) > (longest := getattr(judge, "longest", LONGEST)):
        return Score(0.0, f"longer than {longest} characters", status="limit")
    try:
        score: object = judge(answer)
    except InvalidAnswer as slip:
        return Score(0.0, str(slip), status=slip.status)
    except JudgeError as fault:
        raise JudgeError(f"{name}: {fault.reason}", fault.status) from fault
    if isinstance(score, JudgeError):
        raise JudgeError(f"{name}: {score.reason}", score.status)
    low, high = _range(name, judge)
    if not isinstance(score, Score) or not low <= score.value <= high:
        raise JudgeError(f"{name} gave no score within its range")
    return score


def _range(name: str, judge: Judge) -> tuple[float, float]:
    low, high = getattr(judge, "low", 0.0), getattr(judge, "high", 1.0)
    if not 0 <= low <= high <= 1:
        raise GoldError(f"the values of {name!r} go from {low} to {high}, not within 0 and 1")
    return low, high


@dataclass(frozen=True, slots=True)
class Listed(Composite):
    """A composite of a list of members."""

    members: Members

    def prepare(self) -> None:
        listed = self.members.items() if isinstance(self.members, Mapping) else self.members
        members = tuple((name, judge) for name, judge in listed)
        names = [name for name, _ in members]
        if not members or len(set(names)) < len(names):
            raise GoldError("a composite has members, and no two of one name")
        for name, judge in members:
            if not isinstance(name, str) or not name.strip() or "/" in name or not callable(judge):
                raise GoldError(f"a member is a judge by a name without '/', not {name!r}")
        object.__setattr__(self, "members", members)

    def named(self) -> Sequence[tuple[str, Judge]]:
        return cast("tuple[tuple[str, Judge], ...]", self.members)


@dataclass(frozen=True, slots=True)
class Sum(Listed):
    """The weighted mean of the members, from 0 to 1: each one adds its share.

    ``weights`` are at least 0, 1 for each member unless given, and are divided by their sum. A
    member of weight 0 is only watched: it is among the parts and counts for nothing. The sum is
    1 only where every member that counts is right.

    >>> members = {"letters": Holds(str.isalpha), "low": Holds(str.islower)}
    >>> Sum(members, weights={"letters": 1, "low": 3})("a1").value
    0.75
    """

    weights: Mapping[str, float] | Sequence[tuple[str, float]] | None = None

    def prepare(self) -> None:
        Listed.prepare(self)
        names = [name for name, _ in self.named()]
        weights = dict.fromkeys(names, 1.0) if self.weights is None else dict(self.weights)
        if weights.keys() != set(names):
            raise GoldError("each member of a sum has a weight, and nothing else has")
        if not all(w == 0 or LIGHTEST <= w <= HEAVIEST for w in weights.values()):
            raise GoldError(f"a weight is 0, or from {LIGHTEST:g} to {HEAVIEST:g}")
        total = fsum(weights.values())
        if not total:
            raise GoldError("some weight is above 0")
        object.__setattr__(self, "weights", tuple((name, weights[name] / total) for name in names))

    def shares(self) -> dict[str, float]:
        """What each member adds at most; these add up to 1."""
        return dict(cast("tuple[tuple[str, float], ...]", self.weights))

    def combined(self, values: Sequence[float]) -> float:
        weighed = list(zip(values, self.shares().values()))
        if all(value == 1 for value, share in weighed if share):
            return 1.0
        return min(fsum(value * share for value, share in weighed), BELOW_ONE)


@dataclass(frozen=True, slots=True)
class Product(Listed):
    """The product of the members, from 0 to 1: one that is 0 makes the whole 0.

    >>> Product({"letters": Holds(str.isalpha), "low": Holds(str.islower)})("a1").value
    0.0
    """

    def combined(self, values: Sequence[float]) -> float:
        return prod(values)


@dataclass(frozen=True, slots=True)
class Least(Listed):
    """The least of the members, from 0 to 1: the whole is as good as its weakest part.

    >>> Least({"letters": Holds(str.isalpha), "low": Holds(str.islower)})("ab").value
    1.0
    """

    def combined(self, values: Sequence[float]) -> float:
        return min(values)


@dataclass(frozen=True, slots=True)
class All(Listed):
    """Score 1 if every member is right, otherwise 0, without partial credit.

    >>> All({"letters": Holds(str.isalpha), "low": Holds(str.islower)})("a1").value
    0.0
    """

    def combined(self, values: Sequence[float]) -> float:
        return float(all(value == 1 for value in values))


@dataclass(frozen=True, slots=True)
class Any(Listed):
    """The highest score of the members, from 0 to 1; right if one member is.

    The others are asked all the same, so that the parts are always complete and one that is
    unscored is noticed, whatever their order.

    >>> Any({"letters": Holds(str.isalpha), "low": Holds(str.islower)})("a1").value
    1.0
    """

    def combined(self, values: Sequence[float]) -> float:
        return max(values)


@dataclass(frozen=True, slots=True)
class Gate(Composite):
    """The score of ``inner`` if ``gate`` is right, otherwise 0.

    Behind a closed gate ``inner`` is not asked (it may be dear) and is not among the parts.

    >>> Gate(Holds(str.isalpha), Holds(str.islower))("a1").parts
    {'gate': 0.0}
    """

    gate: Judge
    inner: Judge

    def named(self) -> Sequence[tuple[str, Judge]]:
        return (("gate", self.gate), ("inner", self.inner))

    def combined(self, values: Sequence[float]) -> float:
        gate, inner = values
        return inner if gate == 1 else 0.0

    def verify(self, answer: str) -> Score:
        gate = ask("gate", self.gate, answer)
        return self._whole([gate, ask("inner", self.inner, answer)] if gate.correct else [gate])


@dataclass(frozen=True, slots=True)
class Lexicographic(Listed):
    """The first member decides, the second only between answers equal in the first, and so on.

    Each value is rounded down to one of ``steps`` equal steps, of which only a right member has
    taken the last, and the steps are the digits of a number: whatever the lower members do, they
    never make up for one step of a higher one. Values go from 0 to 1. :attr:`scale` tells what a
    step is worth; a third member at 100 steps moves the value by about a millionth.

    With ``steps=1`` a member counts as right or not. Raises :class:`GoldError` where the scale has
    more marks than a float can tell apart.

    >>> ranked = Lexicographic({"letters": Holds(str.isalpha), "low": Holds(str.islower)}, steps=1)
    >>> [round(ranked(answer).value, 3) for answer in ("ab", "AB", "a1", "A1")]
    [1.0, 0.667, 0.333, 0.0]
    """

    steps: int = 100

    def prepare(self) -> None:
        Listed.prepare(self)
        # The first test keeps the power in the second one small.
        if not 1 <= self.steps < FINEST or (1 + self.steps) ** len(self.named()[:64]) > FINEST:
            raise GoldError(f"{self.steps} steps for each member make too fine a scale")

    @property
    def scale(self) -> tuple[float, ...]:
        """What one step of each member is worth, in the order of the members."""
        places = range(len(self.named()) - 1, -1, -1)
        return tuple((1 + self.steps) ** rank / self._top() for rank in places)

    def combined(self, values: Sequence[float]) -> float:
        rank = 0
        for value in values:
            rank = rank * (1 + self.steps) + self._step(value)
        return rank / self._top()

    def _step(self, value: float) -> int:
        # What is short of 1 by less than the rounding of a product is not right all the same.
        return self.steps if value == 1 else min(int(value * self.steps + 1e-9), self.steps - 1)

    def _top(self) -> int:
        return int((1 + self.steps) ** len(self.named())) - 1
