"""The rules of Clobber, with pieces as bits, row by row from the top left."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.generators.matches.square_boards import Hop, HopRules, Pieces, bits


@dataclass(frozen=True)
class Clobber(HopRules):
    """Clobber on a board that the pieces of both players fill like the colours of a chessboard."""

    rows: int
    columns: int

    def start(self) -> Pieces:
        cells = [divmod(n, self.columns) for n in range(self.rows * self.columns)]
        first = sum(1 << n for n, (row, column) in enumerate(cells) if (row + column) % 2 == 0)
        return Pieces(first, (1 << len(cells)) - 1 - first, 0)

    def legal(self, state: Pieces) -> Sequence[Hop]:
        return _ordered(self.rows, self.columns, *_sides(state))

    def apply(self, state: Pieces, move: Hop) -> Pieces:
        mine, theirs = _sides(state)
        end = 1 << move[1]
        mine, theirs = mine ^ 1 << move[0] | end, theirs ^ end
        return Pieces(mine, theirs, 1) if state.turn == 0 else Pieces(theirs, mine, 0)

    def outcome(self, state: Pieces) -> int | None:
        first, second, turn = state
        for step, inside in _steps(self.rows, self.columns):
            # Whoever is next to an opposing piece can take it, and be taken.
            if first & inside & (second >> step) or second & inside & (first >> step):
                return None
        return WIN if turn else LOSS

    def judgement(self, state: Pieces, player: int) -> float:
        """How many more pieces that can move a player has than the other."""
        first, second, _ = state
        size = self.rows, self.columns
        lead = _movable(*size, first, second) - _movable(*size, second, first)
        return float(lead if player == 0 else -lead)


def _sides(state: Pieces) -> tuple[int, int]:
    """The pieces of the player to move, and those of the other player."""
    first, second, turn = state
    return (first, second) if turn == 0 else (second, first)


@lru_cache(maxsize=64)
def _steps(rows: int, columns: int) -> tuple[tuple[int, int], ...]:
    """The differences between a cell and its neighbours to the right and below, each with the cells
    that have such a neighbour.
    """
    cells = range(rows * columns)
    return (
        (1, sum(1 << n for n in cells if n % columns < columns - 1)),
        (columns, sum(1 << n for n in cells if n < (rows - 1) * columns)),
    )


def _legal(rows: int, columns: int, mine: int, theirs: int) -> list[Hop]:
    moves = list[Hop]()
    for step, inside in _steps(rows, columns):
        moves += [(n, n + step) for n in bits(mine & inside & theirs >> step)]
        moves += [(n + step, n) for n in bits(theirs & inside & mine >> step)]
    return moves


@lru_cache(maxsize=1 << 16)
def _ordered(rows: int, columns: int, mine: int, theirs: int) -> tuple[Hop, ...]:
    """The moves, those first that leave the most pieces of the player able to move, compared with
    those of the other player.
    """

    def lead(move: Hop) -> int:
        end = 1 << move[1]
        after = mine ^ 1 << move[0] | end, theirs ^ end
        return _movable(rows, columns, *after) - _movable(rows, columns, *after[::-1])

    moves = _legal(rows, columns, mine, theirs)
    return tuple(sorted(moves, key=lead, reverse=True))


def _movable(rows: int, columns: int, mine: int, theirs: int) -> int:
    """The number of pieces of a player that are next to one of the other player."""
    near = 0
    for step, inside in _steps(rows, columns):
        near |= inside & theirs >> step | (theirs & inside) << step
    return (mine & near).bit_count()
