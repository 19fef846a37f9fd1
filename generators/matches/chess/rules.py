"""The rules of chess with a limited number of moves."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.chess.moves import (
    SQUARES,
    Board,
    Move,
    Rights,
    board,
    diagram,
    from_fen,
    in_check,
    legal,
    moved,
    rights_after,
    rows_of,
)
from palaestra.generators.chess.notation import EXAMPLE, read_worded_move
from palaestra.generators.chess.pictures import pictured
from palaestra.generators.matches.chess.endings import WAYS, moves_to_mate
from palaestra.generators.matches.limited_wins import LimitedRules, LimitedSolver
from palaestra.generators.matches.rules import DRAW, LOSS, WIN
from palaestra.generators.matches.solver import Solver
from palaestra.generators.matches.square_boards import move_in
from palaestra.scenes import Grid
from palaestra.task import InvalidAnswer

NOBODY = 2
"""The hunter of a game without one: it is a draw when no moves are left."""

LONGEST = 300
"""The moves of both players in a game from the start."""

VALUES = {"Q": 9, "R": 5, "B": 3, "N": 3, "P": 1, "K": 0}

ENDINGS = {*WAYS, "P"}
"""The pieces with which a king wins against a bare one."""


_ARROW = re.compile("->|\u2192")


class State(NamedTuple):
    """The 64 squares row by row from a8, whose turn it is, the rights of
    :class:`~palaestra.generators.chess.moves.Rights`, how many moves of both players are left, and
    who has to mate with these: the other player wins otherwise.
    """

    pieces: str
    turn: int
    castling: str = ""
    passant: int = 0
    left: int = LONGEST
    hunter: int = NOBODY


class Ending(NamedTuple):
    """A king and one piece of the hunter against a bare king, with squares from the hunter's side,
    row by row from the last row.
    """

    piece: str
    king: int
    square: int
    bare: int


@dataclass(frozen=True)
class Chess(LimitedRules[State, Move]):
    """Chess, with moves left in place of the rules of repetition and of fifty moves."""

    state_type = State
    signs = ("White", "Black")

    def start(self) -> State:
        return self.from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -")

    def from_fen(self, text: str) -> State:
        """A position in the notation of Forsyth and Edwards."""
        rows, white, rights = from_fen(text)
        return State("".join(rows), 0 if white else 1, *rights)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[Move]:
        return _view(*state[:4])[0]

    def apply(self, state: State, move: Move) -> State:
        pieces, rights = board_of(state), Rights(state.castling, state.passant)
        after = "".join(map(moved(pieces, move).__getitem__, SQUARES))
        castling, passant = rights_after(pieces, move, rights)
        return State(after, 1 - state.turn, castling, passant, state.left - 1, state.hunter)

    def outcome(self, state: State) -> int | None:
        moves, checked = _view(*state[:4])
        if not moves and checked:
            return WIN if state.turn else LOSS
        if moves and state.left > 0 and not insufficient(state.pieces):
            return None
        return self.unmated(state)

    def unmated(self, state: State) -> int:
        """The outcome of a game that ends without mate."""
        return DRAW if state.hunter == NOBODY else WIN if state.hunter else LOSS

    def solved(self, state: State) -> int | None:
        ending = ending_of(state)
        if ending is None:
            return None
        moves = moves_to_mate(*ending, state.turn == state.hunter)
        if moves is not None and moves <= self.own_moves(state):
            return LOSS if state.hunter else WIN
        return self.unmated(state)

    def own_moves(self, state: State) -> int:
        """How many moves the hunter has left."""
        return (state.left + (state.turn == state.hunter)) // 2

    def moves_needed(self, state: State) -> int:
        most, ending = self.own_moves(state), ending_of(state)
        if ending:
            return moves_to_mate(*ending, to_move=True) or most
        wins = LOSS if state.hunter else WIN
        limits = (n for n in range(1, most) if self._in_time(state, n) == wins)
        return next(limits, most)

    def _in_time(self, state: State, moves: int) -> int:
        return Solver(self).value(state._replace(left=2 * moves - 1))

    def name(self, state: State, move: Move) -> str:
        return str(move)

    def read(self, state: State, text: str) -> Move:
        rights = Rights(state.castling, state.passant)
        body = _ARROW.sub(" -> ", move_in(text))
        move = read_worded_move(body, board_of(state), state.turn == 0, rights)
        if move not in self.legal(state):
            raise InvalidAnswer(f"{move} is not a legal move; expected a move such as {EXAMPLE}")
        return move

    def show(self, state: State) -> str:
        rights = Rights(state.castling, state.passant)
        shown = diagram(rows_of(board_of(state)), state.turn == 0, rights)
        if state.hunter == NOBODY:
            return f"{shown}\n\nMoves left for both players together: {state.left}."
        hunter = self.signs[state.hunter]
        return f"{shown}\n\nMoves left for {hunter} to checkmate: {self.own_moves(state)}."

    def scene(self, state: State, last: Move | None) -> Grid:
        return pictured(rows_of(board_of(state)), () if last is None else (last,))

    def judgement(self, state: State, player: int) -> float:
        """Pieces and advanced pawns; against a bare king, how far it is driven to a corner."""
        score = 0.0
        for row in range(8):
            for sign in state.pieces[8 * row : 8 * row + 8].replace(".", ""):
                white = sign.isupper()
                steps = 7 - row if white else row
                value = VALUES[sign.upper()] + 0.1 * steps * (sign in "Pp")
                score += value if white else -value
        score = score if player == 0 else -score
        return score + _driven(state, player) - _driven(state, 1 - player)


class ChessSolver(LimitedSolver[State, Move]):
    """A solver that asks for the value of an ending before it looks for its moves."""

    rules: Chess

    def value(self, state: State, low: int = LOSS, high: int = WIN) -> int:
        solved = self.rules.solved(state)
        return super().value(state, low, high) if solved is None else solved


@lru_cache(maxsize=32)
def solver_of(rules: Chess, start: str) -> ChessSolver:
    """The solver of all positions that follow from a start, which keeps what it has searched."""
    return ChessSolver(rules)


@lru_cache(maxsize=1 << 12)
def _board(pieces: str) -> Board:
    return board([pieces])


def board_of(state: State) -> Board:
    """The board of a state, which must not be changed."""
    return _board(state.pieces)


@lru_cache(maxsize=1 << 14)
def _view(pieces: str, turn: int, castling: str, passant: int) -> tuple[tuple[Move, ...], bool]:
    """The legal moves, promotions and captures first, and whether the mover is in check."""
    squares, white = _board(pieces), turn == 0
    moves = legal(squares, white, Rights(castling, passant))

    def is_quiet(move: Move) -> bool:
        return not move.promoted and squares[move.end] == "."

    return tuple(sorted(moves, key=is_quiet)), in_check(squares, white)


def insufficient(pieces: str) -> bool:
    """Whether no more is left than kings and one bishop or knight, or bishops that all stand on
    squares of one colour.
    """
    others = [(n, sign.upper()) for n, sign in enumerate(pieces) if sign not in ".Kk"]
    if len(others) < 2:
        return not others or others[0][1] in "BN"
    colours = {(n // 8 + n) % 2 for n, _ in others}
    return len(colours) == 1 and all(sign == "B" for _, sign in others)


@lru_cache(maxsize=1 << 14)
def _men(pieces: str) -> tuple[tuple[int, str], ...]:
    return tuple((n, sign) for n, sign in enumerate(pieces) if sign != ".")


def ending_of(state: State) -> Ending | None:
    """The ending of a state whose hunter has one piece against a bare king; else None."""
    men = _men(state.pieces) if state.hunter != NOBODY else ()
    if len(men) != 3:
        return None
    white = state.hunter == 0
    squares = {sign if white else sign.swapcase(): n if white else n ^ 56 for n, sign in men}
    piece = next((sign for sign in squares if sign in ENDINGS), "")
    return Ending(piece, squares["K"], squares[piece], squares["k"]) if piece else None


def _driven(state: State, player: int) -> float:
    """How well a player drives a bare king of the other to a corner, with the own king near it."""
    men = _men(state.pieces)
    own = [(n, sign) for n, sign in men if sign.isupper() == (player == 0)]
    other = [n for n, sign in men if sign.isupper() != (player == 0)]
    if len(other) > 1 or len(own) < 2:
        return 0.0
    row, column = divmod(other[0], 8)
    king = next(n for n, sign in own if sign in "Kk")
    apart = max(abs(king // 8 - row), abs(king % 8 - column))
    return 0.2 * (abs(2 * row - 7) + abs(2 * column - 7)) / 2 - 0.1 * apart
