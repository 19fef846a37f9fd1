"""Set cover, of which dominating sets are a case; a set is an integer whose bits are elements."""

from collections.abc import Sequence
from itertools import count

from palaestra.generators.bitsets import ones
from palaestra.generators.solutions import SearchResult


def smallest_cover(sets: Sequence[int], universe: int) -> SearchResult:
    """The numbers of the fewest sets whose union is the universe.

    It tries one set, then two, and so on, and branches on the element that is in the fewest sets.

    >>> smallest_cover([3, 6, 12], 15).solution
    (0, 2)
    """
    examined = 0

    def cover(left: int, free: int) -> tuple[int, ...] | None:
        nonlocal examined
        examined += 1
        if not left:
            return ()
        gains = [(each & left).bit_count() for each in sets]
        if left.bit_count() > free * max(gains):
            return None
        element = min(ones(left), key=lambda e: sum(each >> e & 1 for each in sets))
        holders = [number for number, each in enumerate(sets) if each >> element & 1]
        for number in sorted(holders, key=lambda n: -gains[n]):
            rest = cover(left & ~sets[number], free - 1)
            if rest is not None:
                return (number, *rest)
        return None

    for size in count(1):
        chosen = cover(universe, size)
        if chosen is not None:
            return SearchResult(tuple(sorted(chosen)), examined)
    raise AssertionError("the sets do not cover the universe")


def greedy_cover(sets: Sequence[int], universe: int) -> tuple[int, ...]:
    """The numbers of sets, each of which covers the most of the rest; the first of equals.

    >>> greedy_cover([3, 6, 12], 15)
    (0, 2)
    """
    chosen = []
    while universe:
        number = max(range(len(sets)), key=lambda n: (sets[n] & universe).bit_count())
        chosen.append(number)
        universe &= ~sets[number]
    return tuple(chosen)
