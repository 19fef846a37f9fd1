"""Shortest plans by search from both ends, for one goal and moves that can be undone.

This is Ira Pohl's bidirectional search (1969), a layer at a time: one search of depth d visits
about b ** d states, two searches that meet in the middle 2 * b ** (d / 2).
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from operator import itemgetter
from random import Random
from typing import Any, ClassVar, NamedTuple, TypeVar

from palaestra.generators.planning.pictures import PicturedPlan, tiles
from palaestra.generators.search import Plan
from palaestra.scenes import Grid
from palaestra.verifiers.reading.moves import tokens
from palaestra.verifiers.reading.values import joined

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


class TurnPuzzle(PicturedPlan):
    """A plan of named moves, such as turns and shifts, that each permute the contents of a board.

    A subclass defines :meth:`turns_by_name` and :attr:`example`, and of
    :class:`~palaestra.generators.planning.pictures.PicturedPlan` ``initial``, ``picture``,
    ``violation`` and ``search``.
    """

    example: ClassVar[str] = ""
    """A list of moves, which is shown if an answer is none."""

    @abstractmethod
    def turns_by_name(self) -> Turns:
        """The moves of this board."""

    def after(self, state: Board, move: str) -> Board:
        return self.turns_by_name().act[move](state)

    def moves_from(self, state: Board) -> Iterable[str]:
        return self.turns_by_name().act

    def read(self, answer: str) -> list[str]:
        known = self.turns_by_name().act
        return tokens(answer, known, f"a list of moves on this board, such as '{self.example}'")

    def as_text(self, moves: Sequence[str]) -> str:
        return joined(moves)


class SortingPuzzle(TurnPuzzle):
    """A board of numbered tiles that moves sort into reading order.

    A subclass defines :meth:`width` besides.
    """

    board: Board

    @abstractmethod
    def width(self) -> int:
        """The number of columns."""

    def picture(self, state: Board) -> Grid:
        return tiles(state, self.width())

    def goal_picture(self) -> Grid:
        return self.picture(self.goal())

    def initial(self) -> Board:
        return self.board

    def goal(self) -> Board:
        """The sorted board."""
        return tuple(sorted(self.board))

    def distance(self, state: Board) -> float:
        """The tiles that are not in their cells."""
        return sum(a != b for a, b in zip(state, self.goal()))

    def violation(self, state: Board) -> str:
        return "" if state == self.goal() else "the tiles are not in order in the end"


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


def shifts(rows: int, columns: int) -> Turns:
    """Cyclic shifts of rows to the left and right and of columns up and down, by one cell.

    Each is named by its direction and its number from 1.

    >>> shifts(2, 3).act["L1"]((1, 2, 3, 4, 5, 6))
    (2, 3, 1, 4, 5, 6)
    """
    act: dict[str, Callable[[Board], Board]] = {}
    undo: dict[str, str] = {}
    lines = [
        (("L", "R"), [[row * columns + c for c in range(columns)] for row in range(rows)]),
        (("U", "D"), [[r * columns + column for r in range(rows)] for column in range(columns)]),
    ]
    for (first, last), rings in lines:
        for number, ring in enumerate(rings, 1):
            one, other = f"{first}{number}", f"{last}{number}"
            act[one] = carried(rows * columns, ring[::-1])
            act[other] = carried(rows * columns, ring)
            undo |= {one: other, other: one}
    return Turns(act, undo)


def rotations(rows: int, columns: int, size: int) -> Turns:
    """Square blocks that turn by a quarter, clockwise (+) or counterclockwise (-).

    Each is named by the row and column of its top left cell, counted from 1.

    >>> rotations(2, 3, 2).act["r1c2+"]((1, 2, 3, 4, 5, 6))
    (1, 5, 2, 4, 6, 3)
    """
    act: dict[str, Callable[[Board], Board]] = {}
    undo: dict[str, str] = {}
    for row in range(rows - size + 1):
        for column in range(columns - size + 1):
            rings = _rings(row, column, columns, size)
            one, other = f"r{row + 1}c{column + 1}+", f"r{row + 1}c{column + 1}-"
            act[one] = carried(rows * columns, *rings)
            act[other] = carried(rows * columns, *(ring[::-1] for ring in rings))
            undo |= {one: other, other: one}
    return Turns(act, undo)


def _rings(row: int, column: int, columns: int, size: int) -> list[list[int]]:
    """The cycles of four cells that a quarter turn of a block permutes."""
    rings = []
    for r in range((size + 1) // 2):
        for c in range(size // 2):
            ring, y, x = [], r, c
            for _ in range(4):
                ring.append((row + y) * columns + column + x)
                y, x = x, size - 1 - y
            rings.append(ring)
    return rings
