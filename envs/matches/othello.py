"""Othello, the game that was published as Reversi in 1883."""

from random import Random
from typing import Any

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.othello import Othello as OthelloRules
from palaestra.generators.matches.othello import State
from palaestra.task import ladder


class Othello(BoardMatch):
    """Win an endgame of Othello against a perfect opponent."""

    answer_type = "cells"
    baseline_note = (
        "A player who leaves the opponent the fewest replies follows the main rule of strong "
        "players, and finds about a third of the wins of five moves."
    )

    class Knobs(BoardMatch.Knobs):
        size: int = ladder(4, 6, 6, 8, 8, 8, low=4, high=8)  # even
        free: int = ladder(4, 5, 6, 7, 8, 8, low=2, high=10)  # empty cells at the start

    size: int

    @classmethod
    def rules_of(cls, knobs: Any) -> OthelloRules:
        return OthelloRules(knobs.size - knobs.size % 2)

    def rules(self) -> OthelloRules:
        return OthelloRules(self.size - self.size % 2)

    @classmethod
    def opening(cls, rng: Random, rules: OthelloRules, knobs: Any) -> State | None:
        state = rules.start()
        while rules.outcome(state) is None:
            if rules.free(state) <= knobs.free and len(rules.legal(state)) > 1:
                return state
            state = rules.apply(state, rng.choice(rules.legal(state)))
        return None

    def description(self) -> str:
        board = f"{self.rules().size} by {self.rules().size} cells"
        return self.phrase(
            f"Othello on {board}. X and O take turns to place a disc of their own on an empty "
            "cell, such that at least one straight line of discs of the other player (in a row, a "
            "column or a diagonal) is enclosed between the new disc and another disc of the same "
            "player. All discs that are enclosed in this way become discs of the player who "
            "moves. A player who has no such cell must reply 'pass', and only then. The game ends "
            "when neither player can place a disc; whoever has more discs wins. A move is a cell "
            "by its row and column, counted from 1 at the top left, such as 'r2c3'.",
            f"This is a game of Othello (Reversi) on a board of {board}; rows and columns are "
            "counted from 1 at the top left. In each turn, a player puts one disc on an empty "
            "cell. It must enclose discs of the opponent in at least one straight line, which may "
            "be horizontal, vertical or diagonal, between itself and a disc that the player "
            "already has; every disc enclosed by it changes its owner. If no cell is possible, the "
            "move is 'pass'; otherwise passing is not allowed. When no player can move, the player "
            "with more discs has won. Give a move as row and column, for example 'r2c3'.",
        )
