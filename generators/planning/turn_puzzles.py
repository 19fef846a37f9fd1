"""Plans of named moves that permute the contents of a board: turns, rotations and shifts."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from palaestra.generators.bidirectional_search import Board, Turns, carried
from palaestra.generators.planning.pictures import PicturedPlan, tiles
from palaestra.scenes import Grid
from palaestra.verifiers.reading.moves import tokens
from palaestra.verifiers.reading.values import joined


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
