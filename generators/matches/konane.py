"""The rules of Konane (Hawaiian checkers), with pieces as bits, row by row from the top left."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, takewhile
from typing import NamedTuple

from palaestra.generators.matches.rules import LOSS, WIN, Rules
from palaestra.generators.matches.square_boards import (
    bits,
    board,
    board_scene,
    board_text,
    hop_name,
)
from palaestra.scenes import Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cell_paths import cell_path

Hop = tuple[int, int]
"""A move: the numbers of the cells that a piece leaves and enters, all its jumps together."""

Jump = tuple[int, int, Hop]
"""The bits of the cells that are jumped over and entered, and the move that ends there."""


class State(NamedTuple):
    """The pieces of both players, and whose turn it is."""

    first: int
    second: int
    turn: int


@dataclass(frozen=True)
class Konane(Rules[State, Hop]):
    """Konane on a board of which the pieces of two neighbouring cells in the middle are removed."""

    rows: int
    columns: int
    state_type = State

    def start(self) -> State:
        cells = [divmod(n, self.columns) for n in range(self.rows * self.columns)]
        first = sum(1 << n for n, (row, column) in enumerate(cells) if (row + column) % 2 == 0)
        second = (1 << len(cells)) - 1 - first
        middle = self.rows // 2 * self.columns + self.columns // 2
        removed = 1 << middle | 1 << middle - 1
        return State(first & ~removed, second & ~removed, 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[Hop]:
        return _ordered(self.rows, self.columns, *_sides(state))

    def apply(self, state: State, move: Hop) -> State:
        mine, theirs = _sides(state)
        mine ^= 1 << move[0] | 1 << move[1]
        theirs &= ~_passed(self.columns, *move)
        return State(mine, theirs, 1) if state.turn == 0 else State(theirs, mine, 0)

    def outcome(self, state: State) -> int | None:
        if _legal(self.rows, self.columns, *_sides(state)):
            return None
        return WIN if state.turn else LOSS

    def name(self, state: State, move: Hop) -> str:
        return hop_name(move, self.columns)

    def read(self, state: State, text: str) -> Hop:
        path = cell_path(text, self.rows, self.columns, example="r1c3-r3c3")
        start, *_, end = (row * self.columns + column for row, column in path)
        if (start, end) not in self.legal(state):
            raise InvalidAnswer(f"{hop_name((start, end), self.columns)} is not a legal move")
        return start, end

    def show(self, state: State) -> str:
        return board_text(self._signs(state))

    def _signs(self, state: State) -> list[list[str]]:
        return board(self.rows, self.columns, {"X": state.first, "O": state.second})

    def scene(self, state: State, last: Hop | None) -> Grid:
        return board_scene(self._signs(state), last or ())

    def judgement(self, state: State, player: int) -> float:
        """How many more moves a player has than the other."""
        first, second, _ = state
        size = self.rows, self.columns
        lead = len(_legal(*size, first, second)) - len(_legal(*size, second, first))
        return float(lead if player == 0 else -lead)


def _sides(state: State) -> tuple[int, int]:
    """The pieces of the player to move, and those of the other player."""
    first, second, turn = state
    return (first, second) if turn == 0 else (second, first)


@lru_cache(maxsize=1 << 16)
def _legal(rows: int, columns: int, mine: int, theirs: int) -> tuple[Hop, ...]:
    empty = ~(mine | theirs)
    moves = list[Hop]()
    for step, rays in _rays(rows, columns):
        # The pieces with an opposing piece and then an empty cell in front of them.
        movers = mine & (
            theirs >> step & empty >> 2 * step if step > 0 else theirs << -step & empty << -2 * step
        )
        for start in bits(movers):
            for over, end, move in rays[start]:
                if not theirs & over or not empty & end:
                    break
                moves.append(move)
    return tuple(moves)


@lru_cache(maxsize=1 << 16)
def _ordered(rows: int, columns: int, mine: int, theirs: int) -> tuple[Hop, ...]:
    """The moves, those first that leave the other player the fewest."""

    def replies(move: Hop) -> int:
        left = theirs & ~_passed(columns, *move)
        return len(_legal(rows, columns, left, mine ^ (1 << move[0] | 1 << move[1])))

    return tuple(sorted(_legal(rows, columns, mine, theirs), key=replies))


@lru_cache(maxsize=64)
def _rays(rows: int, columns: int) -> tuple[tuple[int, tuple[tuple[Jump, ...], ...]], ...]:
    """For each direction, the difference between the numbers of neighbours, and for each cell the
    jumps one after another.
    """

    def ray(start: int, down: int, right: int) -> tuple[Jump, ...]:
        row, column = divmod(start, columns)
        step = down * columns + right
        ends = takewhile(
            lambda n: 0 <= row + 2 * n * down < rows and 0 <= column + 2 * n * right < columns,
            count(1),
        )
        return tuple(
            (1 << end - step, 1 << end, (start, end))
            for end in (start + 2 * n * step for n in ends)
        )

    return tuple(
        (down * columns + right, tuple(ray(n, down, right) for n in range(rows * columns)))
        for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0))
    )


@lru_cache(maxsize=1 << 12)
def _passed(columns: int, start: int, end: int) -> int:
    """The cells strictly between two cells of a row or a column."""
    step = 1 if start // columns == end // columns else columns
    low, high = sorted((start, end))
    return sum(1 << cell for cell in range(low + step, high, step))
