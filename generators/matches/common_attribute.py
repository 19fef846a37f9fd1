"""The rules of a game of sixteen pieces with four attributes, with cells and pieces as bits."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from palaestra.generators.matches.rules import DRAW, LOSS, WIN, Rules
from palaestra.generators.matches.square_boards import bits, name_of
from palaestra.scenes import Cell, Grid, Panels
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.common_attribute import placement

SIZE, ATTRIBUTES = 4, 4
CELLS = (1 << SIZE * SIZE) - 1
PIECES = range(1 << ATTRIBUTES)
NONE = -1
"""No piece: it is handed over after the last stone, and after one that wins."""

Move = tuple[int, int]
"""The cell for the piece in hand, and the piece that the other player has to place next."""

LINES = tuple(
    tuple(SIZE * row + column for row, column in line)
    for line in (
        *([(n, each) for each in range(SIZE)] for n in range(SIZE)),
        *([(each, n) for each in range(SIZE)] for n in range(SIZE)),
        [(n, n) for n in range(SIZE)],
        [(n, SIZE - 1 - n) for n in range(SIZE)],
    )
)
"""Rows, columns and diagonals, as numbers of cells."""

LINES_OF = tuple(tuple(line for line in LINES if n in line) for n in range(SIZE * SIZE))
"""The lines through each cell."""

FIELD = SIZE * SIZE
"""The bits of a board for each value of an attribute."""

ONES = sum(1 << FIELD * n for n in range(2 * ATTRIBUTES))
"""The first bit of each field."""

VALUES = tuple(
    sum(1 << FIELD * (2 * n + (not piece >> ATTRIBUTES - 1 - n & 1)) for n in range(ATTRIBUTES))
    for piece in PIECES
)
"""For each piece the first bits of the fields to which it belongs."""


class State(NamedTuple):
    """The pieces on the board, those that are left, the one in hand, whose turn it is, who won.

    A board has a field of 16 bits for each value of each attribute, 1 before 0, with a bit for each
    cell of a piece that has this value.
    """

    board: int
    left: int
    hand: int
    turn: int
    won: int


@dataclass(frozen=True)
class CommonAttribute(Rules[State, Move]):
    """The game on four by four cells; the first piece in hand is 0000."""

    state_type = State
    signs = ("A", "B")

    def start(self) -> State:
        return State(0, (1 << len(PIECES)) - 2, 0, 0, NONE)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[Move]:
        return _legal(state.board, state.left, state.hand)

    def apply(self, state: State, move: Move) -> State:
        target, piece = move
        board = state.board | VALUES[state.hand] << target
        won = state.turn if _lined(board, state.hand, target) else NONE
        left = state.left if piece == NONE else state.left & ~(1 << piece)
        return State(board, left, piece, 1 - state.turn, won)

    def outcome(self, state: State) -> int | None:
        if state.won != NONE:
            return LOSS if state.won else WIN
        return DRAW if state.hand == NONE else None

    def solved(self, state: State) -> int:
        """By a search that hands over no piece that wins at once."""
        value = _value(state.board, state.left, state.hand)
        return DRAW + (value if state.turn == 0 else -value)

    def name(self, state: State, move: Move) -> str:
        target = name_of(move[0], SIZE)
        return target if move[1] == NONE else f"{target} {piece_name(move[1])}"

    def read(self, state: State, text: str) -> Move:
        (row, column), code = placement(text, SIZE, SIZE)
        target, piece = row * SIZE + column, int(code, 2) if code else NONE
        legal = self.legal(state)
        if (target, NONE) in legal:
            return target, NONE
        if (target, piece) in legal:
            return target, piece
        if not _free(state.board) >> target & 1:
            raise InvalidAnswer(f"{name_of(target, SIZE)} is not free")
        if piece == NONE:
            raise InvalidAnswer("state the piece that the other player has to place next")
        raise InvalidAnswer(f"{piece_name(piece)} is not one of the pieces that are left")

    def show(self, state: State) -> str:
        rows = [f"{n + 1}  {' '.join(row)}" for n, row in enumerate(_signs(state.board))]
        left = " ".join(map(piece_name, bits(state.left))) or "none"
        lines = ["      ".join(["", *"1234"])[1:], *rows]
        hand = "none" if state.hand == NONE else piece_name(state.hand)
        return "\n".join(lines) + f"\n\nPiece in hand: {hand}\nOther pieces left: {left}"

    def scene(self, state: State, last: Move | None) -> Panels:
        board = tuple(tuple(map(_cell, row)) for row in _signs(state.board))
        rest = [piece_name(piece) for piece in bits(state.left)]
        hand = [piece_name(state.hand)] if state.hand != NONE else [""]
        marked = () if last is None else (divmod(last[0], SIZE),)
        others = [rest[n : n + SIZE] for n in range(0, len(rest), SIZE)] or [[""]]
        others[-1] += [""] * (len(others[0]) - len(others[-1]))
        return Panels(
            (
                Grid(board, coordinates=True, last=marked),
                Grid((tuple(map(_cell, hand)),)),
                Grid(tuple(tuple(map(_cell, row)) for row in others)),
            ),
            captions=("board", "in hand", "left"),
        )

    def free(self, state: State) -> int:
        """The number of free cells."""
        return _free(state.board).bit_count()

    def quiet(self, state: State) -> list[Move]:
        """The moves that do not win and hand over no winning piece."""
        return [
            move
            for move in self.legal(state)
            if move[1] in bits(_safe(state.board | VALUES[state.hand] << move[0], state.left))
        ]

    def winning(self, state: State, most: int) -> list[Move]:
        """The winning moves, or the first ``most`` of them, where none wins at once."""
        moves = list[Move]()
        for move in self.quiet(state):
            if len(moves) == most:
                break
            after = self.apply(state, move)
            if _value(after.board, after.left, after.hand) == -1:
                moves.append(move)
        return moves

    def judgement(self, state: State, player: int) -> float:
        """How few pieces the player to move can hand over that do not win at once."""
        safe = _safe(state.board, state.left).bit_count()
        return float(safe if state.turn == player else -safe)


def piece_name(piece: int) -> str:
    """The four values of a piece.

    >>> piece_name(6)
    '0110'
    """
    return f"{piece:0{ATTRIBUTES}b}"


def _free(board: int) -> int:
    """The free cells; each piece has one of both values of the first attribute."""
    return CELLS & ~(board | board >> FIELD)


def _lined(board: int, piece: int, target: int) -> bool:
    """Whether a piece that was placed on a cell completes a line with a common attribute."""
    return any(_common(board, line) & VALUES[piece] for line in LINES_OF[target])


def _common(board: int, line: Sequence[int]) -> int:
    """The first bits of the fields that contain all cells of a line, or of a part of it."""
    common = ONES
    for n in line:
        common &= board >> n
    return common


@lru_cache(maxsize=1 << 16)
def _gaps(free: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The free cells that are the only ones of a line, each with the other cells of the line."""
    gaps = list[tuple[int, tuple[int, ...]]]()
    for line in LINES:
        cells = [n for n in line if free >> n & 1]
        if len(cells) == 1:
            gaps.append((cells[0], tuple(n for n in line if n != cells[0])))
    return tuple(gaps)


def _winning(board: int, piece: int) -> int:
    """The cells where a piece wins."""
    gaps = _gaps(_free(board))
    return sum({1 << n for n, rest in gaps if _common(board, rest) & VALUES[piece]})


@lru_cache(maxsize=1 << 16)
def _threats(board: int) -> int:
    """The first bits of the fields of values with which a piece completes a line somewhere."""
    threats = 0
    for _, (a, b, c) in _gaps(_free(board)):
        threats |= board >> a & board >> b & board >> c
    return threats & ONES


@lru_cache(maxsize=1 << 2 * ATTRIBUTES)
def _harmless(threats: int) -> int:
    """The pieces that have none of these values."""
    return sum(1 << piece for piece in PIECES if not VALUES[piece] & threats)


def _safe(board: int, left: int) -> int:
    """The pieces, of those that are left, that do not win at once."""
    return left & _harmless(_threats(board))


@lru_cache(maxsize=1 << 14)
def _legal(board: int, left: int, hand: int) -> tuple[Move, ...]:
    """The moves that win, then those that hand over no winning piece, then the others."""
    free, wins = _free(board), _winning(board, hand)
    if not left:
        return tuple((target, NONE) for target in bits(free))
    safe, others = list[Move](), list[Move]()
    for target in bits(free & ~wins):
        harmless = _safe(board | VALUES[hand] << target, left)
        for piece in bits(left):
            (safe if harmless >> piece & 1 else others).append((target, piece))
    return (*((target, NONE) for target in bits(wins)), *safe, *others)


@lru_cache(maxsize=1 << 17)
def _value(board: int, left: int, hand: int) -> int:
    """1, 0 or -1 where the player to move wins, draws or loses."""
    values = VALUES[hand]
    if _threats(board) & values:
        return 1
    if not left:
        return 0
    ways = list[tuple[int, int, int]]()
    for target in bits(_free(board)):
        after = board | values << target
        if safe := _safe(after, left):
            ways.append((safe.bit_count(), after, safe))
    if not left & left - 1:
        return 0 if ways else -1
    best = -1
    for _, after, safe in sorted(ways):
        for piece in bits(safe):
            best = max(best, -_value(after, left & ~(1 << piece), piece))
            if best == 1:
                return 1
    return best


def _signs(board: int) -> list[list[str]]:
    """The names of the pieces by row."""
    names = ["----" if _free(board) >> n & 1 else "" for n in range(SIZE * SIZE)]
    for n, attribute in product(range(SIZE * SIZE), range(ATTRIBUTES)):
        if not _free(board) >> n & 1:
            names[n] += str(board >> 2 * FIELD * attribute + n & 1)
    return [names[n : n + SIZE] for n in range(0, SIZE * SIZE, SIZE)]


@lru_cache(maxsize=64)
def _cell(name: str) -> Cell:
    if not name.strip("-"):
        return Cell()
    return Cell(name, fill="t3" if name[0] == "1" else "t6")
