"""Boards of 2048: sliding and merging tiles, random new tiles, and a player who looks ahead."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from random import Random
from types import MappingProxyType

Row = tuple[int, ...]
Board = tuple[Row, ...]
"""Rows of tiles, 0 for an empty cell."""

Luck = tuple[float, float]
"""Two random numbers from 0 to 1, for the cell of a new tile and for its value."""

WAYS = ("left", "right", "up", "down")
FOURS = 0.1
"""The probability that a new tile is a 4."""


@lru_cache(maxsize=1 << 16)
def packed(row: Row) -> Row:
    """A row after sliding to the left: equal tiles that meet merge, each tile at most once.

    >>> packed((2, 0, 2, 4)), packed((2, 2, 2, 2))
    ((4, 4, 0, 0), (4, 4, 0, 0))
    """
    tiles: list[int] = []
    merged = True
    for tile in filter(None, row):
        if not merged and tiles[-1] == tile:
            tiles[-1] *= 2
            merged = True
        else:
            tiles.append(tile)
            merged = False
    return (*tiles, *[0] * (len(row) - len(tiles)))


@lru_cache(maxsize=1 << 16)
def packed_right(row: Row) -> Row:
    """A row after sliding to the right."""
    return packed(row[::-1])[::-1]


@lru_cache(maxsize=1 << 14)  # each turn needs the slides of a board several times
def slides(board: Board) -> Mapping[str, Board]:
    """The board after a slide in each direction that changes it.

    >>> dict(slides(((2, 0), (2, 0))))
    {'right': ((0, 2), (0, 2)), 'up': ((4, 0), (0, 0)), 'down': ((0, 0), (4, 0))}
    """
    upright = tuple(zip(*board))
    slides = (
        ("left", tuple(map(packed, board))),
        ("right", tuple(map(packed_right, board))),
        ("up", tuple(zip(*map(packed, upright)))),
        ("down", tuple(zip(*map(packed_right, upright)))),
    )
    return MappingProxyType({way: after for way, after in slides if after != board})


def empty(board: Board) -> list[tuple[int, int]]:
    """The empty cells in reading order."""
    return [(r, c) for r, row in enumerate(board) for c, tile in enumerate(row) if not tile]


def put(board: Board, cell: tuple[int, int], tile: int) -> Board:
    """The board with another tile."""
    row, column = cell
    line = board[row]
    return (*board[:row], (*line[:column], tile, *line[column + 1 :]), *board[row + 1 :])


def with_new_tile(board: Board, luck: Luck) -> Board:
    """The board with a new tile on one of its empty cells.

    >>> with_new_tile(((0, 2), (0, 0)), (0.5, 0.05))
    ((0, 2), (4, 0))
    """
    cells = empty(board)
    return put(board, cells[int(luck[0] * len(cells))], 4 if luck[1] < FOURS else 2)


@lru_cache(maxsize=256)
def random_tiles(chance: int, number: int) -> tuple[Luck, ...]:
    """The random numbers of each turn of a game, for a seed."""
    rng = Random(chance)
    return tuple((rng.random(), rng.random()) for _ in range(number))


def best(board: Board) -> int:
    """The greatest tile."""
    return max(map(max, board))


def cycles() -> list[tuple[str, ...]]:
    """Cycles of one, two or four directions, for players who do not look at the board.

    >>> len(cycles())
    22
    """
    singles = [(way,) for way in WAYS]
    rounds = [("left", *others) for others in permutations(WAYS[1:])]
    return [*singles, *permutations(WAYS, 2), *rounds]


def cycled(board: Board, lucks: Sequence[Luck], cycle: Sequence[str]) -> int:
    """The greatest tile of a game that repeats a cycle of moves."""
    idle = 0
    for turn, luck in enumerate(lucks):
        after = slides(board).get(cycle[turn % len(cycle)])
        idle = 0 if after else idle + 1
        if idle == len(cycle):
            break
        board = with_new_tile(after, luck) if after else board
    return best(board)


@lru_cache(maxsize=1 << 16)
def _row_features(row: Row, weights: Row) -> tuple[int, int, int]:
    """The weighted sum of a row's tiles, its number of empty cells, and its greatest tile."""
    return sum(tile * weight for tile, weight in zip(row, weights)), row.count(0), max(row)


@lru_cache(maxsize=8)
def _snake(size: int) -> tuple[Row, ...]:
    """Weights that halve from cell to cell along a path that goes back and forth."""
    rows = []
    for r in range(size):
        row = tuple(1 << (size * (size - r) - c - 1) for c in range(size))
        rows.append(row if r % 2 == 0 else row[::-1])
    return tuple(rows)


def value(board: Board) -> int:
    """A heuristic value of a board: great tiles in order from a corner, and empty cells.

    It is an integer because sums of floats differ between versions of Python.
    """
    size = len(board)
    sums, free, greatest = zip(*map(_row_features, board, _snake(size)))
    result: int = 4 * size * sum(sums) + (sum(free) * max(greatest) << size * size - 1)
    return result


def advised(board: Board) -> str:
    """The move with the best mean value over a few new tiles and the best reply to each.

    It depends only on the board, which must have a move.
    """
    after = slides(board)
    return max(after, key=lambda way: _outlook(after[way]))


def _outlook(board: Board) -> float:
    cells = empty(board)
    some = cells[:: max(1, len(cells) // 3)]
    return sum(_reply(put(board, cell, 2)) for cell in some) / len(some)


def _reply(board: Board) -> int:
    after: Mapping[str, Board] = slides.__wrapped__(board)  # uncached, as it rarely recurs
    return max(map(value, after.values()), default=0)


@lru_cache(maxsize=256)
def look_ahead(board: Board, target: int, lucks: tuple[Luck, ...]) -> tuple[str, ...]:
    """The moves of a player who looks ahead, up to the target; empty if they do not reach it."""
    moves = []
    for luck in lucks:
        after = slides(board)
        if not after:
            return ()
        moves.append(advised(board))
        if best(after[moves[-1]]) >= target:
            return tuple(moves)
        board = with_new_tile(after[moves[-1]], luck)
    return ()
