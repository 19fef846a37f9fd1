"""The moves of chess, check and checkmate.

Castling and captures en passant depend on earlier moves, see :class:`Rights`; without any, there
are none.

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


class Rights(NamedTuple):
    """What the moves before a position allow, beyond what its pieces do."""

    castling: str = ""
    """Some of the letters KQkq: on which sides White and Black may still castle."""

    passant: int = 0
    """The square that a pawn has just passed, if it can be captured there; else 0."""


NO_RIGHTS = Rights()


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


def diagram(rows: Sequence[str], white: bool = True, rights: Rights = NO_RIGHTS) -> str:
    """A position as a diagram and in the notation of Forsyth and Edwards (FEN)."""
    ranks = "\n".join(f"{8 - n} {' '.join(row)}" for n, row in enumerate(rows))
    return f"{ranks}\n  a b c d e f g h\n(FEN: {fen(rows, white, rights)} 0 1)"


def fen(rows: Sequence[str], white: bool, rights: Rights) -> str:
    """The first four fields of a position in the notation of Forsyth and Edwards."""
    pieces = "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows)
    passant = NAMES[rights.passant] if rights.passant else "-"
    return f"{pieces} {'w' if white else 'b'} {rights.castling or '-'} {passant}"


def from_fen(text: str) -> tuple[tuple[str, ...], bool, Rights]:
    """The rows, whether White is to move, and the rights of a position in FEN.

    >>> from_fen("8/8/8/8/8/8/k7/2KR4 w - - 0 1")[0][6:]
    ('k.......', '..KR....')
    """
    pieces, mover, castling, passant = text.split()[:4]
    rows = tuple(re.sub(r"\d", lambda gap: "." * int(gap[0]), row) for row in pieces.split("/"))
    rights = Rights(castling.replace("-", ""), SQUARE_NUMBERS.get(passant, 0))
    return rows, mover == "w", rights


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


def _pawn_moves(pieces: Board, start: int, white: bool, passant: int) -> Iterator[Move]:
    ahead, first, last = (NORTH, 8, 2) if white else (SOUTH, 3, 9)
    ends = []
    if pieces[start + ahead] == ".":
        ends.append(start + ahead)
        if start // 10 == first and pieces[start + 2 * ahead] == ".":
            ends.append(start + 2 * ahead)
    others = BLACK if white else WHITE
    sides = start + ahead + EAST, start + ahead + WEST
    ends += [end for end in sides if pieces[end] in others or end == passant]
    for end in ends:
        if end // 10 == last:
            yield from (Move(start, end, piece) for piece in "qrbn")
        else:
            yield Move(start, end)


def _moves(pieces: Board, white: bool, passant: int = 0) -> Iterator[Move]:
    """All pseudo-legal moves, which may leave the player's king in check, but for castling."""
    own = WHITE if white else BLACK
    for start in SQUARES:
        if pieces[start] in own:
            yield from _moves_from(pieces, start, white, passant)


def _moves_from(pieces: Board, start: int, white: bool, passant: int = 0) -> Iterator[Move]:
    """The pseudo-legal moves of the piece on a square, but for castling."""
    others = BLACK if white else WHITE
    piece = pieces[start].upper()
    if piece == "P":
        yield from _pawn_moves(pieces, start, white, passant)
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


CORNERS = {98: "K", 91: "Q", 28: "k", 21: "q"}
"""The squares of the rooks that castle, with the letters of the rights to do so."""

_ENDED = {95: "KQ", 25: "kq", **CORNERS}
"""The rights that end with a move from or to a square."""


def castles(pieces: Board, white: bool, castling: str) -> Iterator[Move]:
    """The legal castling moves, each as a move of the king by two squares."""
    king, rook, piece = (95, "R", "K") if white else (25, "r", "k")
    for corner, letter in CORNERS.items():
        if letter not in castling or letter.isupper() != white:
            continue
        step = EAST if corner > king else WEST
        between = range(king + step, corner, step)
        if pieces[king] != piece or pieces[corner] != rook:
            continue
        if all(pieces[square] == "." for square in between) and not any(
            attacked(pieces, square, not white) for square in (king, king + step, king + 2 * step)
        ):
            yield Move(king, king + 2 * step)


def legal_to(pieces: Board, piece: str, end: int, rights: Rights = NO_RIGHTS) -> Iterator[Move]:
    """The legal moves of a kind of piece, such as ``N`` or Black's ``n``, to a square, but for
    castling.

    >>> start = board(["k.......", *["........"] * 6, "R..R..K."])
    >>> sorted(map(str, legal_to(start, "R", SQUARE_NUMBERS["b1"])))
    ['a1b1', 'd1b1']
    """
    white = piece.isupper()
    for start in SQUARES:
        if pieces[start] == piece:
            for move in _moves_from(pieces, start, white, rights.passant):
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
    way = move.end - move.start
    if piece in "Pp" and way in DIAGONAL and pieces[move.end] == ".":
        after[move.start + (EAST if way in (NORTH + EAST, SOUTH + EAST) else WEST)] = "."
    elif piece in "Kk" and way in (2 * EAST, 2 * WEST):
        corner = move.end + (EAST if way > 0 else 2 * WEST)
        after[move.start + way // 2], after[corner] = pieces[corner], "."
    return after


def rights_after(pieces: Board, move: Move, rights: Rights) -> Rights:
    """The rights after a move on a board; a pawn is passed only where another one stands ready."""
    lost = _ENDED.get(move.start, "") + _ENDED.get(move.end, "")
    castling = "".join(letter for letter in rights.castling if letter not in lost)
    passant, piece = 0, pieces[move.start]
    if piece in "Pp" and abs(move.end - move.start) == 2 * SOUTH:
        beside = pieces[move.end + EAST], pieces[move.end + WEST]
        passant = (move.start + move.end) // 2 if piece.swapcase() in beside else 0
    return Rights(castling, passant)


def in_check(pieces: Board, white: bool) -> bool:
    """Whether a king is attacked."""
    return attacked(pieces, pieces.index("K" if white else "k"), not white)


def legal(pieces: Board, white: bool, rights: Rights = NO_RIGHTS) -> Iterator[Move]:
    """All legal moves.

    >>> start = board(["k.......", "........", ".K......", *["........"] * 5])
    >>> sorted(map(str, legal(start, white=False)))
    ['a8b8']
    """
    king = pieces.index("K" if white else "k")
    sight, checked = SIGHT[king], attacked(pieces, king, not white)
    for move in _moves(pieces, white, rights.passant):
        # A move of another piece matters only if it uncovers the king or interposes; a capture en
        # passant also removes a piece from a square beside it.
        doubtful = (
            move.start == king
            or (move.end if checked else move.start) in sight
            or move.end == rights.passant
        )
        if not (in_check(moved(pieces, move), white) if doubtful else checked):
            yield move
    if rights.castling:
        yield from castles(pieces, white, rights.castling)


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
