"""The rules of Fox and Hounds, with cells as bits, row by row from the top left.

The hounds start on the dark cells of the first row and move down.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.rules import LOSS, WIN, Rules
from palaestra.generators.matches.square_boards import (
    Hop,
    bits,
    board,
    board_scene,
    board_text,
    hop_name,
    read_hop,
)
from palaestra.scenes import Cell, Grid

PIECES = {
    "F": Cell("F", mark="disc", tone="c3", fill="shade"),
    "H": Cell("H", mark="disc", tone="c6", fill="shade"),
    ".": Cell(fill="shade"),
    " ": Cell(),
}

NO_WAY = 20
"""The length of the fox's way where the hounds, as they stand, leave none."""


class State(NamedTuple):
    """The cell of the fox by its number, the hounds as bits, and whose turn it is."""

    fox: int
    hounds: int
    turn: int


@dataclass(frozen=True)
class FoxAndHounds(Rules[State, Hop]):
    """Fox and Hounds with as many hounds as a row has dark cells; the fox moves first."""

    rows: int
    columns: int  # even
    state_type = State
    signs = ("Fox", "Hounds")

    def start(self) -> State:
        last = (self.rows - 1) * self.columns
        middle = self.columns // 2
        column = middle if is_dark(last + middle, self.columns) else middle - 1
        return State(last + column, sum(1 << n for n in range(1, self.columns, 2)), 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[Hop]:
        steps = _steps(self.rows, self.columns)
        if state.turn == 0:
            return [hop for hop in steps[0][state.fox] if not state.hounds >> hop[1] & 1]
        taken = state.hounds | 1 << state.fox
        # The hindmost first: hounds that stay in line leave no gaps.
        return [hop for n in bits(state.hounds) for hop in steps[1][n] if not taken >> hop[1] & 1]

    def apply(self, state: State, move: Hop) -> State:
        if state.turn == 0:
            return State(move[1], state.hounds, 1)
        return State(state.fox, state.hounds ^ 1 << move[0] ^ 1 << move[1], 0)

    def outcome(self, state: State) -> int | None:
        fox, hounds, turn = state
        if fox < self.columns:
            return WIN
        fox_ends, hound_ends = _ends(self.rows, self.columns)
        if turn == 0:
            return None if fox_ends[fox] & ~hounds else LOSS
        free = ~(hounds | 1 << fox)
        return None if any(hound_ends[n] & free for n in bits(hounds)) else WIN

    def solved(self, state: State) -> int | None:
        wins = _wins(self.rows, self.columns, state.hounds)[state.turn]
        return WIN if wins >> state.fox & 1 else LOSS

    def name(self, state: State, move: Hop) -> str:
        return hop_name(move, self.columns)

    def read(self, state: State, text: str) -> Hop:
        return read_hop(text, self.rows, self.columns, self.legal(state))

    def show(self, state: State) -> str:
        return board_text(self._signs(state))

    def _signs(self, state: State, light: str = ".") -> list[list[str]]:
        pieces = {"F": 1 << state.fox, "H": state.hounds}
        signs = board(self.rows, self.columns, pieces)
        for row, line in enumerate(signs):
            line[row % 2 :: 2] = light * (self.columns // 2)
        return signs

    def scene(self, state: State, last: Hop | None) -> Grid:
        return board_scene(self._signs(state, " "), last or (), PIECES)

    def judgement(self, state: State, player: int) -> float:
        """How long the fox's way to the first row is while the hounds stand still, and how far
        these are from being in line.
        """
        rows = [n // self.columns for n in bits(state.hounds)]
        gain = rows[-1] - rows[0] - self.way(state)
        return float(gain if player == 0 else -gain)

    def way(self, state: State) -> int:
        """The number of steps of the fox to the first row while the hounds stand still."""
        ends, goal = _ends(self.rows, self.columns)[0], (1 << self.columns) - 1
        area, new, steps = 0, 1 << state.fox, 0
        while new and not new & goal:
            area |= new
            near = 0
            for n in bits(new):
                near |= ends[n]
            new = near & ~(area | state.hounds)
            steps += 1
        return steps if new else NO_WAY


def is_dark(cell: int, columns: int) -> bool:
    """Whether a cell is dark, by its number: in the first row, every other one from the second."""
    return sum(divmod(cell, columns)) % 2 == 1


@lru_cache(maxsize=16)
def _steps(rows: int, columns: int) -> tuple[tuple[tuple[Hop, ...], ...], ...]:
    """The moves from each cell on an empty board, of the fox and of hounds."""

    def steps(cell: int, downs: Sequence[int]) -> tuple[Hop, ...]:
        row, column = divmod(cell, columns)
        ends = [(row + down, column + right) for down in downs for right in (-1, 1)]
        return tuple((cell, r * columns + c) for r, c in ends if 0 <= r < rows and 0 <= c < columns)

    cells = range(rows * columns)
    return tuple(tuple(steps(cell, downs) for cell in cells) for downs in ((-1, 1), (1,)))


@lru_cache(maxsize=16)
def _ends(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """The ends of the moves of :func:`_steps` as bits."""
    return tuple(
        tuple(sum(1 << end for _, end in hops) for hops in cells) for cells in _steps(rows, columns)
    )


@lru_cache(maxsize=1 << 16)
def _wins(rows: int, columns: int, hounds: int) -> tuple[int, int]:
    """The cells, as bits, where a fox wins that is to move, and where it wins if a hound is to
    move, both with perfect play. Hounds only advance, so that their moves lead to other tables.
    """
    goal, every = (1 << columns) - 1, (1 << rows * columns) - 1
    steps = _steps(rows, columns)[1]
    safe = every
    for start in bits(hounds):
        for _, end in steps[start]:
            if not hounds >> end & 1:
                after = hounds ^ 1 << start ^ 1 << end
                safe &= _wins(rows, columns, after)[0] | 1 << end  # a fox there prevents the move
    safe = (safe | goal) & ~hounds
    ahead = 0
    for end in bits(safe):
        ahead |= _ends(rows, columns)[0][end]
    return (ahead | goal) & ~hounds, safe
