"""Sliding over a board until something is in the way, and covering it."""

from functools import lru_cache
from random import Random

WALL, FREE, START = "#", ".", "S"
STEP = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
ORDERS = ("URDL", "ULDR", "RDLU", "LDRU", "UDLR", "LRUD")
"""Simple strategies: always the first possible direction in a fixed order."""

NODES = 3_000
"""Limit of the slides that a search tries."""


def opened(board: tuple[str, ...]) -> tuple[int, int]:
    """The start, and the free cells as the bits of a number."""
    signs = "".join(board)
    return signs.index(START), sum(1 << n for n, sign in enumerate(signs) if sign == FREE)


def slid(here: int, free: int, move: str, size: int) -> tuple[int, int]:
    """Where a slide ends, and the cells that are free after it.

    >>> slid(0, 0b0110, "R", 4)
    (2, 0)
    """
    row, column = divmod(here, size)
    down, across = STEP[move]
    while True:
        row, column = row + down, column + across
        if not (0 <= row < size and 0 <= column < size and free >> row * size + column & 1):
            return here, free
        here = row * size + column
        free ^= 1 << here


@lru_cache(maxsize=256)
def solve(board: tuple[str, ...]) -> tuple[str, int]:
    """Moves that cover the board, or none, and how many slides were tried."""
    start, free = opened(board)
    stack = [(start, free, "")]
    nodes = 0
    while stack and nodes < NODES:
        here, left, moves = stack.pop()
        nodes += 1
        if not left:
            return moves, nodes
        for move in "LDRU":
            after, rest = slid(here, left, move, len(board))
            if after != here:
                stack.append((after, rest, moves + move))
    return "", nodes


def greedy(board: tuple[str, ...], order: str) -> str:
    """The moves of always taking the first possible direction."""
    here, left = opened(board)
    moves = ""
    while True:
        for move in order:
            after, rest = slid(here, left, move, len(board))
            if after != here:
                here, left, moves = after, rest, moves + move
                break
        else:
            return moves or "U"


def strolled(rng: Random, size: int) -> tuple[int, set[int]]:
    """A start and the cells that slides from it cover, with walls where a slide has to end."""
    start = rng.randrange(size * size)
    here, covered, walls = start, {start}, set[int]()
    for _ in range(size * size):
        ways = []
        for down, across in STEP.values():
            row, column = divmod(here, size)
            path: list[int] = []
            while True:
                row, column = row + down, column + across
                cell = row * size + column
                if not (0 <= row < size and 0 <= column < size) or cell in covered | walls:
                    break
                path.append(cell)
            if path:
                ways.append(path)
        if not ways:
            break
        path = rng.choice(ways)
        length = rng.randint(1, len(path)) if rng.random() < 0.75 else len(path)
        covered |= {*path[:length]}
        walls |= {*path[length : length + 1]}
        here = path[length - 1]
    return start, covered
