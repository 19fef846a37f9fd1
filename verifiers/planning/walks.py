"""The baseline players of plans: walks that go where the distance to the goal seems least."""

from collections.abc import Callable, Iterable
from random import Random
from typing import TypeVar

State = TypeVar("State")
Move = TypeVar("Move")
Ways = Callable[[State], Iterable[tuple[Move, State]]]


def greedy_walk(  # noqa: PLR0913, PLR0917 - a state space has so many parts
    start: State,
    ways: Ways[State, Move],
    distance: Callable[[State], float],
    steps: int,
    rng: Random,
    plies: int = 1,
) -> list[Move]:
    """The moves of a player who goes where the distance to the goal seems least.

    The player looks ``plies`` moves ahead, prefers states that it has not been in, and stops at
    distance 0 or after ``steps`` moves.

    >>> greedy_walk(9, lambda n: [("-", n - 1), ("/3", n // 3)], float, 5, Random(0))
    ['/3', '/3', '/3']
    """

    def foresight(state: State, more: int) -> float:
        if not more or distance(state) == 0:
            return distance(state)
        return min((foresight(new, more - 1) for _, new in ways(state)), default=distance(state))

    state, visited, moves = start, [start], list[Move]()
    while len(moves) < steps and distance(state) > 0:
        choices = list(ways(state))
        rng.shuffle(choices)
        choices = [choice for choice in choices if choice[1] not in visited] or choices
        if not choices:
            break
        move, state = min(choices, key=lambda choice: foresight(choice[1], plies - 1))
        moves.append(move)
        visited.append(state)
    return moves
