"""Endings of a king and one piece against a bare king, solved backwards from the checkmates.

Squares are numbered row by row from a8, and the player with the piece moves up the board. For each
square of that player's king and piece, one integer has a bit for each square of the bare king, so
that all its squares are solved at once.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

ALL = (1 << 64) - 1
LEFT = 0x0101010101010101
"""The squares of file a."""

STRAIGHT = ((-1, 0), (1, 0), (0, -1), (0, 1))
DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))
WAYS = {"R": STRAIGHT, "Q": STRAIGHT + DIAGONAL}

Masks = list[int]
"""For each king and piece, by :func:`index`, the squares of the bare king."""


class Ending(NamedTuple):
    """How the endings with one type of piece go on."""

    won: Sequence[Masks]
    """For each number of moves, where the player with the piece, to move, mates within it."""

    lost: Sequence[Masks]
    """For each number of moves, where the bare king, to move, is mated within it; 0 is mate."""


class Site(NamedTuple):
    """A king and its piece: the squares of the bare king, and how both players go on."""

    at: int
    """The number of both, by :func:`index`."""

    to_move: int
    """The squares of the bare king where the player with the piece may be to move."""

    replying: int
    """The squares where the bare king may be to move, except for stalemates."""

    safe: int
    """The squares that the bare king may enter, also by a capture."""

    moves: Sequence[tuple[int, int]]
    """The index after each move, and the squares of the bare king that do not prevent it."""

    promotions: Sequence[int]
    """The index after each promotion."""


def index(king: int, piece: int) -> int:
    """The number of a king and a piece on their squares."""
    return king << 6 | piece


def moves_to_mate(piece: str, king: int, square: int, bare: int, to_move: bool) -> int | None:
    """With how many moves the player with a piece mates at the earliest, whether it or the bare
    king is ``to_move``; None if it cannot.

    >>> moves_to_mate("Q", king=18, square=33, bare=0, to_move=True)  # Kc6, Qb4 against Ka8
    1
    """
    if piece == "P" and square % 8 > 3:
        king, square, bare = king ^ 7, square ^ 7, bare ^ 7
    solved = ending(piece)
    at = index(king, square)
    masks = solved.won if to_move else solved.lost
    return next((n for n, mask in enumerate(masks) if mask[at] >> bare & 1), None)


@cache
def ending(piece: str) -> Ending:
    """The endings with a queen ``Q``, a rook ``R`` or a pawn ``P``."""
    sites = [*_sites(piece)]
    promoted = [ending("Q"), ending("R")] if piece == "P" else []
    won, lost = [[0] * 4096], list[Masks]()
    while len(won) < 2 or won[-1] != won[-2]:
        lost.append(_lost(sites, won[-1]))
        _complete(piece, lost[-1])
        after = [each.lost[min(len(lost), len(each.lost)) - 1] for each in promoted]
        won.append(_won(sites, lost[-1], after))
        _complete(piece, won[-1])
    return Ending(won[:-1], lost)


def _lost(sites: Iterable[Site], won: Masks) -> Masks:
    """Where each move of the bare king, of which there is one or a mate, leads to a lost square."""
    lost = [0] * 4096
    for site in sites:
        lost[site.at] = site.replying & ~_near(site.safe & ~won[site.at])
    return lost


def _won(sites: Iterable[Site], lost: Masks, promoted: Sequence[Masks]) -> Masks:
    """Where a move leads to a square on which the bare king is lost."""
    won = [0] * 4096
    for site in sites:
        squares = 0
        for after, clear in site.moves:
            squares |= lost[after] & clear
        for after in site.promotions:
            for masks in promoted:
                squares |= masks[after]
        won[site.at] = squares & site.to_move
    return won


def _complete(piece: str, masks: Masks) -> None:
    """Fill in the reflections of the kings on files a to d and ranks 8 to 5; pawns have none."""
    if piece == "P":
        return
    for king in (row * 8 + column for row in range(4) for column in range(4)):
        for square in range(64):
            mask = masks[index(king, square)]
            across = _across(mask)
            masks[index(king ^ 7, square ^ 7)] = across
            masks[index(king ^ 56, square ^ 56)] = _upside_down(mask)
            masks[index(king ^ 63, square ^ 63)] = _upside_down(across)


def _across(mask: int) -> int:
    """The squares with the files in reverse order."""
    mask = mask >> 1 & 0x5555555555555555 | (mask & 0x5555555555555555) << 1
    mask = mask >> 2 & 0x3333333333333333 | (mask & 0x3333333333333333) << 2
    return mask >> 4 & 0x0F0F0F0F0F0F0F0F | (mask & 0x0F0F0F0F0F0F0F0F) << 4


def _upside_down(mask: int) -> int:
    return int.from_bytes(mask.to_bytes(8, "little"), "big")


def _near(squares: int) -> int:
    """The squares that are a king's move away from one of these."""
    right = squares & ~(LEFT << 7)
    left = squares & ~LEFT
    beside = right << 1 | left >> 1
    rows = squares | beside
    return (beside | rows << 8 | rows >> 8) & ALL


def _sites(piece: str) -> Iterator[Site]:
    """The sites to solve; the others are reflections of them."""
    if piece == "P":
        kings: Iterable[int] = range(64)
        squares: Iterable[int] = [n for n in range(8, 56) if n % 8 < 4]
    else:
        kings = [n for n in range(32) if n % 8 < 4]
        squares = range(64)
    for king in kings:
        for square in squares:
            if king != square:
                yield _site(piece, king, square)


def _site(piece: str, king: int, square: int) -> Site:
    near, taken = _near(1 << king), 1 << king | 1 << square
    attacked = _attacked(piece, square, king)
    apart = ALL & ~near & ~taken
    safe = ALL & ~(near | attacked | 1 << king)
    stalemate = ~_near(safe) & ~attacked
    steps = [(index(n, square), ALL) for n in _bits(near & ~taken)]
    if piece == "P":
        moves, promotions = _pushes(king, square)
    else:
        ends = _bits(attacked)
        moves = [(index(king, n), ALL & ~_between(square, n)) for n in ends]
        promotions = []
    to_move, replying = apart & ~attacked, apart & ~stalemate
    return Site(index(king, square), to_move, replying, safe, [*steps, *moves], promotions)


def _pushes(king: int, square: int) -> tuple[list[tuple[int, int]], list[int]]:
    """The indices after a pawn's steps, with the squares that do not prevent them, and those after
    its promotions.
    """
    end = square - 8
    if end == king:
        return [], []
    if end < 8:
        return [], [index(king, end)]
    moves = [(index(king, end), ALL)]
    if square >= 48 and end - 8 != king:
        moves.append((index(king, end - 8), ALL & ~(1 << end)))
    return moves, []


@cache
def _attacked(piece: str, square: int, king: int) -> int:
    """The squares that a piece attacks if only its own king is in its way."""
    row, column = divmod(square, 8)
    if piece == "P":
        files = [each for each in (column - 1, column + 1) if 0 <= each < 8]
        return sum(1 << (row - 1) * 8 + each for each in files)
    squares = 0
    for down, right in WAYS[piece]:
        for end in _ray(row, column, down, right):
            if end == king:
                break
            squares |= 1 << end
    return squares


@cache
def _between(start: int, end: int) -> int:
    """The squares between two on a line."""
    (row, column), (to_row, to_column) = divmod(start, 8), divmod(end, 8)
    down, right = (to_row > row) - (to_row < row), (to_column > column) - (to_column < column)
    squares = 0
    for square in _ray(row, column, down, right):
        if square == end:
            break
        squares |= 1 << square
    return squares


def _ray(row: int, column: int, down: int, right: int) -> Iterator[int]:
    while 0 <= (row := row + down) < 8 and 0 <= (column := column + right) < 8:
        yield row * 8 + column


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
