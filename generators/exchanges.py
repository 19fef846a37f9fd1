"""Details that change places, so that what is altered looks as before and may have no solution."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any, TypeVar

Value = TypeVar("Value")

MOST = 200
"""How many exchanges are proposed of the same values."""


def exchanges(
    values: Sequence[Value], rng: Random, group: Callable[[int], Any] = lambda position: 0
) -> Iterator[list[Value]]:
    """The values with two different ones exchanged, in random order, a limited number of times.

    Values are exchanged where ``group`` is the same for both positions and not None. All counts of
    values stay as they are.

    >>> [*exchanges("aab", Random(1), lambda n: n > 0)]
    [['a', 'b', 'a']]
    """
    groups: dict[Any, list[int]] = {}
    for position in range(len(values)):
        if (key := group(position)) is not None:
            groups.setdefault(key, []).append(position)
    pairs = [
        pair
        for positions in groups.values()
        for pair in combinations(positions, 2)
        if values[pair[0]] != values[pair[1]]
    ]
    for one, other in rng.sample(pairs, min(MOST, len(pairs))):
        exchanged = [*values]
        exchanged[one], exchanged[other] = exchanged[other], exchanged[one]
        yield exchanged
