"""Two exact algorithms for the knapsack problem.

Dynamic programming over the remaining capacity, after Richard Bellman (1957), and over the choices
that no lighter one dominates, after George Nemhauser and Zev Ullmann (1969).
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

Item = tuple[int, int]
"""The weight and the value of an item."""


@lru_cache(maxsize=256)
def most_valuable(items: tuple[Item, ...], capacity: int) -> tuple[int, ...]:
    """The numbers of the items of greatest value that fit, by dynamic programming.

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
    for item in reversed(range(len(items))):
        if rows[item + 1][room] > rows[item][room]:
            chosen.append(item)
            room -= items[item][0]
    return tuple(reversed(chosen))


def undominated(items: Iterable[Item], capacity: int) -> list[Item]:
    """The weight and value of every choice that no lighter one dominates, the lightest first.

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
