"""The rules of Three Men's Morris, with men as bits, row by row from the top left."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.rules import DRAW, LOSS, WIN, Rules
from palaestra.generators.matches.square_boards import (
    bits,
    board,
    board_scene,
    board_text,
    hop_name,
    name_of,
    read_cell,
    read_hop,
)
from palaestra.scenes import Grid

MEN = 3
"""The men of each player, and the length of a line."""

NOBODY = 2
LONGEST = 60
"""The moves of both players in a game from the start."""

Move = tuple[int, ...]
"""The cell where a man is placed, or the cells that it leaves and enters."""


class State(NamedTuple):
    """The men of both players, whose turn it is, how many moves are left, and who has to win with
    these: the other player wins at their end. With :data:`NOBODY`, that is a draw.
    """

    first: int
    second: int
    turn: int
    left: int = LONGEST
    hunter: int = NOBODY


@dataclass(frozen=True)
class ThreeMensMorris(Rules[State, Move]):
    """Three Men's Morris on a square board, on which men move to neighbouring cells."""

    size: int
    state_type = State

    def start(self) -> State:
        return State(0, 0, 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[Move]:
        return _legal(self.size, *_sides(state))

    def apply(self, state: State, move: Move) -> State:
        first, second, turn, left, hunter = state
        change = sum(1 << cell for cell in move)
        if turn == 0:
            return State(first ^ change, second, 1, left - 1, hunter)
        return State(first, second ^ change, 0, left - 1, hunter)

    def outcome(self, state: State) -> int | None:
        first, second, turn, left, hunter = state
        lines = _lines(self.size)
        if turn == 0 and second in lines:
            return LOSS
        if turn == 1 and first in lines:
            return WIN
        if not _legal(self.size, *_sides(state)):
            return WIN if turn else LOSS
        if left > 0:
            return None
        return DRAW if hunter == NOBODY else WIN if hunter else LOSS

    def closes(self, state: State, move: Move) -> bool:
        """Whether a move makes a line."""
        return _sides(state)[0] ^ sum(1 << cell for cell in move) in _lines(self.size)

    def name(self, state: State, move: Move) -> str:
        if len(move) == 1:
            return name_of(move[0], self.size)
        return hop_name((move[0], move[1]), self.size)

    def read(self, state: State, text: str) -> Move:
        legal = self.legal(state)
        if len(legal[0]) == 1:
            return (read_cell(text, self.size, self.size, [cell for (cell,) in legal]),)
        return read_hop(text, self.size, self.size, [(move[0], move[1]) for move in legal])

    def show(self, state: State) -> str:
        limit = f"Moves left for both players together: {state.left}."
        return f"{board_text(self._signs(state))}\n\n{limit}"

    def _signs(self, state: State) -> list[list[str]]:
        return board(self.size, self.size, {"X": state.first, "O": state.second})

    def scene(self, state: State, last: Move | None) -> Grid:
        return board_scene(self._signs(state), last or ())

    def judgement(self, state: State, player: int) -> float:
        """In how many lines a player has two men and none of the other, less those of the other."""
        first, second = state[:2]
        lead = sum(
            (not second & line and (first & line).bit_count() == MEN - 1)
            - (not first & line and (second & line).bit_count() == MEN - 1)
            for line in _lines(self.size)
        )
        return float(lead if player == 0 else -lead)


def _sides(state: State) -> tuple[int, int]:
    """The men of the player to move, and those of the other player."""
    return (state.first, state.second) if state.turn == 0 else (state.second, state.first)


@lru_cache(maxsize=1 << 16)
def _legal(size: int, mine: int, theirs: int) -> tuple[Move, ...]:
    """The moves that make a line, then those to cells near the middle first."""
    taken = mine | theirs
    moves: list[Move]
    if mine.bit_count() < MEN:
        moves = [(cell,) for cell in _order(size) if not taken >> cell & 1]
    else:
        moves = [
            (start, end)
            for end in _order(size)
            if not taken >> end & 1
            for start in bits(mine & _near(size)[end])
        ]
    lines = _lines(size)
    return tuple(sorted(moves, key=lambda move: mine ^ sum(1 << c for c in move) not in lines))


@lru_cache(maxsize=8)
def _order(size: int) -> tuple[int, ...]:
    """All cells, those near the middle first."""
    middle = (size - 1) / 2
    cells = range(size * size)
    return tuple(sorted(cells, key=lambda n: sum((x - middle) ** 2 for x in divmod(n, size))))


@lru_cache(maxsize=8)
def _near(size: int) -> tuple[int, ...]:
    """The neighbours of each cell along the lines of the board: those in its row and column, and
    those in the diagonals of every second cell, which includes the corners.
    """

    def joined(start: int, end: int) -> bool:
        (row, column), (other, right) = divmod(start, size), divmod(end, size)
        straight = abs(row - other) + abs(column - right) == 1
        diagonal = abs(row - other) == abs(column - right) == 1
        return straight or (diagonal and (row + column) % 2 == 0)

    cells = range(size * size)
    return tuple(sum(1 << end for end in cells if joined(start, end)) for start in cells)


@lru_cache(maxsize=8)
def _lines(size: int) -> frozenset[int]:
    """The lines of three neighbouring cells: rows, columns, and diagonals along which men move."""
    cells = [divmod(n, size) for n in range(size * size)]
    lines = set[int]()
    for row, column in cells:
        for down, right in (0, 1), (1, 0), (1, 1), (1, -1):
            line = [(row + n * down, column + n * right) for n in range(MEN)]
            if all(cell in cells for cell in line) and (
                not down * right or (row + column) % 2 == 0
            ):
                lines.add(sum(1 << r * size + c for r, c in line))
    return frozenset(lines)
