"""The seven tetrominoes: their orientations, and how they drop on a board.

A board is a tuple of rows from the bottom up, each a mask whose lowest bit is the leftmost column.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from palaestra.scenes import Cell, Grid, cells_of

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

TONES = {"I": "c5", "O": "c6", "T": "c4", "S": "c2", "Z": "c3", "J": "c0", "L": "c1"}
"""The colours of the pieces."""


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


@lru_cache(maxsize=128)
def _packed(piece: str, width: int) -> tuple[tuple[Placement, int, int], ...]:
    """All placements of a piece, each with its squares in the lowest rows, ``width`` bits for each
    row, and the number of its rows.
    """
    packed = []
    for where in options(piece, width):
        masks, _ = _bits(piece, where.turn)
        shape = sum(mask << n * width for n, mask in enumerate(masks))
        packed.append((where, shape << where.column - 1, len(masks)))
    return tuple(packed)


def drops(board: Board, piece: str, width: int, height: int) -> dict[Placement, Drop]:
    """The result of each drop that leaves a piece entirely on the board, as of :func:`dropped`.

    Several times as fast as that for each placement: the board is one number, along which the
    piece is shifted.

    >>> drops((0b11, 0), "O", 2, 2), drops((0b01, 0), "O", 2, 3)
    ({}, {Placement(turn=1, column=1): Drop(board=(1, 0, 0), cleared=2)})
    """
    packed = sum(row << n * width for n, row in enumerate(board))
    top = -(-packed.bit_length() // width)
    wall = (1 << width) - 1
    results = {}
    for where, shape, high in _packed(piece, width):
        level, mask = top, shape << top * width
        while level and not packed & mask >> width:
            level, mask = level - 1, mask >> width
        if level + high > height:
            continue
        after = packed | mask
        rows = [*board, *(0,) * (height - len(board))]
        rows[level : level + high] = [after >> n * width & wall for n in range(level, level + high)]
        kept = [row for row in rows if row != wall]
        results[where] = Drop((*kept, *(0,) * (height - len(kept))), height - len(kept))
    return results


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


def shown(rows: Sequence[str]) -> str:
    """Rows of characters as lines, separated by spaces."""
    return "\n".join(" ".join(row) for row in rows)


def canonical(board: Board, pieces: str, width: int) -> str:
    """A text that is equal for mirror images, in which J and L, and S and Z, are exchanged.

    >>> canonical((0b001,), "J", 3) == canonical((0b100,), "L", 3)
    True
    """
    mirror = "".join(f"{row:0{width}b}" for row in board)
    rows = "".join(f"{row:0{width}b}"[::-1] for row in board)
    other = pieces.translate(str.maketrans("JLSZ", "LJZS"))
    return f"{width} {min((rows, pieces), (mirror, other))}"


def orientations(piece: str) -> Iterator[tuple[str, Grid]]:
    """The names of the orientations of a piece, and their pictures.

    >>> [name for name, _ in orientations("S")]
    ['S1', 'S2']
    """
    signs = {"#": Cell(piece, TONES[piece]), ".": Cell(fill="none")}
    for n, rows in enumerate(turns(piece), 1):
        yield f"{piece}{n}", Grid(cells_of(rows, signs))
