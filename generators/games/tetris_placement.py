"""The seven tetrominoes: orientations, drops on a board, and plans that clear rows.

A board is a tuple of rows from the bottom up, each a mask whose lowest bit is the leftmost column.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

Board = tuple[int, ...]

SHAPES: dict[str, tuple[str, ...]] = {
    "I": ("####",),
    "O": ("##", "##"),
    "T": (".#.", "###"),
    "S": (".##", "##."),
    "Z": ("##.", ".##"),
    "J": ("#..", "###"),
    "L": ("..#", "###"),
}


@lru_cache(maxsize=16)
def turns(piece: str) -> tuple[tuple[str, ...], ...]:
    """The different orientations of a piece, each a quarter turn clockwise from the one before.

    >>> turns("I"), len(turns("O"))
    ((('####',), ('#', '#', '#', '#')), 1)
    """
    orientations: list[tuple[str, ...]] = []
    rows = SHAPES[piece]
    while rows not in orientations:
        orientations.append(rows)
        rows = tuple("".join(column) for column in zip(*rows[::-1]))
    return tuple(orientations)


class Placement(NamedTuple):
    """The orientation of a piece and the column of its leftmost squares, both from 1."""

    turn: int
    column: int


class Drop(NamedTuple):
    """The board after a drop, and the number of cleared rows."""

    board: Board
    cleared: int


@lru_cache(maxsize=64)
def _bits(piece: str, turn: int) -> tuple[tuple[int, ...], int]:
    rows = turns(piece)[turn - 1]
    masks = (sum((sign == "#") << n for n, sign in enumerate(row)) for row in reversed(rows))
    return tuple(masks), len(rows[0])


def dropped(board: Board, piece: str, where: Placement, width: int, height: int) -> Drop | None:
    """The result of a drop; ``None`` if the piece would not be entirely on the board.

    >>> dropped((0b1100, 0, 0), "O", Placement(1, 1), 4, 3)
    Drop(board=(3, 0, 0), cleared=1)
    """
    landed = landing(board, piece, where, width, height)
    if landed is None:
        return None
    level, shifted = landed
    rows = list(board)
    for n, mask in enumerate(shifted, level):
        rows[n] |= mask
    kept = [row for row in rows if row != (1 << width) - 1]
    return Drop((*kept, *[0] * (height - len(kept))), height - len(kept))


def landing(
    board: Board, piece: str, where: Placement, width: int, height: int
) -> tuple[int, list[int]] | None:
    """The lowest row that a piece covers after its fall, and the masks of its rows from there up;
    ``None`` if it would not be entirely on the board.

    >>> landing((0b1100, 0, 0), "O", Placement(1, 2), 4, 3)
    (1, [6, 6])
    """
    masks, wide = _bits(piece, where.turn)
    if not 1 <= where.column <= width - wide + 1:
        return None
    shifted = [mask << (where.column - 1) for mask in masks]
    level = height
    while level and not board[level - 1]:  # empty rows do not stop a piece
        level -= 1
    while level and not any(a & b for a, b in zip(shifted, board[level - 1 :])):
        level -= 1
    return None if level + len(shifted) > height else (level, shifted)


def options(piece: str, width: int) -> Iterator[Placement]:
    """All placements of a piece."""
    for turn in range(1, len(turns(piece)) + 1):
        for column in range(1, width - _bits(piece, turn)[1] + 2):
            yield Placement(turn, column)


def cleared(
    board: Board, pieces: str, plan: Sequence[Placement], width: int, height: int
) -> tuple[int, str]:
    """The number of rows that a plan clears, and what is wrong with it, or ""."""
    total = 0
    for n, (piece, where) in enumerate(zip(pieces, plan), 1):
        drop = dropped(board, piece, where, width, height)
        if drop is None:
            return 0, f"piece {n} is not within the board"
        board, total = drop.board, total + drop.cleared
    return total, ""


def dropped_by_squares(
    full: set[tuple[int, int]], piece: str, where: Placement, width: int, height: int
) -> tuple[set[tuple[int, int]], int] | None:
    """The same as :func:`dropped`, with the full squares as pairs of row, from the bottom, and
    column, and a piece that falls one row at a time.

    >>> dropped_by_squares({(0, 2), (0, 3)}, "O", Placement(1, 1), 4, 3) == ({(0, 0), (0, 1)}, 1)
    True
    """
    rows = turns(piece)[where.turn - 1]
    squares = {
        (height + r, where.column - 1 + c)
        for r, row in enumerate(reversed(rows))
        for c, sign in enumerate(row)
        if sign == "#"
    }
    while not any(r == 0 or (r - 1, c) in full for r, c in squares):
        squares = {(r - 1, c) for r, c in squares}
    if any(r >= height or not 0 <= c < width for r, c in squares):
        return None
    after = full | squares
    done = [r for r in range(height) if all((r, c) in after for c in range(width))]
    after = {(r - sum(a < r for a in done), c) for r, c in after if r not in done}
    return after, len(done)


def ways(board: Board, pieces: str, width: int, height: int, goal: int) -> int:
    """The number of plans that clear at least ``goal`` rows."""
    states = Counter({(board, 0): 1})
    for piece in pieces:
        after: Counter[tuple[Board, int]] = Counter()
        for (rows, total), number in states.items():
            for where in options(piece, width):
                if drop := dropped(rows, piece, where, width, height):
                    after[drop.board, total + drop.cleared] += number
        states = after
    return sum(number for (_, total), number in states.items() if total >= goal)


def _roughness(board: Board) -> int:
    """A weighted sum of the holes of a board and its height."""
    covered = holes = 0
    for row in reversed(board):
        holes += (covered & ~row).bit_count()
        covered |= row
    return 4 * holes + sum(map(bool, board))


@lru_cache(maxsize=256)
def planned(
    board: Board, pieces: str, width: int, height: int, beam: int
) -> tuple[int, tuple[Placement, ...]]:
    """The number of rows that a plan by beam search clears, and the plan; a beam of 1 is greedy."""
    states: list[tuple[int, Board, tuple[Placement, ...]]] = [(0, board, ())]
    for piece in pieces:
        plans: dict[tuple[int, Board], tuple[Placement, ...]] = {}
        for cleared, rows, plan in states:
            for where in options(piece, width):
                if drop := dropped(rows, piece, where, width, height):
                    plans.setdefault((cleared + drop.cleared, drop.board), (*plan, where))
        ranked = sorted(plans, key=lambda key: (_roughness(key[1]) - 6 * key[0], key))
        states = [(*key, plans[key]) for key in ranked[:beam]]
    if not states:
        return 0, ()
    cleared, _, plan = max(states, key=lambda state: state[0])
    return cleared, plan


def rubble(rng: Random, rows: int, width: int, height: int) -> Board:
    """A random board whose lowest rows have gaps, some of them above one another."""
    filled: list[int] = []
    gap = rng.randrange(width)
    for _ in range(rows):
        if rng.random() < 0.6:
            gap = min(width - 1, max(0, gap + rng.choice((-1, 0, 0, 1))))
        wide = rng.choice((1, 2, 2, 3))
        row = (1 << width) - 1
        for column in range(gap, min(width, gap + wide)):
            row &= ~(1 << column)
        filled.append(row)
    return (*filled, *[0] * (height - rows))


def shown(rows: Sequence[str]) -> str:
    """Rows of characters as lines, separated by spaces."""
    return "\n".join(" ".join(row) for row in rows)
