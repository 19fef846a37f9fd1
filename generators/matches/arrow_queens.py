"""The rules of the Game of the Amazons: queens that move and then block a cell with an arrow, on
cells as bits, row by row from the top left.
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
)
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.arrow_queens import arrow_move

WAYS = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)

Shot = tuple[int, int, int]
"""A move: the cells that a queen leaves and enters, and the cell that its arrow blocks."""


class State(NamedTuple):
    """The queens of both players and the cells that arrows block, as bits, and whose turn it is."""

    first: int
    second: int
    blocked: int
    turn: int


@dataclass(frozen=True)
class ArrowQueens(Rules[State, Shot]):
    """The Game of the Amazons on a board of any size."""

    rows: int
    columns: int
    state_type = State

    def start(self) -> State:
        """One queen of each player in the middle of the nearest row."""
        middle = (self.columns - 1) // 2
        return State(1 << self.rows * self.columns - 1 - middle, 1 << middle, 0, 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[Shot]:
        return _ordered(self.rows, self.columns, *_sides(state), state.blocked)

    def apply(self, state: State, move: Shot) -> State:
        first, second, blocked, turn = state
        start, end, arrow = move
        hop = 1 << start | 1 << end
        if turn == 0:
            return State(first ^ hop, second, blocked | 1 << arrow, 1)
        return State(first, second ^ hop, blocked | 1 << arrow, 0)

    def outcome(self, state: State) -> int | None:
        first, second, blocked, turn = state
        mine = second if turn else first
        if _around(self.rows, self.columns, mine) & ~(first | second | blocked):
            return None
        return WIN if turn else LOSS

    def solved(self, state: State) -> int | None:
        """Once the queens of both players cannot meet, whoever has more moves left wins."""
        mine, theirs = _sides(state)
        cells = (1 << self.rows * self.columns) - 1 & ~state.blocked
        # A queen that moves away opens its cell.
        own = _region(self.rows, self.columns, mine, cells)
        if own & theirs:
            return None
        other = _region(self.rows, self.columns, theirs, cells)
        most = (
            _most_moves(self.rows, self.columns, mine, own & ~mine),
            _most_moves(self.rows, self.columns, theirs, other & ~theirs),
        )
        return WIN if (most[0] > most[1]) == (state.turn == 0) else LOSS

    def name(self, state: State, move: Shot) -> str:
        start, end, arrow = (name_of(cell, self.columns) for cell in move)
        return f"{start}-{end}x{arrow}"

    def read(self, state: State, text: str) -> Shot:
        start, end, arrow = (
            row * self.columns + column for row, column in arrow_move(text, self.rows, self.columns)
        )
        move = start, end, arrow
        if move in self.legal(state):
            return move
        raise InvalidAnswer(
            f"{self.name(state, move)} is not a legal move: {self._why(state, move)}"
        )

    def _why(self, state: State, move: Shot) -> str:
        """What is wrong with a move that is not legal."""
        mine, theirs = _sides(state)
        start, end, _ = move
        if not mine >> start & 1:
            return f"you have no queen on {name_of(start, self.columns)}"
        rest = (mine | theirs | state.blocked) & ~(1 << start)
        if not _slides(self.rows, self.columns, start, rest) >> end & 1:
            return "the queen cannot go there"
        return "the arrow cannot go there"

    def show(self, state: State) -> str:
        return board_text(self._signs(state))

    def _signs(self, state: State) -> list[list[str]]:
        pieces = {"X": state.first, "O": state.second, "#": state.blocked}
        return board(self.rows, self.columns, pieces)

    def scene(self, state: State, last: Shot | None) -> Grid:
        return board_scene(self._signs(state), last or (), PIECES | {"#": Cell(fill="dark")})

    def judgement(self, state: State, player: int) -> float:
        """How many more cells a player can enter in one move than the other."""
        taken = state.first | state.second | state.blocked
        first, second = (self._reach(queens, taken).bit_count() for queens in state[:2])
        return float(first - second if player == 0 else second - first)

    def _reach(self, queens: int, taken: int) -> int:
        cells = 0
        for queen in bits(queens):
            cells |= _slides(self.rows, self.columns, queen, taken)
        return cells

    def around(self, cells: int) -> int:
        """The neighbours of cells, as bits."""
        return _around(self.rows, self.columns, cells)

    def free(self, state: State) -> int:
        """The number of free cells."""
        taken = state.first | state.second | state.blocked
        return self.rows * self.columns - taken.bit_count()


def _sides(state: State) -> tuple[int, int]:
    """The queens of the player to move, and those of the other player."""
    return (state.second, state.first) if state.turn else (state.first, state.second)


@lru_cache(maxsize=1 << 14)
def _ordered(rows: int, columns: int, mine: int, theirs: int, blocked: int) -> tuple[Shot, ...]:
    """The moves, those first that leave the other queens few free neighbours, compared with the own
    ones.
    """

    def lead(move: Shot) -> int:
        start, end, arrow = move
        queens = mine ^ 1 << start ^ 1 << end
        free = ~(queens | theirs | blocked | 1 << arrow)
        other = (around & free).bit_count()
        return (_around(rows, columns, queens) & free).bit_count() - (other or -100) - other

    around = _around(rows, columns, theirs)
    moves = _moves(rows, columns, mine, theirs | blocked)
    return tuple(sorted(moves, key=lead, reverse=True))


@lru_cache(maxsize=1 << 15)
def _region(rows: int, columns: int, queens: int, free: int) -> int:
    """The free cells that are connected with queens, as bits."""
    region, edge = 0, _around(rows, columns, queens) & free
    while edge:
        region |= edge
        edge = _around(rows, columns, edge) & free & ~region
    return region


@lru_cache(maxsize=1 << 15)
def _most_moves(rows: int, columns: int, queens: int, free: int) -> int:
    """How many moves queens can make one after another that have free cells to themselves."""
    best, cells = 0, free.bit_count()
    everything = (1 << rows * columns) - 1
    for start, end, arrow in _moves(rows, columns, queens, everything & ~(queens | free)):
        after = queens ^ 1 << start ^ 1 << end
        left = (free | 1 << start) & ~(1 << end | 1 << arrow)
        best = max(best, 1 + _most_moves(rows, columns, after, _region(rows, columns, after, left)))
        if best == cells:
            break
    return best


def _moves(rows: int, columns: int, mine: int, others: int) -> Iterator[Shot]:
    for start in bits(mine):
        rest = (mine | others) ^ 1 << start
        for end in bits(_slides(rows, columns, start, rest)):
            for arrow in bits(_slides(rows, columns, end, rest)):
                yield start, end, arrow


@lru_cache(maxsize=1 << 14)
def _around(rows: int, columns: int, queens: int) -> int:
    """The neighbours of queens, as bits."""
    cells = 0
    for queen in bits(queens):
        for ray in _rays(rows, columns)[queen]:
            cells |= 1 << ray[0]
    return cells


@lru_cache(maxsize=1 << 16)
def _slides(rows: int, columns: int, start: int, taken: int) -> int:
    """The cells that a queen or an arrow can reach from a cell, as bits."""
    cells = 0
    for ray in _rays(rows, columns)[start]:
        for cell in ray:
            if taken >> cell & 1:
                break
            cells |= 1 << cell
    return cells


@lru_cache(maxsize=64)
def _rays(rows: int, columns: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each cell, the cells in each direction up to the edge; no empty directions."""

    def ray(row: int, column: int, down: int, right: int) -> Iterator[int]:
        while 0 <= (row := row + down) < rows and 0 <= (column := column + right) < columns:
            yield row * columns + column

    return tuple(
        tuple(filter(None, (tuple(ray(*divmod(cell, columns), *way)) for way in WAYS)))
        for cell in range(rows * columns)
    )
