"""English draughts (checkers), with a limited number of moves."""

from random import Random
from typing import Any

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.checkers import Checkers as CheckersRules
from palaestra.generators.matches.checkers import State
from palaestra.generators.matches.rules import DRAW, WIN
from palaestra.task import ladder


class Checkers(BoardMatch):
    """Win an endgame of draughts within a number of moves against a perfect opponent."""

    answer_type = "cells"
    most_nodes = 1_500
    candidates = 30

    class Knobs(BoardMatch.Knobs):
        pieces: int = ladder(12, 12, 10, 8, 6, 4, low=3, high=16)  # of both, at the start, at most
        moves: int = ladder(2, 3, 3, 4, 4, 5, low=1, high=6)  # of the winner, to the end
        most_chance: float = ladder(1.0, 0.2, 0.06, 0.04, 0.02, 0.003, low=1e-6)
        least_moves: int = ladder(1, 2, 3, 3, 4, 5, low=1, high=6)

    @classmethod
    def rules_of(cls, knobs: Any) -> CheckersRules:
        return CheckersRules()

    def rules(self) -> CheckersRules:
        return CheckersRules()

    @classmethod
    def opening(cls, rng: Random, rules: CheckersRules, knobs: Any) -> State | None:
        """A position of a random game, so many moves before its end."""
        game = [rules.start()]
        while (over := rules.outcome(game[-1])) is None:
            game.append(rules.apply(game[-1], rng.choice(rules.legal(game[-1]))))
        if over == DRAW:
            return None
        left = 2 * knobs.moves - 1
        state = game[-1 - left]._replace(left=left, hunter=0 if over == WIN else 1)
        return state if (state.first | state.second).bit_count() <= knobs.pieces else None

    def description(self) -> str:
        start = self.start()
        hunter, other = self.rules().signs[:: 1 if start.hunter == 0 else -1]
        moves = (start.left + 1) // 2
        return self.phrase(
            "English draughts (checkers) on 8 by 8 cells. 'b' is a man and 'B' a king of Black, "
            "'w' a man and 'W' a king of White. Pieces move diagonally: a man one cell forwards "
            "(Black down, White up), a king one cell in any direction, to an empty cell. A piece "
            "captures by jumping over an adjacent piece of the other player to the empty cell "
            "behind it, a man only forwards; the captured piece is removed. A player who can "
            "capture has to, but may choose which capture. If the piece can jump again from where "
            "it lands, it must go on in the same move, and no piece is jumped twice. A man that "
            "reaches the last row becomes a king, and its move ends. A player who cannot move, or "
            f"has no pieces, loses. {hunter} has to win within {moves} moves of its own: if it has "
            f"not, {other} wins. A move is the cells of its way by rows and columns counted from 1 "
            "at the top left, such as 'r6c1-r5c2', or 'r6c1-r4c3-r2c5' for two jumps. The "
            "standard numbers of the dark cells, 1 at the top left to 32, are read as well.",
            "The game is draughts by the English rules (checkers), on an 8 by 8 board. Lower-case "
            "letters are men, capitals kings, b for Black and w for White. A man of Black steps "
            "one cell diagonally downwards, a man of White upwards, and a king diagonally in all "
            "four directions; the cell must be empty. Jumping diagonally over an opposing piece "
            "next to it, onto the empty cell beyond, captures that piece; men jump in their "
            "direction of movement only. Captures are compulsory (any of them, if there are "
            "several), and a piece that has jumped continues as long as it can jump over further "
            "pieces, each at most once. On the last row, a man is crowned king, which ends the "
            f"move. Whoever has no legal move loses. The number of moves is limited: {hunter} must "
            f"win with at most {moves} own moves, and otherwise {other} is the winner. Write a "
            "move as the cells that the piece visits, by row and column from the top left, for "
            "example 'r6c1-r5c2', or for several jumps 'r6c1-r4c3-r2c5'. Numbers of cells from 1 "
            "to 32 are possible, too.",
        )
