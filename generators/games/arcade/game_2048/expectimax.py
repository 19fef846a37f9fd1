"""A player of 2048 that sees the board only: expectimax search over tables of rows.

A row of a board is a code with four bits for each cell, the binary logarithm of its tile, and 0 for
an empty cell. The slides and the worth of each row that occurs are computed once. The worth of a
row is that of Robert Xiao's player (nneonneo, 2014): empty cells and equal neighbours are good;
great tiles, and tiles that are out of order, are bad.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import isqrt

from palaestra.generators.games.arcade.game_2048.boards import WAYS, Board, packed

Rows = list[int]
"""The codes of the rows of a board."""

CROWDED = 2
"""The most empty cells after a move for which the search goes one own move deeper."""

SAMPLE = 6
"""From how many empty cells on the search tries every second one only, and so on."""


class Table(dict[int, int]):
    """A function of codes that remembers its values."""

    def __init__(self, function: Callable[[int], int]) -> None:
        super().__init__()
        self.function = function

    def __missing__(self, code: int) -> int:
        value = self[code] = self.function(code)
        return value


def code(tiles: Iterable[int]) -> int:
    """The code of a row of tiles.

    >>> hex(code((2, 0, 0, 2048)))
    '0xb001'
    """
    return sum((tile.bit_length() - 1) << 4 * n for n, tile in enumerate(tiles) if tile)


def worth(powers: Sequence[int]) -> int:
    """The worth of a row of binary logarithms of tiles; greater is better, and it is positive.

    >>> worth((0, 0, 5, 5)) > worth((0, 5, 4, 5)) > worth((5, 0, 0, 5))
    True
    """
    pairs = list(pairwise(powers))
    merges = sum(a == b and a > 0 for a, b in pairs)
    falls = sum(max(0, a**4 - b**4) for a, b in pairs)
    rises = sum(max(0, b**4 - a**4) for a, b in pairs)
    great = sum(isqrt(power**7) for power in powers)
    return 2_000_000 + 270 * powers.count(0) + 700 * merges - 47 * min(falls, rises) - 11 * great


class Player:
    """Chooses moves on boards of one size."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.mask = (1 << 4 * size) - 1
        self.left = Table(lambda row: code(packed(self.tiles(row))))
        self.right = Table(lambda row: code(packed(self.tiles(row)[::-1])[::-1]))
        self.worth = Table(lambda row: worth(self.powers(row)))
        self.spread = Table(
            lambda row: sum(p << 4 * size * n for n, p in enumerate(self.powers(row)))
        )
        """The cells of a row as the first cells of all rows of a board, in one integer."""

    def powers(self, row: int) -> tuple[int, ...]:
        """The binary logarithms of the tiles of a row, 0 for an empty cell."""
        return tuple(row >> 4 * n & 15 for n in range(self.size))

    def tiles(self, row: int) -> tuple[int, ...]:
        """The tiles of a row, 0 for an empty cell."""
        return tuple(1 << power if power else 0 for power in self.powers(row))

    def turned(self, rows: Rows) -> Rows:
        """The columns as rows."""
        spread, board = self.spread, 0
        for n, row in enumerate(rows):
            board |= spread[row] << 4 * n
        return [board >> 4 * self.size * n & self.mask for n in range(self.size)]

    def slides(self, rows: Rows) -> Iterable[tuple[str, Rows]]:
        """The moves that change the board; after a move up or down, the columns are the rows."""
        left, right, columns = self.left, self.right, self.turned(rows)
        boards = (rows, rows, columns, columns)
        for way, before, table in zip(WAYS, boards, (left, right, left, right)):
            after = [table[row] for row in before]
            if after != before:
                yield way, after

    def value(self, rows: Rows) -> int:
        """The worth of all rows and columns."""
        worth = self.worth
        return sum([worth[row] for row in rows]) + sum([worth[row] for row in self.turned(rows)])

    def move(self, board: Board, plies: int = 2) -> str:
        """The best move of a board, which has one, by a search of so many own moves."""
        values = {
            way: self.expected(after, plies - 1, CROWDED)
            for way, after in self.slides([code(row) for row in board])
        }
        return max(values, key=lambda way: values[way])

    def expected(self, rows: Rows, plies: int, crowded: int) -> float:
        """The mean value over the new tile of a board before so many own moves.

        The search goes one own move deeper where at most ``crowded`` cells are empty. The last new
        tile is always a 2, as few are a 4.
        """
        if not plies:
            return self.value(rows)
        free = [
            (r, c) for r in range(self.size) for c in range(self.size) if not rows[r] >> 4 * c & 15
        ]
        plies += len(free) <= crowded
        some = free[:: 1 + len(free) // SAMPLE]
        tiles = ((1, 0.9), (2, 0.1)) if plies > 1 else ((1, 1.0),)
        total = 0.0
        for row, column in some:
            for power, share in tiles:
                filled = rows.copy()
                filled[row] |= power << 4 * column
                values = [self.expected(after, plies - 1, 0) for _, after in self.slides(filled)]
                total += share * max(values, default=0)
        return total / len(some)


@lru_cache(maxsize=8)
def player(size: int) -> Player:
    """The player of a size of board, whose tables serve all its games."""
    return Player(size)
