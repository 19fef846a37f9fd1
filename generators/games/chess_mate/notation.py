"""Readers of chess moves: by squares as in UCI, and in standard algebraic notation (SAN).

SAN is that of the Laws of Chess (FIDE, appendix C). A move by squares is ``e2e4`` or ``e7e8q``, in
one case, and ``e2-e4``, ``Ne2-e4`` and ``Rd1xd8`` in long algebraic notation. Signs for check,
checkmate and comment are dropped. A move in SAN fits one legal move, or it is refused.
"""

import re
from collections.abc import Iterator

from palaestra.generators.games.chess_mate.moves import (
    NAMES,
    SQUARE_NUMBERS,
    Board,
    Move,
    legal,
    legal_to,
)
from palaestra.task import InvalidAnswer

_SQUARES = re.compile(r"([a-h][1-8])[-x]?([a-h][1-8])=?([qrbn]?)[+#]?", re.ASCII)
_SAN = re.compile(
    r"([KQRBNP]?)([a-h]?)([1-8]?)([-x\u00d7:]?)([a-h][1-8])(?:=?([QRBN])|=?\(([QRBN])\))?"
    r"[+#\u2020\u2021!?]{0,4}"
)
_NUMBER = re.compile(r"\d{1,3}\s*+\.{1,3}\s*+")
_CASTLING = re.compile(r"[O0o]-?[O0o](?:-?[O0o])?[+#]?")
EXAMPLE = "e2e4"


def read_move(text: str, pieces: Board, white: bool) -> Move:
    """Read a move of White, or of Black, on a board.

    A move by squares need not be legal. Raises :class:`InvalidAnswer` for any other text, and for
    a move in SAN that fits no legal move or several.

    >>> from palaestra.generators.games.chess_mate.moves import board
    >>> start = board(["k.......", "........", ".K......", *["........"] * 4, "R......."])
    >>> str(read_move("Rd1", start, True)), str(read_move("a1d1", start, True))
    ('a1d1', 'a1d1')
    """
    body = text.strip().strip("*` ")
    body = _NUMBER.sub("", body, count=1)
    squares = _SQUARES.fullmatch(body.casefold())
    bishop_or_pawn = body[:1] == "B" and body != body.upper()
    if squares and not bishop_or_pawn:
        start, end, promoted = squares.groups()
        return Move(SQUARE_NUMBERS[start], SQUARE_NUMBERS[end], promoted)
    if _CASTLING.fullmatch(body):
        raise InvalidAnswer(f"there is no castling; expected a move such as {EXAMPLE}")
    if not (san := _SAN.fullmatch(body)):
        raise InvalidAnswer(f"expected a move such as {EXAMPLE}")
    moves = [*_fitting(san, pieces, white)]
    if squares:  # such as B2b4, of a bishop from rank 2 or of a piece on b2
        moves += [move for move in legal(pieces, white) if str(move) == body.casefold()]
    if len(set(moves)) != 1:
        how_many = "several legal moves fit" if moves else "no legal move fits"
        raise InvalidAnswer(f"{how_many} {body}; expected a move such as {EXAMPLE}")
    return moves[0]


def _fitting(san: "re.Match[str]", pieces: Board, white: bool) -> Iterator[Move]:
    """The legal moves that fit a move in SAN."""
    file, rank, capture, end = san.groups()[1:5]
    piece = san[1] or "P"
    promoted = (san[6] or san[7] or "").lower()
    takes = pieces[SQUARE_NUMBERS[end]] != "."
    for move in legal_to(pieces, piece if white else piece.lower(), SQUARE_NUMBERS[end]):
        start = NAMES[move.start]
        if (
            move.promoted == promoted
            and file in {"", start[0]}
            and rank in {"", start[1]}
            and (takes or capture in {"", "-"})
            and not (takes and capture == "-")
        ):
            yield move
