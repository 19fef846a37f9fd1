"""What all certificates share: a cost that is worked out, never believed, and what it is worth."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import nextafter
from numbers import Rational
from typing import ClassVar

from palaestra.task import JudgeError, Score
from palaestra.verifiers.certificates import gap
from palaestra.verifiers.verifier import GoldError, Verifier

Number = int | Fraction
"""Costs are exact, so that equal is equal."""

LARGEST = 10**12
"""How large a cost, weight or bound may be."""

_SHOWN = 10**18
_ALMOST = nextafter(1.0, 0.0)


def exact(numbers: Sequence[Number], what: str, lowest: int = -LARGEST) -> tuple[Number, ...]:
    """Numbers as they are, if they are exact and not too large; raises :class:`GoldError`.

    >>> exact([1, Fraction(1, 3)], "weights")
    (1, Fraction(1, 3))
    """
    for number in numbers:
        if not isinstance(number, Rational) or isinstance(number, bool):
            raise GoldError(f"{what} are whole numbers or fractions, not {number!r}")
        if not lowest <= number <= LARGEST:
            raise GoldError(f"{what} lie between {lowest} and {LARGEST}")
    return tuple(numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate(Verifier):
    """A verifier of solutions that show for themselves whether they are right.

    A solution that breaks a rule earns 0, however cheap it is. One that keeps them all is worked
    out again; a cost that the answer claims is not looked at. It earns 1

    - where nothing more is asked for;
    - with ``at_most`` or ``at_least``, if its cost or value is within that bound;
    - with ``optimum``, if it is as good as that. A better one raises :class:`JudgeError`, since the
      optimum is wrong then. With ``partial`` a worse one earns the share of the way from
      ``baseline``, which must be worse than the optimum, that it has come: below 1, and 0 from
      the baseline on. Otherwise it earns 0.

    All of them are whole numbers or fractions. The part ``cost`` or ``value`` tells what was
    worked out.
    """

    at_most: Number | None = None
    at_least: Number | None = None
    optimum: Number | None = None
    baseline: Number | None = None
    partial: bool = False

    needs_bound: ClassVar[bool] = False
    """Whether a trivial solution keeps all rules, so that without a bound there is no task."""

    @property
    def more_is_better(self) -> bool:
        """Whether a solution has a value, rather than a cost."""
        return False

    def __post_init__(self) -> None:
        bounds = (self.at_most, self.at_least, self.optimum, self.baseline)
        exact([bound for bound in bounds if bound is not None], "bounds")
        bound, other = self.at_most, self.at_least
        if self.more_is_better:
            bound, other = other, bound
        if other is not None:
            raise GoldError("that bound is on the wrong side: no solution gets better by it")
        if bound is not None and self.optimum is not None:
            raise GoldError("give a bound or the optimum, not both")
        if bound is None and self.optimum is None and self.needs_bound:
            raise GoldError("without a bound or an optimum, a trivial solution would do")
        if self.partial:
            self._check_baseline()

    def _check_baseline(self) -> None:
        if self.optimum is None or self.baseline is None:
            raise GoldError("partial credit takes an optimum and a baseline")
        if not self._better(self.optimum, self.baseline):
            raise GoldError("the baseline is not worse than the optimum")

    def _better(self, one: Number, other: Number) -> bool:
        return one > other if self.more_is_better else one < other

    def graded(self, cost: Number) -> Score:
        """The score of a solution that keeps the rules."""
        shown = float(max(-_SHOWN, min(cost, _SHOWN)))
        parts = {"value" if self.more_is_better else "cost": shown}
        if self.optimum is None:
            bound = self.at_least if self.more_is_better else self.at_most
            if bound is None or not self._better(bound, cost):
                return Score(1, parts=parts)
            return Score(0, "all rules are kept, but the bound is not", parts)
        if self._better(cost, self.optimum):
            raise JudgeError("a solution is better than the optimum", "gold_error")
        if cost == self.optimum:
            return Score(1, parts=parts | ({"progress": 1} if self.partial else {}))
        worth = 0.0
        if self.partial and self.baseline is not None and self._better(cost, self.baseline):
            # A share just below 1 must not be rounded up to it.
            share = gap(float(cost), float(self.baseline), float(self.optimum))
            worth = min(share, _ALMOST)
        if self.partial:
            parts["progress"] = worth
        return Score(worth, "all rules are kept, and there is a better solution", parts)
