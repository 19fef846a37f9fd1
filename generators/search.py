"""Best-first search for a shortest plan."""

from collections.abc import Callable, Hashable, Iterable
from heapq import heappop, heappush
from typing import Generic, NamedTuple, TypeVar

State = TypeVar("State", bound=Hashable)
Move = TypeVar("Move")


class Plan(NamedTuple, Generic[Move]):
    """The moves that lead to the goal, and how many states were looked at to find them."""

    moves: tuple[Move, ...]
    looked: int


def a_star(
    start: State,
    ways: Callable[[State], Iterable[tuple[Move, State]]],
    distance: Callable[[State], float],
    budget: int = 1_000_000,
) -> Plan[Move] | None:
    """A plan from a state to a goal, or none if there is none or the budget of states runs out.

    ``ways`` lists the moves from a state and where they lead. ``distance`` guesses how many moves
    are left: 0 at the goals alone, infinite where none can be reached. The plan is a shortest one
    if the guess is never too high. Among equally good states, the one found last goes first.

    >>> a_star(3, lambda n: [("+", n + 1), ("x2", 2 * n)], lambda n: 0 if n == 7 else 1).moves
    ('x2', '+')
    """
    queue: list[tuple[float, int, int, State]] = [(distance(start), 0, 0, start)]
    came: dict[State, tuple[int, tuple[State, Move] | None]] = {start: (0, None)}
    closed: set[State] = set()
    number = 0
    while queue and len(closed) < budget:
        guess, _, _, here = heappop(queue)
        if here in closed:
            continue
        closed.add(here)
        depth = came[here][0]
        if guess == depth:
            return Plan(_retraced(came, here), len(closed))
        for move, there in ways(here):
            if there in came and came[there][0] <= depth + 1:
                continue
            came[there] = (depth + 1, (here, move))
            left = distance(there)
            if left < float("inf"):
                number += 1
                heappush(queue, (depth + 1 + left, -depth, -number, there))
                closed.discard(there)  # a shorter way to it was found
    return None


def _retraced(
    came: dict[State, tuple[int, tuple[State, Move] | None]], state: State
) -> tuple[Move, ...]:
    moves = []
    while (step := came[state][1]) is not None:
        state, move = step
        moves.append(move)
    return tuple(reversed(moves))
