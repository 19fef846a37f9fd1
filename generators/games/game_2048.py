"""Boards of 2048: sliding and merging tiles, new tiles by chance, and a player that looks ahead."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from random import Random
from types import MappingProxyType

Row = tuple[int, ...]
Board = tuple[Row, ...]
"""Rows of tiles, 0 for an empty cell."""

Luck = tuple[float, float]
"""Two numbers from 0 to 1 that say where a new tile comes up and whether it is a 4."""

WAYS = ("left", "right", "up", "down")
FOURS = 0.1
"""How often a new tile is a 4."""


@lru_cache(maxsize=1 << 16)
def packed(row: Row) -> Row:
    """A row slid to the left: equal tiles that meet merge, each tile at most once.

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
    """A row slid to the right."""
    return packed(row[::-1])[::-1]


@lru_cache(maxsize=1 << 14)  # a board is asked for several times a turn, and stays where none moves
def slides(board: Board) -> Mapping[str, Board]:
    """The boards that each direction leads to, where it changes anything.

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
    """The board with one more tile."""
    row, column = cell
    line = board[row]
    return (*board[:row], (*line[:column], tile, *line[column + 1 :]), *board[row + 1 :])


def grown(board: Board, luck: Luck) -> Board:
    """The board with a new tile on one of its empty cells.

    >>> grown(((0, 2), (0, 0)), (0.5, 0.05))
    ((0, 2), (4, 0))
    """
    cells = empty(board)
    return put(board, cells[int(luck[0] * len(cells))], 4 if luck[1] < FOURS else 2)


@lru_cache(maxsize=256)
def lots(chance: int, number: int) -> tuple[Luck, ...]:
    """The luck of each turn of a game."""
    rng = Random(chance)
    return tuple((rng.random(), rng.random()) for _ in range(number))


def best(board: Board) -> int:
    """The greatest tile."""
    return max(map(max, board))


def cycles() -> list[tuple[str, ...]]:
    """Ways to play without looking: one, two or four directions, over and over.

    >>> len(cycles())
    22
    """
    singles = [(way,) for way in WAYS]
    rounds = [("left", *others) for others in permutations(WAYS[1:])]
    return [*singles, *permutations(WAYS, 2), *rounds]


def cycled(board: Board, lucks: Sequence[Luck], cycle: Sequence[str]) -> int:
    """The greatest tile of a game in which the same moves are made over and over."""
    idle = 0
    for turn, luck in enumerate(lucks):
        after = slides(board).get(cycle[turn % len(cycle)])
        idle = 0 if after else idle + 1
        if idle == len(cycle):
            break
        board = grown(after, luck) if after else board
    return best(board)


@lru_cache(maxsize=1 << 16)
def _looks(row: Row, weights: Row) -> tuple[int, int, int]:
    """How well a row is ordered, its empty cells, and its greatest tile."""
    return sum(tile * weight for tile, weight in zip(row, weights)), row.count(0), max(row)


@lru_cache(maxsize=8)
def _snake(size: int) -> tuple[Row, ...]:
    """Weights that fall by half along a path through the board, back and forth."""
    rows = []
    for r in range(size):
        row = tuple(1 << (size * (size - r) - c - 1) for c in range(size))
        rows.append(row if r % 2 == 0 else row[::-1])
    return tuple(rows)


def value(board: Board) -> int:
    """How promising a board looks: great tiles in order from a corner, and room.

    A whole number, for sums of floats differ between versions of Python.
    """
    size = len(board)
    ordered, room, greatest = zip(*map(_looks, board, _snake(size)))
    worth: int = 4 * size * sum(ordered) + (sum(room) * max(greatest) << size * size - 1)
    return worth


def advised(board: Board) -> str:
    """The move after which the board looks best, over a few new tiles and the best reply to each.

    Only what a player sees goes into it. The board has to have a move.
    """
    after = slides(board)
    return max(after, key=lambda way: _outlook(after[way]))


def _outlook(board: Board) -> float:
    cells = empty(board)
    some = cells[:: max(1, len(cells) // 3)]
    return sum(_reply(put(board, cell, 2)) for cell in some) / len(some)


def _reply(board: Board) -> int:
    after: Mapping[str, Board] = slides.__wrapped__(board)  # nobody asks for it again
    return max(map(value, after.values()), default=0)


@lru_cache(maxsize=256)
def mastered(board: Board, target: int, lucks: tuple[Luck, ...]) -> tuple[str, ...]:
    """The moves by which a player who looks ahead reaches the target; none if that fails."""
    moves = []
    for luck in lucks:
        after = slides(board)
        if not after:
            return ()
        moves.append(advised(board))
        if best(after[moves[-1]]) >= target:
            return tuple(moves)
        board = grown(after[moves[-1]], luck)
    return ()
