"""Best-first search for a shortest plan."""

from collections.abc import Callable, Hashable, Iterable
from heapq import heappop, heappush
from typing import Generic, NamedTuple, TypeVar

State = TypeVar("State", bound=Hashable)
Move = TypeVar("Move")


class Plan(NamedTuple, Generic[Move]):
    """The moves that lead to the goal, and the number of states that the search visited."""

    moves: tuple[Move, ...]
    visited: int


def a_star(
    start: State,
    ways: Callable[[State], Iterable[tuple[Move, State]]],
    distance: Callable[[State], float],
    budget: int = 1_000_000,
) -> Plan[Move] | None:
    """A plan from a state to a goal, or none if there is none or the budget of states runs out.

    ``ways`` lists the moves from a state and the states that they lead to. ``distance`` estimates
    how many moves are left: 0 only at a goal, infinite if none can be reached. The plan is a
    shortest one if the estimate is never too high. Of equally good states, the newest goes first.

    >>> a_star(3, lambda n: [("+", n + 1), ("x2", 2 * n)], lambda n: 0 if n == 7 else 1).moves
    ('x2', '+')
    """
    queue: list[tuple[float, int, int, State]] = [(distance(start), 0, 0, start)]
    came: dict[State, tuple[int, tuple[State, Move] | None]] = {start: (0, None)}
    closed: set[State] = set()
    number = 0
    while queue and len(closed) < budget:
        guess, _, _, state = heappop(queue)
        if state in closed:
            continue
        closed.add(state)
        depth = came[state][0]
        if guess == depth:
            return Plan(_retraced(came, state), len(closed))
        for move, new in ways(state):
            if new in came and came[new][0] <= depth + 1:
                continue
            came[new] = (depth + 1, (state, move))
            left = distance(new)
            if left < float("inf"):
                number += 1
                heappush(queue, (depth + 1 + left, -depth, -number, new))
                closed.discard(new)  # a shorter way to it was found
    return None


def _retraced(
    came: dict[State, tuple[int, tuple[State, Move] | None]], state: State
) -> tuple[Move, ...]:
    moves = []
    while (step := came[state][1]) is not None:
        state, move = step
        moves.append(move)
    return tuple(reversed(moves))
