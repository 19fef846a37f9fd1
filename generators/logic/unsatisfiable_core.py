"""Smallest sets of demands that cannot all be met: smallest unsatisfiable cores.

A demand excludes some worlds, which are the bits of a mask. Demands contradict each other if each
world is excluded by one of them, so that a smallest core is a smallest cover of all worlds (Mark
Liffiton and Karem Sakallah, 2008).
"""

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

Clause = tuple[int, ...]
"""Literals: nonzero integers, negative if negated, by ascending variable."""


class Core(NamedTuple):
    """The indices of a smallest core, and how many partial covers the search examined."""

    indices: list[int]
    examined: int


def excluded(clause: Clause, variables: int) -> int:
    """The worlds in which no literal of a clause is true, as a mask; world n makes variable v true
    if the bit v - 1 of n is set.

    >>> bin(excluded((1, -2), 2))
    '0b100'
    """
    return sum(
        1 << world
        for world in range(1 << variables)
        if not any((world >> abs(literal) - 1 & 1) == (literal > 0) for literal in clause)
    )


def contradictory_clauses(
    rng: Random, variables: int, widths: Sequence[int], number: int
) -> list[Clause]:
    """At least ``number`` different random clauses, of widths drawn from ``widths``, that exclude
    every world.

    Random clauses come first, and then some for the worlds that are left.
    """
    clauses = dict[Clause, None]()
    left = (1 << (1 << variables)) - 1
    while len(clauses) < number - variables or left or len(clauses) < number:
        chosen = sorted(rng.sample(range(1, variables + 1), rng.choice(widths)))
        if left and len(clauses) >= number - variables:
            open_worlds = [n for n in range(1 << variables) if left >> n & 1]
            world = rng.choice(open_worlds)
            clause = tuple(-v if world >> v - 1 & 1 else v for v in chosen)
        else:
            clause = tuple(rng.choice((v, -v)) for v in chosen)
        clauses[clause] = None
        left &= ~excluded(clause, variables)
    return rng.sample([*clauses], len(clauses))


def smallest_core(masks: Sequence[int], worlds: int) -> Core:
    """A smallest core of demands, each of which excludes the worlds of a mask.

    ``worlds`` is the number of all worlds. Depth-first search with a growing limit on the size; it
    branches on a world that the fewest demands exclude.

    Raises ``ValueError`` if some world is not excluded.
    """
    search = _Search(masks)
    whole = (1 << worlds) - 1
    for size in range(len(masks) + 1):
        indices = search.cover(whole, list(range(len(masks))), size)
        if indices is not None:
            return Core(sorted(indices), search.examined)
    raise ValueError("the demands do not contradict each other")


class _Search:
    def __init__(self, masks: Sequence[int]) -> None:
        self.masks = masks
        self.examined = 0

    def cover(self, left: int, allowed: Sequence[int], size: int) -> list[int] | None:
        """At most ``size`` of the allowed masks that cover ``left``; None if there are none."""
        self.examined += 1
        if not left:
            return []
        useful = [n for n in allowed if self.masks[n] & left]
        useful.sort(key=lambda n: (-(self.masks[n] & left).bit_count(), n))
        gains = [(self.masks[n] & left).bit_count() for n in useful[:size]]
        if sum(gains) < left.bit_count():
            return None
        world = self._rarest(left, useful)
        for n in [n for n in useful if self.masks[n] & world]:
            useful.remove(n)  # each cover is looked for once: with n here, without it later
            rest = self.cover(left & ~self.masks[n], useful, size - 1)
            if rest is not None:
                return [n, *rest]
        return None

    def _rarest(self, left: int, useful: Sequence[int]) -> int:
        """The mask of one of the worlds that the fewest demands exclude."""
        layers = [left]  # the worlds that so many demands exclude at least
        for n in useful:
            mask = self.masks[n]
            layers.append(layers[-1] & mask)
            for count in range(len(layers) - 2, 0, -1):
                layers[count] |= layers[count - 1] & mask
        rare = next((low & ~high for low, high in pairwise(layers) if low & ~high), layers[-1])
        return rare & -rare
