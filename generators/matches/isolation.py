"""The rules of Isolation: pieces that leave blocked cells behind, on cells as bits, row by row from
the top left.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.rules import LOSS, WIN, Rules
from palaestra.generators.matches.square_boards import (
    PIECES,
    bits,
    board,
    board_scene,
    board_text,
    name_of,
    read_cell,
)
from palaestra.scenes import Cell, Grid

WAYS = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)


class State(NamedTuple):
    """The bits of both pieces, all cells that are blocked or have a piece, and whose turn it is."""

    first: int
    second: int
    taken: int
    turn: int


@dataclass(frozen=True)
class Isolation(Rules[State, int]):
    """Isolation with pieces that move like queens of chess, or like kings."""

    rows: int
    columns: int
    queens: bool
    state_type = State

    def start(self) -> State:
        middle = (self.columns - 1) // 2
        first = 1 << self.rows * self.columns - 1 - middle
        return State(first, 1 << middle, first | 1 << middle, 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[int]:
        first, second, taken, turn = state
        mine, theirs = (first, second) if turn == 0 else (second, first)
        return _ordered(self, mine, theirs, taken)

    def apply(self, state: State, move: int) -> State:
        first, second, taken, turn = state
        end = 1 << move
        return State(first, end, taken | end, 0) if turn else State(end, second, taken | end, 1)

    def outcome(self, state: State) -> int | None:
        if self.reach(state[state.turn], state.taken):
            return None
        return WIN if state.turn else LOSS

    def reach(self, piece: int, taken: int) -> int:
        """The cells that a piece can enter, as bits."""
        near = _near(self.rows, self.columns, piece) & ~taken
        return _slides(self.rows, self.columns, piece, taken) if near and self.queens else near

    def name(self, state: State, move: int) -> str:
        return name_of(move, self.columns)

    def read(self, state: State, text: str) -> int:
        return read_cell(text, self.rows, self.columns, self.legal(state))

    def show(self, state: State) -> str:
        return board_text(self._signs(state))

    def _signs(self, state: State) -> list[list[str]]:
        blocked = state.taken & ~(state.first | state.second)
        pieces = {"X": state.first, "O": state.second, "#": blocked}
        return board(self.rows, self.columns, pieces)

    def scene(self, state: State, last: int | None) -> Grid:
        cells = () if last is None else (last,)
        return board_scene(self._signs(state), cells, PIECES | {"#": Cell(fill="dark")})

    def judgement(self, state: State, player: int) -> float:
        """How many more cells a player can enter than the other."""
        first, second, taken, _ = state
        lead = self.reach(first, taken).bit_count() - self.reach(second, taken).bit_count()
        return float(lead if player == 0 else -lead)

    def free(self, state: State) -> int:
        """The number of free cells."""
        return self.rows * self.columns - state.taken.bit_count()


@lru_cache(maxsize=1 << 16)
def _ordered(rules: Isolation, mine: int, theirs: int, taken: int) -> tuple[int, ...]:
    """The moves, those first that leave the other piece the fewest cells, compared with the own."""

    def lead(cell: int) -> int:
        after = taken | 1 << cell
        own, other = rules.reach(1 << cell, after), rules.reach(theirs, after)
        return own.bit_count() - other.bit_count() if other else 1_000

    return tuple(sorted(bits(rules.reach(mine, taken)), key=lead, reverse=True))


@lru_cache(maxsize=1 << 12)
def _near(rows: int, columns: int, piece: int) -> int:
    """The neighbours of a cell."""
    rays = _rays(rows, columns)[piece.bit_length() - 1]
    return sum(ray[0] for ray in rays)


@lru_cache(maxsize=1 << 16)
def _slides(rows: int, columns: int, piece: int, taken: int) -> int:
    """The cells that a queen can enter."""
    cells = 0
    for ray in _rays(rows, columns)[piece.bit_length() - 1]:
        for cell in ray:
            if taken & cell:
                break
            cells |= cell
    return cells


@lru_cache(maxsize=64)
def _rays(rows: int, columns: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each cell, the cells in each direction up to the edge, as bits; no empty directions."""

    def ray(row: int, column: int, down: int, right: int) -> Iterator[int]:
        while 0 <= (row := row + down) < rows and 0 <= (column := column + right) < columns:
            yield 1 << row * columns + column

    return tuple(
        tuple(filter(None, (tuple(ray(*divmod(cell, columns), *way)) for way in WAYS)))
        for cell in range(rows * columns)
    )
