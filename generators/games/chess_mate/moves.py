"""The moves of chess without castling and en passant captures; check and checkmate.

A board is a list of 120 characters, in ten columns and twelve rows (a mailbox board). The 64
squares are in the middle, from rank 8 to rank 1, and spaces around them stop every move at the
edge. White's pieces are capital letters, Black's lowercase ones; an empty square is a full stop.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

Board = list[str]

NORTH, SOUTH, EAST, WEST = -10, 10, 1, -1
STRAIGHT = (NORTH, SOUTH, EAST, WEST)
DIAGONAL = (NORTH + EAST, NORTH + WEST, SOUTH + EAST, SOUTH + WEST)
JUMPS = (-21, -19, -12, -8, 8, 12, 19, 21)
STEPS = {
    "N": JUMPS,
    "B": DIAGONAL,
    "R": STRAIGHT,
    "Q": STRAIGHT + DIAGONAL,
    "K": STRAIGHT + DIAGONAL,
}
SQUARES = tuple(row * 10 + column for row in range(2, 10) for column in range(1, 9))
WHITE, BLACK = "KQRBNP", "kqrbnp"
NAMES = {square: f"{'abcdefgh'[square % 10 - 1]}{10 - square // 10}" for square in SQUARES}
SQUARE_NUMBERS = {name: square for square, name in NAMES.items()}


class Move(NamedTuple):
    """A move between two squares, with the piece that a promoted pawn becomes."""

    start: int
    end: int
    promoted: str = ""
    """A lowercase letter for both sides, or ""."""

    def __str__(self) -> str:
        return NAMES[self.start] + NAMES[self.end] + self.promoted


def board(rows: Sequence[str]) -> Board:
    """The board with eight rows of characters."""
    pieces = [" "] * 120
    for square, piece in zip(SQUARES, "".join(rows)):
        pieces[square] = piece
    return pieces


def rows_of(pieces: Board) -> tuple[str, ...]:
    """The eight rows of a board."""
    text = "".join(pieces[square] for square in SQUARES)
    return tuple(text[n : n + 8] for n in range(0, 64, 8))


def diagram(rows: Sequence[str]) -> str:
    """A position with White to move, as a diagram and in the notation of Forsyth and Edwards."""
    ranks = "\n".join(f"{8 - n} {' '.join(row)}" for n, row in enumerate(rows))
    fen = "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows)
    return f"{ranks}\n  a b c d e f g h\n(FEN: {fen} w - - 0 1)"


EMPTY = board(["." * 8] * 8)


def _sight(square: int) -> frozenset[int]:
    squares = {square + jump for jump in JUMPS} & NAMES.keys()
    for step in STEPS["Q"]:
        at = square + step
        while at in NAMES:
            squares.add(at)
            at += step
    return frozenset(squares)


SIGHT = {square: _sight(square) for square in SQUARES}
"""For each square, those from which a piece may attack it. Moves that neither start nor end on one
of these do not affect its safety.
"""


def attacked(pieces: Board, square: int, white: bool) -> bool:
    """Whether a piece of White, or of Black, attacks a square.

    >>> attacked(board(["........"] * 7 + ["R......."]), SQUARE_NUMBERS["a8"], white=True)
    True
    """
    king, queen, rook, bishop, knight, pawn = "KQRBNP" if white else "kqrbnp"
    for steps, slider in ((STRAIGHT, rook), (DIAGONAL, bishop)):
        for step in steps:
            at = square + step
            if pieces[at] == king:
                return True
            while pieces[at] == ".":
                at += step
            if pieces[at] == slider or pieces[at] == queen:
                return True
    for jump in JUMPS:
        if pieces[square + jump] == knight:
            return True
    back = SOUTH if white else NORTH
    return pawn in (pieces[square + back + EAST], pieces[square + back + WEST])


def _pawn_moves(pieces: Board, start: int, white: bool) -> Iterator[Move]:
    ahead, first, last = (NORTH, 8, 2) if white else (SOUTH, 3, 9)
    ends = []
    if pieces[start + ahead] == ".":
        ends.append(start + ahead)
        if start // 10 == first and pieces[start + 2 * ahead] == ".":
            ends.append(start + 2 * ahead)
    others = BLACK if white else WHITE
    ends += [end for end in (start + ahead + EAST, start + ahead + WEST) if pieces[end] in others]
    for end in ends:
        if end // 10 == last:
            yield from (Move(start, end, piece) for piece in "qrbn")
        else:
            yield Move(start, end)


def _moves(pieces: Board, white: bool) -> Iterator[Move]:
    """All pseudo-legal moves, which may leave the player's king in check."""
    own = WHITE if white else BLACK
    for start in SQUARES:
        if pieces[start] in own:
            yield from _moves_from(pieces, start, white)


def _moves_from(pieces: Board, start: int, white: bool) -> Iterator[Move]:
    """The pseudo-legal moves of the piece on a square."""
    others = BLACK if white else WHITE
    piece = pieces[start].upper()
    if piece == "P":
        yield from _pawn_moves(pieces, start, white)
        return
    for step in STEPS[piece]:
        end = start + step
        while pieces[end] == ".":
            yield Move(start, end)
            if piece in "KN":
                break
            end += step
        else:
            if pieces[end] in others:
                yield Move(start, end)


def legal_to(pieces: Board, piece: str, end: int) -> Iterator[Move]:
    """The legal moves of a kind of piece, such as ``N`` or Black's ``n``, to a square.

    >>> start = board(["k.......", *["........"] * 6, "R..R..K."])
    >>> sorted(map(str, legal_to(start, "R", SQUARE_NUMBERS["b1"])))
    ['a1b1', 'd1b1']
    """
    white = piece.isupper()
    for start in SQUARES:
        if pieces[start] == piece:
            for move in _moves_from(pieces, start, white):
                if move.end == end and not in_check(moved(pieces, move), white):
                    yield move


def moved(pieces: Board, move: Move) -> Board:
    """The board after a move."""
    after = pieces.copy()
    piece = pieces[move.start]
    after[move.end] = piece
    if move.promoted:
        after[move.end] = move.promoted.upper() if piece in WHITE else move.promoted
    after[move.start] = "."
    return after


def in_check(pieces: Board, white: bool) -> bool:
    """Whether a king is attacked."""
    return attacked(pieces, pieces.index("K" if white else "k"), not white)


def legal(pieces: Board, white: bool) -> Iterator[Move]:
    """All legal moves.

    >>> start = board(["k.......", "........", ".K......", *["........"] * 5])
    >>> sorted(map(str, legal(start, white=False)))
    ['a8b8']
    """
    king = pieces.index("K" if white else "k")
    sight, checked = SIGHT[king], attacked(pieces, king, not white)
    for move in _moves(pieces, white):
        # A move of another piece matters only if it uncovers the king or interposes.
        doubtful = move.start == king or (move.end if checked else move.start) in sight
        if not (in_check(moved(pieces, move), white) if doubtful else checked):
            yield move


def checking(pieces: Board, white: bool) -> Iterator[tuple[Move, Board]]:
    """The legal moves that give check, and the boards after them."""
    sight = SIGHT[pieces.index("k" if white else "K")]
    for move in legal(pieces, white):
        if move.end in sight or move.start in sight:
            after = moved(pieces, move)
            if in_check(after, not white):
                yield move, after


def mated(pieces: Board, white: bool) -> bool:
    """Whether a king is checkmated."""
    return in_check(pieces, white) and not _escapes(pieces, white) and not any(legal(pieces, white))


def _escapes(pieces: Board, white: bool) -> bool:
    """Whether the king has a legal move, which is a quick test that settles most cases."""
    king = pieces.index("K" if white else "k")
    others = BLACK if white else WHITE
    without_king = pieces.copy()
    without_king[king] = "."
    ends = (king + step for step in STEPS["K"])
    return any(
        (pieces[end] == "." or pieces[end] in others) and not attacked(without_king, end, not white)
        for end in ends
    )
