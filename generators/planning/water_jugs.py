"""All amounts that jugs can be made to hold, by breadth-first search."""

from functools import lru_cache
from itertools import permutations
from math import gcd
from typing import NamedTuple

Levels = tuple[int, ...]
Move = tuple[int, int]
Goal = tuple[int, int]
"""A jug, and an amount for it to hold."""

TAP = -1


def poured(levels: Levels, sizes: Levels, move: Move) -> Levels:
    """The amounts in the jugs after pouring from one to another, either of which may be the tap.

    >>> poured((5, 1), (5, 3), (0, 1)), poured((5, 1), (5, 3), (0, TAP))
    ((3, 3), (0, 1))
    """
    source, target = move
    new = list(levels)
    if source == TAP:
        new[target] = sizes[target]
    elif target == TAP:
        new[source] = 0
    else:
        amount = min(levels[source], sizes[target] - levels[target])
        new[source] -= amount
        new[target] += amount
    return tuple(new)


class Reached(NamedTuple):
    """The states that can be reached from a start, nearest first, each coded as an integer."""

    states: list[int]
    before: list[int]
    """For each state, the index of the one from which it is first reached; -1 for the start."""
    goals: dict[Goal, int]
    """For each jug and amount, the index of the nearest state in which the jug holds it."""
    moves: dict[Goal, int]
    """The number of moves in a shortest plan for each of these."""


@lru_cache(maxsize=4)
def reached(sizes: Levels, start: Levels) -> Reached:
    """The amounts that each jug can be made to hold, with the shortest ways to them.

    >>> reached((5, 3), (0, 0)).moves[0, 4]
    6
    """
    weights = _weights(sizes)
    jugs = range(len(sizes))
    states, before, depth = [sum(map(int.__mul__, start, weights))], [-1], [0]
    seen = {states[0]}
    goals: dict[Goal, int] = {}
    # No jug ever holds anything but a multiple of the greatest common divisor.
    possible = sum(size // gcd(*sizes) + 1 for size in sizes)
    for here, state in enumerate(states):
        levels = _levels(state, sizes)
        for goal in enumerate(levels):
            goals.setdefault(goal, here)
        if len(goals) == possible:
            break
        nearby = [state + (sizes[jug] - levels[jug]) * weights[jug] for jug in jugs]
        for jug in jugs:
            if not (held := levels[jug]):
                continue
            weight = weights[jug]
            nearby.append(state - held * weight)
            for other in jugs:
                if other != jug:
                    room = sizes[other] - levels[other]
                    amount = held if held < room else room  # noqa: FURB136  min() is slower
                    nearby.append(state + amount * (weights[other] - weight))
        for new in nearby:
            if new not in seen:
                seen.add(new)
                states.append(new)
                before.append(here)
                depth.append(depth[here] + 1)
    return Reached(states, before, goals, {goal: depth[index] for goal, index in goals.items()})


@lru_cache(maxsize=4096)
def shortest_plan(sizes: Levels, start: Levels, goal: Goal) -> tuple[Move, ...]:
    """A shortest plan that makes a jug hold an amount.

    >>> shortest_plan((5, 3), (0, 0), (0, 2))
    ((-1, 0), (0, 1))
    """
    known = reached(sizes, start)
    index = known.goals[goal]
    moves = list(permutations((TAP, *range(len(sizes))), 2))
    plan: list[Move] = []
    while (earlier := known.before[index]) >= 0:
        levels, next_levels = (_levels(known.states[n], sizes) for n in (earlier, index))
        plan.append(next(move for move in moves if poured(levels, sizes, move) == next_levels))
        index = earlier
    return tuple(reversed(plan))


def _weights(sizes: Levels) -> list[int]:
    """What a litre in each jug adds to the code of a state."""
    weights = [1]
    for size in sizes[:-1]:
        weights.append(weights[-1] * (size + 1))
    return weights


def _levels(state: int, sizes: Levels) -> Levels:
    levels = []
    for size in sizes:
        state, level = divmod(state, size + 1)
        levels.append(level)
    return tuple(levels)
