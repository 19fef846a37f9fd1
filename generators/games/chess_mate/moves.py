"""The moves of chess without castling and without taking en passant; check and checkmate.

A board is a list of 120 signs: ten columns and twelve rows, of which the 64 squares are the middle
and the rest is blank, so that no move leaves the board unseen. White's pieces are capital letters,
Black's small ones, an empty square is a full stop. Row by row it goes from rank 8 to rank 1.
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
NAMES = {place: f"{'abcdefgh'[place % 10 - 1]}{10 - place // 10}" for place in SQUARES}
PLACES = {name: place for place, name in NAMES.items()}


class Move(NamedTuple):
    """From one square to another, and for a pawn that reaches the last rank what it becomes."""

    start: int
    end: int
    promoted: str = ""
    """A small letter, for either side."""

    def __str__(self) -> str:
        return NAMES[self.start] + NAMES[self.end] + self.promoted


def board(rows: Sequence[str]) -> Board:
    """The board of eight rows of signs."""
    signs = [" "] * 120
    for place, sign in zip(SQUARES, "".join(rows)):
        signs[place] = sign
    return signs


def rows_of(signs: Board) -> tuple[str, ...]:
    """The eight rows of a board."""
    text = "".join(signs[place] for place in SQUARES)
    return tuple(text[n : n + 8] for n in range(0, 64, 8))


def diagram(rows: Sequence[str]) -> str:
    """A position with White to move, as a diagram and in the notation of Forsyth and Edwards."""
    ranks = "\n".join(f"{8 - n} {' '.join(row)}" for n, row in enumerate(rows))
    fen = "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows)
    return f"{ranks}\n  a b c d e f g h\n(FEN: {fen} w - - 0 1)"


EMPTY = board(["." * 8] * 8)


def _sight(place: int) -> frozenset[int]:
    seen = {place + jump for jump in JUMPS} & NAMES.keys()
    for step in STEPS["Q"]:
        at = place + step
        while at in NAMES:
            seen.add(at)
            at += step
    return frozenset(seen)


SIGHT = {place: _sight(place) for place in SQUARES}
"""For each square those from which some piece may attack it; most moves leave its safety alone, for
they neither start nor end on one of these.
"""


def attacked(signs: Board, place: int, white: bool) -> bool:
    """Whether a piece of White's, or else of Black's, attacks a square.

    >>> attacked(board(["........"] * 7 + ["R......."]), PLACES["a8"], white=True)
    True
    """
    king, queen, rook, bishop, knight, pawn = "KQRBNP" if white else "kqrbnp"
    for steps, slider in ((STRAIGHT, rook), (DIAGONAL, bishop)):
        for step in steps:
            at = place + step
            if signs[at] == king:
                return True
            while signs[at] == ".":
                at += step
            if signs[at] == slider or signs[at] == queen:
                return True
    for jump in JUMPS:
        if signs[place + jump] == knight:
            return True
    back = SOUTH if white else NORTH
    return pawn in (signs[place + back + EAST], signs[place + back + WEST])


def _pawn_moves(signs: Board, start: int, white: bool) -> Iterator[Move]:
    ahead, first, last = (NORTH, 8, 2) if white else (SOUTH, 3, 9)
    ends = []
    if signs[start + ahead] == ".":
        ends.append(start + ahead)
        if start // 10 == first and signs[start + 2 * ahead] == ".":
            ends.append(start + 2 * ahead)
    others = BLACK if white else WHITE
    ends += [end for end in (start + ahead + EAST, start + ahead + WEST) if signs[end] in others]
    for end in ends:
        if end // 10 == last:
            yield from (Move(start, end, piece) for piece in "qrbn")
        else:
            yield Move(start, end)


def _moves(signs: Board, white: bool) -> Iterator[Move]:
    """All moves, also those that leave the own king in check."""
    own, others = (WHITE, BLACK) if white else (BLACK, WHITE)
    for start in SQUARES:
        if signs[start] not in own:
            continue
        kind = signs[start].upper()
        if kind == "P":
            yield from _pawn_moves(signs, start, white)
            continue
        for step in STEPS[kind]:
            end = start + step
            while signs[end] == ".":
                yield Move(start, end)
                if kind in "KN":
                    break
                end += step
            else:
                if signs[end] in others:
                    yield Move(start, end)


def made(signs: Board, move: Move) -> Board:
    """The board after a move."""
    after = signs.copy()
    piece = signs[move.start]
    after[move.end] = piece
    if move.promoted:
        after[move.end] = move.promoted.upper() if piece in WHITE else move.promoted
    after[move.start] = "."
    return after


def in_check(signs: Board, white: bool) -> bool:
    """Whether a king is attacked."""
    return attacked(signs, signs.index("K" if white else "k"), not white)


def legal(signs: Board, white: bool) -> Iterator[Move]:
    """All legal moves.

    >>> start = board(["k.......", "........", ".K......", *["........"] * 5])
    >>> sorted(map(str, legal(start, white=False)))
    ['a8b8']
    """
    king = signs.index("K" if white else "k")
    sight, checked = SIGHT[king], attacked(signs, king, not white)
    for move in _moves(signs, white):
        # Another piece can only uncover the king, or else get into the way of a check.
        doubtful = move.start == king or (move.end if checked else move.start) in sight
        if not (in_check(made(signs, move), white) if doubtful else checked):
            yield move


def checking(signs: Board, white: bool) -> Iterator[tuple[Move, Board]]:
    """The legal moves that give check, and the boards after them."""
    sight = SIGHT[signs.index("k" if white else "K")]
    for move in legal(signs, white):
        if move.end in sight or move.start in sight:
            after = made(signs, move)
            if in_check(after, not white):
                yield move, after


def mated(signs: Board, white: bool) -> bool:
    """Whether a king is checkmated."""
    return in_check(signs, white) and not _flees(signs, white) and not any(legal(signs, white))


def _flees(signs: Board, white: bool) -> bool:
    """Whether a king has a move; this is asked first, for it settles most cases soon."""
    king = signs.index("K" if white else "k")
    others = BLACK if white else WHITE
    gone = signs.copy()
    gone[king] = "."
    ends = (king + step for step in STEPS["K"])
    return any(
        (signs[end] == "." or signs[end] in others) and not attacked(gone, end, not white)
        for end in ends
    )
