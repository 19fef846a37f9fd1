"""Boards of 2048: sliding and merging tiles, random new tiles, and players who do not look."""

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


def scattered(rng: Random, size: int, total: int, ordered: int) -> Board:
    """A board with one tile for each power of 2 in ``total``.

    The ``ordered`` greatest tiles, at most ``size``, are in order along an edge, the first of them
    in a corner; the others are on random cells.

    >>> sorted(sum(scattered(Random(1), 3, 42, 1), ()))
    [0, 0, 0, 0, 0, 0, 2, 8, 32]
    """
    tiles = [1 << power for power in range(total.bit_length(), 0, -1) if total >> power & 1]
    edge = [(0, column) for column in range(ordered)]
    board: Board = ((0,) * size,) * size
    others = [cell for cell in empty(board) if cell not in edge]
    for cell, tile in zip([*edge, *rng.sample(others, len(others))], tiles):
        board = put(board, cell, tile)
    if rng.random() < 0.5:
        board = tuple(row[::-1] for row in board)
    if rng.random() < 0.5:
        board = board[::-1]
    return board if rng.random() < 0.5 else tuple(zip(*board))
