"""Endings of chess within a number of moves, the first game whose endings were solved by computers
(Ströhlein, 1970).
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Literal, Self

from palaestra.generators.chess.moves import Move
from palaestra.generators.matches.chess.endings import ending, index
from palaestra.generators.matches.chess.rules import Chess as ChessRules
from palaestra.generators.matches.chess.rules import ChessSolver, State, solver_of
from palaestra.generators.matches.limited_wins import LimitedMatch
from palaestra.generators.matches.square_boards import bits
from palaestra.task import NoValidTask, Policy, ladder

TRIES = 2_000
"""How many squares of a king and a piece are tried in search of a win of the right length."""

PIECES = {"queen": "Q", "rook": "R", "pawn": "P"}
EXAMPLES = "e2e4", "g1f3", "d7d5", "b8c6"


class Chess(LimitedMatch):
    """Checkmate a bare king within a number of moves against a perfect opponent."""

    answer_type = "moves"
    candidates = 6

    class Knobs(LimitedMatch.Knobs):
        piece: Literal["queen", "rook", "pawn"] = ladder(
            "queen", "rook", "rook", "queen", "pawn", "rook", "pawn"
        )
        wins: int = ladder(4, 2, 3, 3, 2, 2, 2, low=1, high=9)  # winning first moves, at most
        least_moves: int = ladder(2, 3, 5, 6, 9, 11, 18, low=1, high=28)
        spare: int = ladder(0, 0, 1, 1, 2, 1, 2, low=0, high=20)  # moves more than needed

    @classmethod
    def rules_of(cls, knobs: Any) -> ChessRules:
        return ChessRules()

    def rules(self) -> ChessRules:
        return ChessRules()

    def solver(self) -> ChessSolver:
        return solver_of(self.rules(), self.position)

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        """The candidate with the fewest winning moves, or the first with few enough."""
        rules, best, fewest = cls.rules_of(knobs), None, 0
        for state in cls._openings(rng, rules, knobs):
            wins = len(ChessSolver(rules).best_moves(state))
            if best is None or wins < fewest:
                best, fewest = state, wins
            if wins <= knobs.wins:
                break
        if best is None:
            raise NoValidTask("no position is won in so many moves")
        return cls(
            position=rules.encode(best), seed_of_opponent=rng.getrandbits(32), seat=best.turn
        )

    @classmethod
    def opening(cls, rng: Random, rules: ChessRules, knobs: Any) -> State | None:
        """A position that the player to move wins in the number of moves, or the most there are."""
        won, hunter = ending(PIECES[knobs.piece]).won, rng.randrange(2)
        moves = min(knobs.least_moves, len(won) - 1)
        for _ in range(TRIES):
            king, square = rng.sample(range(64), 2)
            at, mirror = index(king, square), rng.choice((0, 7))
            if squares := [*bits(won[moves][at] & ~won[moves - 1][at])]:
                men = {king: "K", square: PIECES[knobs.piece], rng.choice(squares): "k"}
                left = 2 * (moves + knobs.spare) - 1
                seen = {square ^ mirror: sign for square, sign in men.items()}
                return _position(seen, hunter)._replace(left=left, hunter=hunter)
        return None

    def _example(self) -> str:
        legal = {str(move) for move in self.rules().legal(self.start())}
        return next(text for text in EXAMPLES if text not in legal)

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def squeezing(state: State, move: Move) -> float:
            """Drive the other king to the edge, keep the own one near, and leave few replies."""
            after = rules.apply(state, move)
            over = rules.outcome(after) is not None
            replies = 0 if over else len(rules.legal(after))
            return 10 * rules.judgement(after, rules.player(state)) - replies

        name = "win, else parry, else fewest replies and the kings near each other"
        return {**super().baselines(rng), name: self.parrying(squeezing, rng)}

    def description(self) -> str:
        start = self.start()
        hunter, other = self.rules().signs[:: 1 if start.hunter == 0 else -1]
        moves = self.rules().own_moves(start)
        return self.phrase(
            "An ending of chess. Capital letters are White's pieces, lower-case letters Black's: K "
            "king, Q queen, R rook, B bishop, N knight, P pawn; a full stop is an empty square. "
            "White's pawns move up the board, Black's down. The rules of chess hold, with castling "
            "and captures en passant where the FEN allows them; positions may be repeated. "
            f"{hunter} is to move and has to checkmate with its move number {moves} at the "
            f"latest. If it has not, {other} wins, and {other} wins as well in case of stalemate, "
            "and as soon as nobody can checkmate any more, because only the kings and at most one "
            "bishop or knight are left. A move is written as its start square and its end square, "
            f"such as '{self._example()}'; if a pawn reaches the last rank, the piece that it "
            "becomes is added: q, r, b or n, such as 'e7e8q' for a queen.",
            "This is the end of a game of chess. White's pieces have capital letters, Black's "
            "small ones, with K for king, Q queen, R rook, B bishop, N knight and P pawn, and a "
            "full stop stands for an empty square; White plays up the board. All moves of chess "
            "are allowed, castling and en passant captures only where the FEN states them, and a "
            f"position may occur again. The number of moves is limited: {hunter}, who begins, has "
            f"to give checkmate with at most {moves} own moves, and otherwise {other} is the "
            f"winner. Stalemate is a win for {other}, too, and so is a position where no checkmate "
            "is possible, with nothing left but the kings and at most one bishop or knight. Give a "
            f"move by the squares where it starts and ends, for example '{self._example()}', and "
            "for a promotion with q, r, b or n for the new piece, for example 'e7e8q'.",
        )


def _position(men: dict[int, str], hunter: int) -> State:
    """The position with the hunter's pieces as capital letters, seen from its side of the board."""
    pieces = ["."] * 64
    for square, sign in men.items():
        pieces[square ^ 56 if hunter else square] = sign.swapcase() if hunter else sign
    return State("".join(pieces), hunter)
