"""The rules of Breakthrough, with pieces as bits, row by row from the top left.

X starts in the two rows at the bottom and moves up, O in the two at the top and moves down.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.generators.matches.square_boards import Hop, HopRules, Pieces, bits

Step = tuple[int, bool, bool, Hop]
"""A way of a piece: the bit of its end, whether that is in the last row and diagonal, the move."""


@dataclass(frozen=True)
class Breakthrough(HopRules):
    """Breakthrough on a board of at least five rows; X moves first."""

    rows: int
    columns: int

    def start(self) -> Pieces:
        ranks = (1 << 2 * self.columns) - 1
        return Pieces(ranks << (self.rows - 2) * self.columns, ranks, 0)

    def legal(self, state: Pieces) -> Sequence[Hop]:
        return _legal(self.rows, self.columns, state)

    def apply(self, state: Pieces, move: Hop) -> Pieces:
        first, second, turn = state
        end = 1 << move[1]
        if turn == 0:
            return Pieces(first ^ 1 << move[0] | end, second & ~end, 1)
        return Pieces(first & ~end, second ^ 1 << move[0] | end, 0)

    def outcome(self, state: Pieces) -> int | None:
        first, second, _ = state
        if not second or first & (1 << self.columns) - 1:
            return WIN
        if not first or second >> (self.rows - 1) * self.columns:
            return LOSS
        return None

    def threat(self, state: Pieces) -> bool:
        """Whether the player to move can enter the last row at once."""
        end = self.legal(state)[0][1] if self.outcome(state) is None else self.columns
        return not self.columns <= end < (self.rows - 1) * self.columns

    def judgement(self, state: Pieces, player: int) -> float:
        """Pieces, and how far the foremost one is: a row counts as much as a piece."""
        first, second, _ = state
        foremost = self.rows - 1 - min(bits(first), default=0) // self.columns
        lead = first.bit_count() + foremost
        lead -= second.bit_count() + (second.bit_length() - 1) // self.columns
        return float(lead if player == 0 else -lead)


@lru_cache(maxsize=1 << 16)
def _legal(rows: int, columns: int, state: Pieces) -> tuple[Hop, ...]:
    """The moves to the last row, then captures, then the others, those of the foremost first."""
    first, second, turn = state
    mine, theirs = (first, second) if turn == 0 else (second, first)
    wins, captures, others = list[Hop](), list[Hop](), list[Hop]()
    for piece, ways in _steps(rows, columns)[turn]:
        if not mine & piece:
            continue
        for end, wins_game, diagonal, hop in ways:
            if mine & end or (theirs & end and not diagonal):
                continue
            (wins if wins_game else captures if theirs & end else others).append(hop)
    return (*wins, *captures, *others)


@lru_cache(maxsize=64)
def _steps(rows: int, columns: int) -> tuple[tuple[tuple[int, tuple[Step, ...]], ...], ...]:
    """For each player, the ways from each cell, given by its bit; the foremost cells first."""
    return tuple(
        tuple(
            (1 << start, _ways(rows, columns, start, row + down))
            for row in (range(1, rows) if down < 0 else range(rows - 2, -1, -1))
            for start in range(row * columns, row * columns + columns)
        )
        for down in (-1, 1)
    )


def _ways(rows: int, columns: int, start: int, row: int) -> tuple[Step, ...]:
    """The ways from a cell to the row in front of it."""
    column = start % columns
    ends = [c for c in (column, column - 1, column + 1) if 0 <= c < columns]
    return tuple(
        (1 << end, row in {0, rows - 1}, end % columns != column, (start, end))
        for end in (row * columns + c for c in ends)
    )
