"""Bounds on a count: that it is exactly, at least or at most a number."""

from random import Random
from typing import Literal, NamedTuple

Relation = Literal["exactly", "at least", "at most"]


class Bound(NamedTuple):
    """The claim that a count is exactly, at least or at most a number."""

    relation: Relation
    number: int

    def holds(self, count: int) -> bool:
        """Whether a count satisfies the bound.

        >>> Bound("at least", 2).holds(3)
        True
        """
        if self.relation == "exactly":
            return count == self.number
        return count >= self.number if self.relation == "at least" else count <= self.number


def bound(rng: Random, high: int) -> Bound:
    """A random bound on a count from 0 to ``high`` that some counts violate.

    Its number is not 0, which would need a wording of its own.
    """
    relation: Relation = rng.choice(("exactly", "at least", "at most"))
    if relation == "at most" and high > 1:
        return Bound(relation, rng.randint(1, high - 1))
    return Bound("exactly" if relation == "at most" else relation, rng.randint(1, high))
