"""Packing a knapsack as well as can be, in two ways.

By dynamic programming over the room that is left, after Richard Bellman (1957), and by keeping
the choices that no lighter one outdoes, after George Nemhauser and Zev Ullmann (1969).
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

Item = tuple[int, int]
"""Its weight and its value."""


@lru_cache(maxsize=256)
def most_valuable(items: tuple[Item, ...], capacity: int) -> tuple[int, ...]:
    """The places of items that are worth most among those that fit, by dynamic programming.

    >>> most_valuable(((5, 10), (4, 7), (4, 7)), capacity=8)
    (1, 2)
    """
    best = [0] * (capacity + 1)
    rows = [best]
    for weight, value in items:
        added = [gained + value for gained in best[: max(0, capacity + 1 - weight)]]
        best = best[:weight] + [max(pair) for pair in zip(best[weight:], added)]
        rows.append(best)
    chosen, room = [], capacity
    for place in reversed(range(len(items))):
        if rows[place + 1][room] > rows[place][room]:
            chosen.append(place)
            room -= items[place][0]
    return tuple(reversed(chosen))


def undominated(items: Iterable[Item], capacity: int) -> list[Item]:
    """The weight and value of every choice that no lighter one outdoes, the lightest first.

    >>> undominated([(3, 5), (4, 4)], capacity=9)
    [(0, 0), (3, 5), (7, 9)]
    """
    front = [(0, 0)]
    for weight, value in items:
        more = [(w + weight, v + value) for w, v in front if w + weight <= capacity]
        best = -1
        merged = sorted(chain(front, more), key=lambda pair: (pair[0], -pair[1]))
        front = []
        for pair in merged:
            if pair[1] > best:
                best = pair[1]
                front.append(pair)
    return front
