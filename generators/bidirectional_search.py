"""Shortest plans by search from both ends, for one goal and moves that can be undone.

This is Ira Pohl's bidirectional search (1969), a layer at a time: one search of depth d visits
about b ** d states, two searches that meet in the middle 2 * b ** (d / 2).
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple, TypeVar

from palaestra.generators.search import Plan

State = TypeVar("State", bound=Hashable)
Move = TypeVar("Move")
Ways = Callable[[State], Iterable[tuple[Move, State]]]


def shortest_between(
    start: State, goal: State, ways: Ways[State, Move], back: Ways[State, Move], budget: int
) -> Plan[Move] | None:
    """A shortest plan between two states, or none where there is none or the budget is too small.

    ``ways`` lists the moves from a state and where they lead, ``back`` the moves that lead to a
    state and the states they come from. The budget is the largest number of states to visit.

    >>> up, down = (lambda n: [("+", n + 1)]), (lambda n: [("+", n - 1)])
    >>> shortest_between(1, 4, up, down, 100).moves
    ('+', '+', '+')
    """
    came: dict[State, tuple[State, Move] | None] = {start: None}
    left: dict[State, tuple[State, Move] | None] = {goal: None}
    ahead, behind = [start], [goal]
    if start == goal:
        return Plan((), 1)
    while ahead and behind and len(came) + len(left) <= budget:
        forward = len(ahead) <= len(behind)
        layer, seen, other, leads = (
            (ahead, came, left, ways) if forward else (behind, left, came, back)
        )
        grown = []
        for state in layer:
            for move, new in leads(state):
                if new not in seen:
                    seen[new] = state, move
                    grown.append(new)
                    if new in other:
                        before, after = _chain(came, new), _chain(left, new)
                        return Plan((*reversed(before), *after), len(came) + len(left))
        if forward:
            ahead = grown
        else:
            behind = grown
    return None


def _chain(links: Mapping[State, tuple[State, Move] | None], state: State) -> list[Move]:
    moves = []
    while (link := links[state]) is not None:
        state, move = link
        moves.append(move)
    return moves


Board = tuple[int, ...]


class Turns(NamedTuple):
    """Named moves that each permute the contents of a board, and the move that undoes each."""

    act: Mapping[str, Callable[[Board], Board]]
    undo: Mapping[str, str]

    def ways(self, board: Board) -> Iterable[tuple[str, Board]]:
        """Each move and the board it leads to."""
        return ((name, act(board)) for name, act in self.act.items())

    def back(self, board: Board) -> Iterable[tuple[str, Board]]:
        """Each move and the board from which it leads to this one."""
        return ((name, self.act[undo](board)) for name, undo in self.undo.items())

    def plan(self, start: Board, goal: Board, budget: int = 200_000) -> Plan[str] | None:
        """A shortest plan between two boards."""
        return shortest_between(start, goal, self.ways, self.back, budget)

    def scrambled(self, rng: Random, board: Board, number: int) -> Board:
        """A board after random moves, none of which undoes the one before."""
        last = ""
        for _ in range(number):
            last = rng.choice([name for name in self.act if name != self.undo.get(last)])
            board = self.act[last](board)
        return board


def carried(size: int, *cycles: Iterable[int]) -> Callable[[Board], Board]:
    """The move that carries the content of each cell of a cycle to the next cell of it.

    >>> carried(4, (0, 1, 2))("abcd")
    ('c', 'a', 'b', 'd')
    """
    source = list(range(size))
    for cycle in cycles:
        ring = list(cycle)
        for cell, next_cell in zip(ring, [*ring[1:], ring[0]]):
            source[next_cell] = cell
    getter: Any = itemgetter(*source)
    return getter  # type: ignore[no-any-return]
