"""Clobber, the game of Michael Albert, J. P. Grossman and Richard Nowakowski (2001)."""

from random import Random
from typing import Any

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.clobber import Clobber as ClobberRules
from palaestra.generators.matches.square_boards import Pieces
from palaestra.task import ladder


class Clobber(BoardMatch):
    """Win an endgame of Clobber against a perfect opponent."""

    answer_type = "cells"
    most_nodes = 800
    candidates = 40

    class Knobs(BoardMatch.Knobs):
        rows: int = ladder(3, 4, 4, 4, 5, 5, low=3, high=6)
        columns: int = ladder(4, 4, 5, 5, 5, 5, low=4, high=6)
        plies: int = ladder(4, 5, 6, 6, 6, 6, low=3, high=8)  # of a random game to its end
        least_moves: int = ladder(1, 2, 3, 4, 4, 4, low=1, high=8)
        most_chance: float = ladder(1.0, 0.25, 0.12, 0.07, 0.035, 0.013, low=1e-6)

    rows: int
    columns: int

    @classmethod
    def rules_of(cls, knobs: Any) -> ClobberRules:
        return ClobberRules(knobs.rows, knobs.columns)

    def rules(self) -> ClobberRules:
        return ClobberRules(self.rows, self.columns)

    @classmethod
    def opening(cls, rng: Random, rules: ClobberRules, knobs: Any) -> Pieces | None:
        game = [rules.start()]
        while rules.outcome(game[-1]) is None:
            game.append(rules.apply(game[-1], rng.choice(rules.legal(game[-1]))))
        start: Pieces = game[max(0, len(game) - 1 - knobs.plies)]
        return start

    def description(self) -> str:
        return self.phrase(
            f"Clobber on a board of {self.rows} rows and {self.columns} columns. X and O take "
            "turns to move one of their own pieces to a cell next to it, in the same row or "
            "column, that has a piece of the other player. That piece is captured: it is removed, "
            "and the moving piece takes its cell. Moves to empty cells and diagonal moves do not "
            "exist. A player who cannot capture loses. A move is the cell that the piece leaves "
            "and the cell that it enters, by rows and columns counted from 1 at the top left, "
            "such as 'r1c1-r1c2'.",
            f"This is a game of Clobber with {self.rows} rows and {self.columns} columns, which "
            "are counted from 1 at the top left. In each turn, a player takes one own piece and "
            "puts it onto an opposing piece that is directly above, below, to the left or to the "
            "right of it; the opposing piece leaves the board. Every move captures in this way. "
            "Whoever makes the last move wins: a player without a move has lost. Write the cell "
            "of the piece and the cell of the captured piece, for example 'r1c1-r1c2'.",
        )
