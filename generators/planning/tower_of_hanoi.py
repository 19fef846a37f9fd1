"""Shortest plans for the Tower of Hanoi between any two arrangements of the disks.

On three pegs the largest disk that is out of place moves once, or twice by way of the third peg,
and the shorter of the two plans is a shortest one, as Andreas Hinz showed; on four, search decides.
"""

from collections.abc import Iterator
from functools import lru_cache

from palaestra.generators.search import a_star

Pegs = tuple[int, ...]
"""The peg of each disk, the smallest first."""

Move = tuple[int, int]
"""From which peg to which."""


def legal_moves(state: Pegs, pegs: int) -> Iterator[tuple[Move, Pegs]]:
    """Each legal move and the arrangement it leads to.

    >>> [move for move, _ in legal_moves((0, 1), pegs=3)]
    [(0, 1), (0, 2), (1, 2)]
    """
    covered: set[int] = set()
    for disk, source in enumerate(state):
        if source in covered:
            continue
        covered.add(source)
        for target in range(pegs):
            if target not in covered:  # only smaller disks have covered a peg so far
                yield (source, target), (*state[:disk], target, *state[disk + 1 :])


def gathered(state: Pegs, peg: int) -> list[Move]:
    """The shortest plan on three pegs that brings all disks to one."""
    if not state:
        return []
    *smaller, largest = state
    if largest == peg:
        return gathered(tuple(smaller), peg)
    spare = 3 - largest - peg
    cleared = gathered(tuple(smaller), spare)
    return [*cleared, (largest, peg), *gathered((spare,) * len(smaller), peg)]


def between(start: Pegs, goal: Pegs) -> list[Move]:
    """A shortest plan on three pegs."""
    if not start:
        return []
    (*small, source), (*aims, target) = start, goal
    smaller, aim = tuple(small), tuple(aims)
    if source == target:
        return between(smaller, aim)

    def scattered(peg: int) -> list[Move]:
        return [(b, a) for a, b in reversed(gathered(aim, peg))]

    spare = 3 - source - target
    once = [*gathered(smaller, spare), (source, target), *scattered(spare)]
    across = gathered((target,) * len(smaller), source)
    twice = [
        *gathered(smaller, target),
        (source, spare),
        *across,
        (spare, target),
        *scattered(source),
    ]
    return min(once, twice, key=len)


@lru_cache(maxsize=256)
def shortest_plan(start: Pegs, goal: Pegs, pegs: int) -> tuple[Move, ...]:
    """A shortest plan.

    >>> shortest_plan((0, 0), (2, 2), pegs=3)
    ((0, 1), (0, 2), (1, 2))
    """
    if pegs == 3:
        return tuple(between(start, goal))

    def out_of_place(state: Pegs) -> int:
        return sum(peg != aim for peg, aim in zip(state, goal))

    plan = a_star(start, lambda state: legal_moves(state, pegs), out_of_place)
    assert plan is not None, "every arrangement can be reached"
    return plan.moves
