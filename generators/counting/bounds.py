"""Claims about rows of chance events that relate a count to a number: drawn, worded, checked."""

from random import Random
from typing import Literal, NamedTuple

Relation = Literal["exactly", "at least", "at most"]


class Bound(NamedTuple):
    """That a count is exactly, at least or at most a number."""

    relation: Relation
    number: int

    def holds(self, count: int) -> bool:
        """Whether it is so.

        >>> Bound("at least", 2).holds(3)
        True
        """
        if self.relation == "exactly":
            return count == self.number
        return count >= self.number if self.relation == "at least" else count <= self.number


def bound(rng: Random, high: int) -> Bound:
    """A bound on a count from 0 to ``high``, which is not true of all of them; 0 is left out, for
    it would need words of its own.
    """
    relation: Relation = rng.choice(("exactly", "at least", "at most"))
    if relation == "at most" and high > 1:
        return Bound(relation, rng.randint(1, high - 1))
    return Bound("exactly" if relation == "at most" else relation, rng.randint(1, high))
