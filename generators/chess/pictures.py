"""Pictures of chess positions."""

from collections.abc import Sequence

from palaestra.generators.chess.moves import SQUARES, Move
from palaestra.scenes import Cell, Grid, Line
from palaestra.scenes.elements import Mark

MARKS: dict[str, Mark] = {
    "K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn",
}  # fmt: skip


def pictured(rows: Sequence[str], moves: Sequence[Move] = ()) -> Grid:
    """A position from White's side, with arrows for moves.

    Each piece has its letter in a corner, a capital one for White, as the dark theme exchanges what
    is light and what is dark.
    """
    return Grid(
        tuple(
            tuple(square(sign, (r + c) % 2 == 1) for c, sign in enumerate(row))
            for r, row in enumerate(rows)
        ),
        left=tuple((str(8 - r),) for r in range(8)),
        bottom=tuple((file,) for file in "abcdefgh"),
        lines=tuple(
            Line((_position(move.start), _position(move.end)), arrow=True) for move in moves
        ),
        last=tuple(end for move in moves for end in (_position(move.start), _position(move.end))),
    )


def square(sign: str, dark: bool) -> Cell:
    """A square with a piece, or an empty one for a full stop.

    >>> square("q", dark=False).mark, square(".", dark=True).fill
    ('queen', 't7')
    """
    fill = "t7" if dark else "paper"
    if sign == ".":
        return Cell(fill=fill)
    return Cell("", fill, MARKS[sign.upper()], "white" if sign.isupper() else "black", sign)


def _position(number: int) -> tuple[int, int]:
    return divmod(SQUARES.index(number), 8)
