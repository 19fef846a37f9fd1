"""Players without search, for the baselines of environments: greedy orders, tours, random choices.

All of them are pure functions of what a player sees and of ``rng``. Ties are broken at random, so
that no order of the task decides for a player.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")
Value = TypeVar("Value")
Key = Callable[[T], float]
Feasible = Callable[[list[T]], bool]


def shuffled(items: Iterable[T], rng: Random) -> list[T]:
    """The items in random order.

    >>> sorted(shuffled([1, 2, 3], Random(0)))
    [1, 2, 3]
    """
    order = list(items)
    rng.shuffle(order)
    return order


def natural_orders(
    items: Sequence[T], rng: Random, keys: Mapping[str, Key[T]]
) -> dict[str, list[T]]:
    """The items as listed, in reverse and at random, and by each key from either end.

    >>> natural_orders([4, 6], Random(0), {"size": float})["greatest size first"]
    [6, 4]
    """
    orders = {
        "first listed first": list(items),
        "last listed first": list(items)[::-1],
        "random maximal choice": shuffled(items, rng),
    }
    for name, key in keys.items():
        orders[f"least {name} first"] = sorted(shuffled(items, rng), key=key)
        orders[f"greatest {name} first"] = sorted(shuffled(items, rng), key=lambda x: -key(x))
    return orders


def one_pass(order: Iterable[T], feasible: Feasible[T]) -> list[T]:
    """Each item in turn that is feasible together with those chosen before.

    >>> one_pass([5, 4, 3, 2], lambda chosen: sum(chosen) <= 10)
    [5, 4]
    """
    chosen: list[T] = []
    for item in order:
        if feasible([*chosen, item]):
            chosen.append(item)
    return chosen


def pared(order: Iterable[T], feasible: Feasible[T]) -> list[T]:
    """All items, except that each in turn is left out if the remaining ones are feasible.

    >>> pared([5, 4, 3, 2], lambda kept: sum(kept) >= 6)
    [4, 2]
    """
    kept = list(order)
    for item in tuple(kept):
        rest = [other for other in kept if other != item]
        if feasible(rest):
            kept = rest
    return kept


def stepwise(items: Iterable[T], rng: Random, key: Callable[[T, list[T]], float | None]) -> list[T]:
    """The item of the least key, again and again; the key depends on those chosen before.

    An item whose key is ``None`` cannot be chosen. The choice ends when there is no other.

    >>> stepwise([1, 5, 9], Random(0), lambda x, got: abs(x - 6 - len(got)) if x < 9 else None)
    [5, 1]
    """
    left, chosen = shuffled(items, rng), list[T]()
    while True:
        keyed = [
            (value, n) for n, each in enumerate(left) if (value := key(each, chosen)) is not None
        ]
        if not keyed:
            return chosen
        chosen.append(left.pop(min(keyed)[1]))


def filled(
    cells: Iterable[T],
    options: Callable[[T, Mapping[T, Value]], Sequence[Value]],
    rng: Random,
    most_constrained: bool = False,
) -> dict[T, Value]:
    """A random option for each cell, one cell after the other, of which none is taken back.

    The options of a cell depend on the values so far; a cell without any gets no value. With
    ``most_constrained`` the cell with the fewest options comes next, else the first one.

    >>> filled("abc", lambda cell, values: [] if cell == "b" else [len(values)], Random(0))
    {'a': 0, 'c': 1}
    """
    left, values = list(cells), dict[T, Value]()
    while left:
        cell, least = left[0], len(left) + 1
        for each in left if most_constrained else ():
            number = len(options(each, values))
            if number < least:
                cell, least = each, number
                if number < 2:
                    break
        left.remove(cell)
        if some := options(cell, values):
            values[cell] = rng.choice(some)
    return values


def fillings(
    cells: Sequence[T], options: Callable[[T, Mapping[T, Value]], Sequence[Value]], rng: Random
) -> dict[str, dict[T, Value]]:
    """What :func:`filled` gives in the natural orders of the cells, by the name of the player."""
    return {
        "most constrained cell first": filled(
            shuffled(cells, rng), options, rng, most_constrained=True
        ),
        "cells in reading order": filled(cells, options, rng),
        "cells in random order": filled(shuffled(cells, rng), options, rng),
    }


def maximal(order: Iterable[T], allowed: Callable[[set[T], T], bool], first: Iterable[T]) -> set[T]:
    """The first items, and each other in turn that is allowed beside those, until none is left.

    >>> sorted(maximal([3, 2, 1], lambda some, item: item - 1 in some, first=[0]))
    [0, 1, 2, 3]
    """
    chosen, left = {*first}, list(order)
    while True:
        rest = []
        for item in left:
            if allowed(chosen, item):
                chosen.add(item)
            else:
                rest.append(item)
        if len(rest) == len(left):
            return chosen
        left = rest


def verdicts(labels: Sequence[str], number: int, rng: Random) -> dict[str, list[str]]:
    """So many labels by players who know nothing of what they label: all alike, or at random.

    >>> verdicts(["yes"], 2, Random(0))
    {'all yes': ['yes', 'yes'], 'random labels': ['yes', 'yes']}
    """
    alike = {f"all {label}": [label] * number for label in labels}
    return {**alike, "random labels": rng.choices(labels, k=number)}


def nearest_neighbour(
    nodes: Sequence[int], start: int, distance: Callable[[int, int], float]
) -> list[int]:
    """A tour that goes to the nearest new node each time.

    >>> nearest_neighbour([0, 7, 2], 0, lambda u, v: abs(u - v))
    [0, 2, 7]
    """
    tour, left = [start], [node for node in nodes if node != start]
    while left:
        tour.append(min(left, key=lambda node: distance(tour[-1], node)))
        left.remove(tour[-1])
    return tour


def insertion_tour(order: Iterable[int], distance: Callable[[int, int], float]) -> list[int]:
    """A tour into which each node in turn is put where it lengthens the tour least.

    >>> insertion_tour([0, 9, 5], lambda u, v: abs(u - v))
    [0, 5, 9]
    """
    tour: list[int] = []
    for node in order:
        detours = [
            (
                distance(tour[n - 1], node)
                + distance(node, tour[n])
                - distance(tour[n - 1], tour[n]),
                n or len(tour),
            )
            for n in range(len(tour))
        ]
        tour.insert(min(detours)[1] if detours else 0, node)
    return tour


def shortest_edges_tour(nodes: Sequence[int], distance: Callable[[int, int], float]) -> list[int]:
    """The tour of the shortest edges, taken one by one unless they fork or close too early.

    >>> shortest_edges_tour([0, 1, 5, 6], lambda u, v: abs(u - v))
    [0, 1, 5, 6]
    """
    paths = [[node] for node in nodes]
    while len(paths) > 1:
        joins = (
            (distance(one[-1], other[0]), one, other)
            for path in paths
            for one in (path, path[::-1])
            for rest in paths
            if rest is not path
            for other in (rest, rest[::-1])
        )
        _, one, other = min(joins, key=lambda join: join[0])
        paths = [p for p in paths if p[0] not in (one[0], one[-1], other[0], other[-1])]
        paths.append([*one, *other])
    return paths[0]
