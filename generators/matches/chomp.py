"""The rules of Chomp, with a bar as the lengths of its rows, and the bars that are lost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from palaestra.generators.matches.impartial import Impartial
from palaestra.generators.matches.square_boards import board_scene, board_text, name_of, read_cell
from palaestra.scenes import Cell, Grid

SQUARES = {
    "#": Cell(mark="square", tone="c5"),
    "P": Cell("P", mark="square", tone="c3"),
    ".": Cell(),
}

Bar = tuple[int, ...]
"""The lengths of the rows, none of which is longer than the one before."""


class State(NamedTuple):
    """What is left of the bar, and whose turn it is."""

    bar: Bar
    turn: int


@dataclass(frozen=True)
class Chomp(Impartial[State, int]):
    """Chomp on a bar of chocolate; whoever eats the square in the top left corner loses."""

    rows: int
    columns: int
    state_type = State

    def start(self) -> State:
        return State((self.columns,) * self.rows, 0)

    def legal(self, state: State) -> Sequence[int]:
        """The squares, of which the poisoned one comes last."""
        squares = [
            row * self.columns + column
            for row, length in enumerate(state.bar)
            for column in range(length)
        ]
        return [*squares[1:], 0]

    def choices(self, state: State) -> int:
        return sum(state.bar)

    def apply(self, state: State, move: int) -> State:
        bar, turn = state
        row, column = divmod(move, self.columns)
        return State((*bar[:row], *(min(length, column) for length in bar[row:])), 1 - turn)

    def over(self, state: State) -> bool:
        return not state.bar[0]

    def wins(self, state: State) -> bool:
        return state.bar not in lost_bars(self.rows, self.columns)

    def name(self, state: State, move: int) -> str:
        return name_of(move, self.columns)

    def read(self, state: State, text: str) -> int:
        return read_cell(text, self.rows, self.columns, self.legal(state))

    def show(self, state: State) -> str:
        return board_text(self._signs(state.bar))

    def _signs(self, bar: Bar) -> list[list[str]]:
        signs = [[*"#" * length, *"." * (self.columns - length)] for length in bar]
        if bar[0]:
            signs[0][0] = "P"
        return signs

    def scene(self, state: State, last: int | None) -> Grid:
        return board_scene(self._signs(state.bar), () if last is None else (last,), SQUARES)

    def judgement(self, state: State, player: int) -> float:
        """Arms of equal length along both sides after an own move, with little between them."""
        bar = state.bar
        column = sum(length > 0 for length in bar)
        inside = sum(bar) - bar[0] - column + 1
        uneven = 2 * abs(bar[0] - column) + inside
        return float(-uneven if state.turn != player else uneven)


@lru_cache(maxsize=16)
def lost_bars(rows: int, columns: int) -> frozenset[Bar]:
    """All bars inside a rectangle that the player to move loses.

    Each bar comes after those that a move leads to, and is lost if none of those is.
    """
    lost, won = set[Bar](), {(0,) * rows}
    lengths = combinations_with_replacement(range(columns + 1), rows)
    for bar in sorted(length[::-1] for length in lengths):
        if bar not in won:
            lost.add(bar)
            won.update(_before(bar, columns))
    return frozenset(lost)


def _before(bar: Bar, columns: int) -> Iterator[Bar]:
    """The bars of so many columns from which a move leads to this one."""
    for row, length in enumerate(bar):
        most = bar[row - 1] if row else columns
        longer = range(most, length, -1)
        for more in range(1, bar.count(length) + 1 if longer else 0):
            for lengths in combinations_with_replacement(longer, more):
                yield (*bar[:row], *lengths, *bar[row + more :])
