"""Isolation, where pieces block the cells that they leave: a variant of the game that Bernd Kienitz
published in 1972, in which each player also blocks a cell of their choice.
"""

from random import Random
from typing import Any, Literal

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.isolation import Isolation as IsolationRules
from palaestra.generators.matches.isolation import State
from palaestra.task import ladder

MOVED = 4
"""How many moves are made before a position, at least; no two tasks would differ otherwise."""


class Isolation(BoardMatch):
    """Make the last move with a piece that blocks cells, against a perfect opponent."""

    answer_type = "cells"
    most_nodes = 1_000
    candidates = 60
    baseline_note = (
        "To leave the opponent few cells is the aim of the game itself, so that players who count "
        "cells win about a quarter of the endgames of five moves."
    )

    class Knobs(BoardMatch.Knobs):
        size: int = ladder(4, 5, 5, 5, 5, 5, low=4, high=7)
        piece: Literal["king", "queen"] = ladder("king", "king", "king", "queen", "queen", "queen")
        free: int = ladder(8, 11, 14, 11, 12, 13, low=5, high=20)  # cells at the start
        least_moves: int = ladder(1, 3, 4, 4, 4, 5, low=1, high=8)
        most_chance: float = ladder(1.0, 0.2, 0.1, 0.05, 0.03, 0.015, low=1e-6)

    size: int
    piece: Literal["king", "queen"]

    @classmethod
    def rules_of(cls, knobs: Any) -> IsolationRules:
        return IsolationRules(knobs.size, knobs.size, knobs.piece == "queen")

    def rules(self) -> IsolationRules:
        return IsolationRules(self.size, self.size, self.piece == "queen")

    @classmethod
    def opening(cls, rng: Random, rules: IsolationRules, knobs: Any) -> State | None:
        game = [rules.start()]
        most = min(knobs.free, rules.free(game[0]) - MOVED)
        while rules.outcome(game[-1]) is None:
            if rules.free(game[-1]) <= most:
                return game[-1]
            game.append(rules.apply(game[-1], rng.choice(rules.legal(game[-1]))))
        # On a large board one player is often shut in before so few cells are left.
        return game[-2 * knobs.least_moves] if len(game) > 2 * knobs.least_moves else None

    def description(self) -> str:
        board = f"{self.size} by {self.size} cells"
        king = self.piece == "king"
        way = (
            "to one of the eight neighbouring cells"
            if king
            else "any number of cells in a row, a column or a diagonal"
        )
        clear = "The cell" if king else "Every cell on the way, the last one included,"
        return self.phrase(
            f"Isolation on a board of {board}. X and O have one piece each, and take turns to move "
            f"it {way}. {clear} must be free: without a piece, and not blocked. The cell that a "
            "piece leaves is blocked for the rest of the game, shown as '#'. Passing is not "
            "allowed; a player whose piece cannot move loses. A move is the cell that the piece "
            "enters, by its row and column, counted from 1 at the top left, such as 'r2c3'.",
            f"This is a game for two, X and O, on {board}; rows and columns are counted from 1 at "
            f"the top left. Each player has a single piece, which moves {way}. Whenever a piece "
            f"leaves a cell, that cell becomes blocked for both players ('#'). {clear} must be "
            "free, that is, neither blocked nor occupied by the other piece. Both have to move in "
            "turn, and the first one who cannot has lost. Reply with the row and column of the "
            "cell that you move to, for example 'r2c3'.",
        )
