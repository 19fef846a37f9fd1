"""The rules of Domineering, with covered cells as bits, row by row from the top left."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.rules import LOSS, WIN, Rules
from palaestra.generators.matches.square_boards import (
    bits,
    board,
    board_scene,
    board_text,
    hop_name,
)
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import cell_pair

COVERED = {"#": Cell(fill="dark"), ".": Cell()}


class State(NamedTuple):
    """The covered cells, and whose turn it is."""

    covered: int
    turn: int


@dataclass(frozen=True)
class Domineering(Rules[State, int]):
    """Domineering: X places dominoes vertically, O horizontally; who cannot move loses.

    A move is the mask of two cells.
    """

    rows: int
    columns: int
    state_type = State

    def start(self) -> State:
        return State(0, 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[int]:
        """First the moves that leave many moves to the player and few to the opponent."""
        covered, turn = state
        mine = self._upper(covered, turn)
        domino = 1 | 1 << (1 if turn else self.columns)
        moves = [domino << cell for cell in bits(mine)]
        return sorted(moves, key=lambda move: self._lead(covered | move, 1 - turn))

    def _lead(self, covered: int, player: int) -> int:
        """By how much a player has more moves than the other one."""
        mine = self._upper(covered, player).bit_count()
        return mine - self._upper(covered, 1 - player).bit_count()

    def _upper(self, covered: int, player: int) -> int:
        """The upper or left cells of a player's moves."""
        every, inner = _masks(self.rows, self.columns)
        free = every & ~covered
        return free & free >> 1 & inner if player else free & free >> self.columns

    def apply(self, state: State, move: int) -> State:
        return State(state.covered | move, 1 - state.turn)

    def outcome(self, state: State) -> int | None:
        if self._upper(*state):
            return None
        return WIN if state.turn else LOSS

    def name(self, state: State, move: int) -> str:
        first, second = bits(move)
        return hop_name((first, second), self.columns)

    def read(self, state: State, text: str) -> int:
        pair = sorted(cell_pair(text, self.rows, self.columns, "r2c3-r3c3"))
        first, second = (row * self.columns + column for row, column in pair)
        move = 1 << first | 1 << second
        if move not in self.legal(state):
            raise InvalidAnswer(f"{hop_name((first, second), self.columns)} is not a legal move")
        return move

    def show(self, state: State) -> str:
        return board_text(self._signs(state))

    def _signs(self, state: State) -> list[list[str]]:
        return board(self.rows, self.columns, {"#": state.covered})

    def scene(self, state: State, last: int | None) -> Grid:
        return board_scene(self._signs(state), bits(last or 0), COVERED)

    def judgement(self, state: State, player: int) -> float:
        """The difference of the numbers of moves."""
        return float(self._lead(state.covered, player))

    def free(self, state: State) -> int:
        """The number of cells that are not covered."""
        return self.rows * self.columns - state.covered.bit_count()


@lru_cache(maxsize=16)
def _masks(rows: int, columns: int) -> tuple[int, int]:
    """All cells, and those that have another one to the right."""
    inner = sum(1 << cell for cell in range(rows * columns) if (cell + 1) % columns)
    return (1 << rows * columns) - 1, inner
