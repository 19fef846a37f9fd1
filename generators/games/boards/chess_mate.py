"""Chess positions in which White can checkmate: the search for mates, and random positions."""

from functools import lru_cache
from itertools import islice
from random import Random

from palaestra.generators.chess.moves import (
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
    mated,
    moved,
    rows_of,
)

ALL = 500
"""More than the legal moves of any position."""

EDGE = tuple(n for n in SQUARES if n // 10 in (2, 9) or n % 10 in (1, 8))


@lru_cache(maxsize=256)
def mate_in_one(rows: tuple[str, ...]) -> tuple[tuple[Move, ...], int, int]:
    """White's mating moves, the number of checks, and the number of legal moves."""
    pieces = board(rows)
    checks = list(checking(pieces, True))
    mates = tuple(move for move, after in checks if mated(after, False))
    return mates, len(checks), sum(1 for _ in legal(pieces, True))


Plan = tuple[Move, tuple[tuple[Move, Move], ...]]
"""A first move, and White's second move after each reply of Black."""


@lru_cache(maxsize=256)
def mate_in_two(rows: tuple[str, ...], most: int = 6) -> Plan | None:
    """A move after which White can answer every reply by checkmate, and the answers.

    Only moves that leave Black at most ``most`` replies are searched.
    """
    for move, after, replies in _restricting(board(rows), most):
        if answers := _answers(after, replies):
            return move, answers
    return None


@lru_cache(maxsize=256)
def mate_in_three(rows: tuple[str, ...], most: int = 2) -> Plan | None:
    """A move after which White can checkmate in two moves at most, and White's next moves.

    Only first moves that leave Black at most ``most`` replies are searched.
    """
    for move, after, replies in _restricting(board(rows), most):
        answers = []
        for reply in replies:
            second = _towards_mate(rows_of(moved(after, reply)))
            if second is None:
                break
            answers.append((reply, second))
        else:
            return move, tuple(answers)
    return None


def _towards_mate(rows: tuple[str, ...]) -> Move | None:
    """The first move of a mate in one, or else in two."""
    mates, _, _ = mate_in_one(rows)
    if mates:
        return mates[0]
    plan = mate_in_two(rows)
    return plan[0] if plan else None


def mate_follows(pieces: Board) -> bool:
    """Whether Black, to move, is checkmated now, or by White's next move after any reply."""
    replies = list(legal(pieces, False))
    if not replies:
        return in_check(pieces, False)
    return _answers(pieces, replies) is not None


def _restricting(pieces: Board, most: int) -> list[tuple[Move, Board, list[Move]]]:
    """White's moves that leave Black up to ``most`` replies but at least one, fewest first.

    Each has the board after it and the replies.
    """
    candidates = []
    for move in legal(pieces, True):
        after = moved(pieces, move)
        replies = list(islice(legal(after, False), most + 1))
        if 0 < len(replies) <= most:  # without replies, the move is stalemate or mate
            candidates.append((move, after, replies))
    return sorted(candidates, key=lambda candidate: len(candidate[2]))


def _answers(pieces: Board, replies: list[Move]) -> tuple[tuple[Move, Move], ...] | None:
    """A checkmate after each reply of Black, if all of them have one."""
    problems = []
    for reply in replies:
        checks = checking(moved(pieces, reply), True)
        answer = next((move for move, after in checks if mated(after, False)), None)
        if answer is None:
            return None
        problems.append((reply, answer))
    return tuple(problems)


def sound(rows: tuple[str, ...], moves: int) -> bool:
    """Whether White can checkmate in one to three moves, not in fewer, and not by most checks."""
    pieces = board(rows)
    if in_check(pieces, False) or in_check(pieces, True):
        return False
    mates, checks, _ = mate_in_one(rows)
    if moves == 1:
        return 0 < 3 * len(mates) <= 2 * checks
    if mates:
        return False
    if moves == 2:
        return mate_in_two(rows) is not None
    # The search of all first moves is the slowest, so the quick one comes before it.
    return (
        mate_in_two(rows) is None
        and mate_in_three(rows) is not None
        and mate_in_two(rows, most=ALL) is None
    )


def scattered(rng: Random, white: str, black: str) -> Board:
    """Pieces on random squares, Black's king mostly on the edge, and pawns on legal ranks."""
    pieces = EMPTY.copy()
    king = rng.choice(EDGE if rng.random() < 0.85 else SQUARES)
    pieces[king] = "k"
    near = [king + step for step in STEPS["K"] if pieces[king + step] == "."]
    for piece in (*white, *black):
        # Black's pieces often block their king.
        free = near if piece.islower() and rng.random() < 0.4 else SQUARES
        square = rng.choice(free)
        while pieces[square] != "." or (piece in "Pp" and square // 10 in (2, 9)):
            square = rng.choice(SQUARES)
        pieces[square] = piece
    return pieces


def _retracted(rng: Random, pieces: Board) -> Board | None:
    """A board one move of White before a checkmate; ``None`` if there is none."""
    king = pieces.index("k")
    positions = []
    for end in SQUARES:
        piece = pieces[end]
        if piece not in ("Q", "R", "B", "N"):
            continue
        for step in STEPS[piece]:
            start = end + step
            while pieces[start] == ".":
                before = pieces.copy()
                before[start], before[end] = piece, "."
                if not attacked(before, king, True):
                    positions.append(before)
                if piece == "N":
                    break
                start += step
    return rng.choice(positions) if positions else None


def _lines(pieces: Board) -> list[int]:
    """The squares from which a rook or a queen attacks Black's king along a rank or a file."""
    king = pieces.index("k")
    lines = []
    for step in STRAIGHT:
        at = king + step
        while pieces[at] == ".":
            lines.append(at)
            at += step
    return lines


def before_mate(rng: Random, white: str, black: str, tries: int = 2_000) -> Board:
    """A random board on which White can checkmate in one move; after ``tries`` attempts, any board.

    The last of White's pieces, a rook or a queen, gives the check.
    """
    for _ in range(tries):
        pieces = scattered(rng, white[:-1], black)
        if in_check(pieces, True):
            continue
        squares = _lines(pieces)
        for square in rng.sample(squares, min(3, len(squares))):
            last = pieces.copy()
            last[square] = white[-1]
            if mated(last, False) and (before := _retracted(rng, last)):
                return before
    return scattered(rng, white, black)


def random_position(rng: Random, white: int, black: int, moves: int) -> tuple[str, ...]:
    """A random position with numbers of pieces, mostly sound for mates in one move.

    For mates in two or three, the position only has no check; the caller must search for the mate.
    """
    strong = rng.choice(("QR", "QR", "RR", "QN", "QB"))
    white_pieces = "K" + "".join(rng.choices("RBBNNPPP", k=max(0, white - 3))) + strong[::-1]
    black_pieces = "".join(rng.choices("qrbnnpppp" if moves == 1 else "bnnpppp", k=black - 1))
    for _ in range(100):
        pieces = (
            before_mate(rng, white_pieces, black_pieces)
            if moves == 1
            else scattered(rng, white_pieces, black_pieces)
        )
        rows = rows_of(pieces)
        if (
            sound(rows, 1)
            if moves == 1
            else not (in_check(pieces, False) or in_check(pieces, True))
        ):
            break
    return rows
