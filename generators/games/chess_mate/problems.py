"""Positions of chess in which White can checkmate: finding the mates, drawing the positions."""

from functools import lru_cache
from random import Random

from palaestra.generators.games.chess_mate.moves import (
    EMPTY,
    SQUARES,
    STEPS,
    STRAIGHT,
    Board,
    Move,
    attacked,
    board,
    checking,
    in_check,
    legal,
    made,
    mated,
    rows_of,
)

EDGE = tuple(place for place in SQUARES if place // 10 in (2, 9) or place % 10 in (1, 8))


@lru_cache(maxsize=256)
def mate_in_one(rows: tuple[str, ...]) -> tuple[tuple[Move, ...], int, int]:
    """White's moves that checkmate at once, how many moves give check, and how many there are."""
    signs = board(rows)
    checks = list(checking(signs, True))
    mates = tuple(move for move, after in checks if mated(after, False))
    return mates, len(checks), sum(1 for _ in legal(signs, True))


@lru_cache(maxsize=256)
def mate_in_two(rows: tuple[str, ...]) -> tuple[Move, tuple[tuple[Move, Move], ...]] | None:
    """A move of White's after which every reply can be answered by checkmate, and the answers."""
    signs = board(rows)
    tried = []
    for move in legal(signs, True):
        after = made(signs, move)
        replies = list(legal(after, False))
        if replies:  # otherwise it is stalemate or mate at once
            tried.append((len(replies), move, after, replies))
    for _, move, after, replies in sorted(tried, key=lambda one: one[0]):
        if len(replies) > 6:
            break
        if answers := _answers(after, replies):
            return move, answers
    return None


def _answers(signs: Board, replies: list[Move]) -> tuple[tuple[Move, Move], ...] | None:
    """A checkmate after each of Black's replies, if there is one after all of them."""
    problems = []
    for reply in replies:
        checks = checking(made(signs, reply), True)
        answer = next((move for move, after in checks if mated(after, False)), None)
        if answer is None:
            return None
        problems.append((reply, answer))
    return tuple(problems)


def sound(rows: tuple[str, ...], moves: int) -> bool:
    """Whether White can checkmate in so many moves, one or two, and not in fewer, nor by most of
    the checks that can be given.
    """
    signs = board(rows)
    if in_check(signs, False) or in_check(signs, True):
        return False
    mates, checks, _ = mate_in_one(rows)
    if moves == 2:
        return not mates and mate_in_two(rows) is not None
    return 0 < 3 * len(mates) <= 2 * checks


def scattered(rng: Random, white: str, black: str) -> Board:
    """Pieces on random squares: Black's king on the edge in most cases, pawns where they may be."""
    signs = EMPTY.copy()
    king = rng.choice(EDGE if rng.random() < 0.85 else SQUARES)
    signs[king] = "k"
    near = [king + step for step in STEPS["K"] if signs[king + step] == "."]
    for sign in (*white, *black):
        # Black's pieces stand in the way of their king in many cases.
        free = near if sign.islower() and rng.random() < 0.4 else SQUARES
        place = rng.choice(free)
        while signs[place] != "." or (sign in "Pp" and place // 10 in (2, 9)):
            place = rng.choice(SQUARES)
        signs[place] = sign
    return signs


def _retracted(rng: Random, signs: Board) -> Board | None:
    """A board from which one move of White's leads to the given checkmate; ``None`` if no piece
    can have made that move.
    """
    king = signs.index("k")
    positions = []
    for end in SQUARES:
        kind = signs[end]
        if kind not in ("Q", "R", "B", "N"):
            continue
        for step in STEPS[kind]:
            start = end + step
            while signs[start] == ".":
                before = signs.copy()
                before[start], before[end] = kind, "."
                if not attacked(before, king, True):
                    positions.append(before)
                if kind == "N":
                    break
                start += step
    return rng.choice(positions) if positions else None


def _lines(signs: Board) -> list[int]:
    """The squares from which a rook or a queen attacks Black's king along a rank or a file."""
    king = signs.index("k")
    lines = []
    for step in STRAIGHT:
        at = king + step
        while signs[at] == ".":
            lines.append(at)
            at += step
    return lines


def before_mate(rng: Random, white: str, black: str, tries: int = 2_000) -> Board:
    """A random board on which White can checkmate in one move, or after many tries any board.

    The last of White's pieces, a rook or a queen, gives the check.
    """
    for _ in range(tries):
        signs = scattered(rng, white[:-1], black)
        if in_check(signs, True):
            continue
        places = _lines(signs)
        for place in rng.sample(places, min(3, len(places))):
            last = signs.copy()
            last[place] = white[-1]
            if mated(last, False) and (before := _retracted(rng, last)):
                return before
    return scattered(rng, white, black)


def drawn(rng: Random, white: int, black: int, moves: int) -> tuple[str, ...]:
    """A position for so many pieces, sound in most cases if the mate is to be in one move.

    Mates in two are rare, and proved elsewhere: there is no check as yet, that is all.
    """
    strong = rng.choice(("QR", "QR", "RR", "QN", "QB"))
    ours = "K" + "".join(rng.choices("RBBNNPPP", k=max(0, white - 3))) + strong[::-1]
    theirs = "".join(rng.choices("qrbnnpppp" if moves == 1 else "bnnpppp", k=black - 1))
    for _ in range(100):
        signs = before_mate(rng, ours, theirs) if moves == 1 else scattered(rng, ours, theirs)
        rows = rows_of(signs)
        if sound(rows, 1) if moves == 1 else not (in_check(signs, False) or in_check(signs, True)):
            break
    return rows
