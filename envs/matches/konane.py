"""Konane, the traditional game of Hawaii that is also known as Hawaiian checkers."""

from random import Random
from typing import Any

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.konane import Konane as KonaneRules
from palaestra.generators.matches.konane import State
from palaestra.task import ladder


class Konane(BoardMatch):
    """Win an endgame of Konane against a perfect opponent."""

    answer_type = "cells"
    most_nodes = 800
    candidates = 36
    baseline_note = (
        "To have more moves than the opponent is the aim of the game itself, so that players who "
        "count moves win about a quarter of the endgames of five moves."
    )

    class Knobs(BoardMatch.Knobs):
        size: int = ladder(4, 5, 5, 5, 5, 6, low=4, high=7)
        plies: int = ladder(5, 7, 7, 9, 9, 8, low=3, high=12)  # of a random game to its end
        least_moves: int = ladder(1, 2, 3, 4, 4, 4, low=1, high=8)
        most_chance: float = ladder(1.0, 0.25, 0.1, 0.06, 0.025, 0.008, low=1e-6)

    size: int

    @classmethod
    def rules_of(cls, knobs: Any) -> KonaneRules:
        return KonaneRules(knobs.size, knobs.size)

    def rules(self) -> KonaneRules:
        return KonaneRules(self.size, self.size)

    @classmethod
    def opening(cls, rng: Random, rules: KonaneRules, knobs: Any) -> State | None:
        game = [rules.start()]
        while rules.outcome(game[-1]) is None:
            game.append(rules.apply(game[-1], rng.choice(rules.legal(game[-1]))))
        start: State = game[max(0, len(game) - 1 - knobs.plies)]
        return start

    def description(self) -> str:
        board = f"{self.size} by {self.size} cells"
        return self.phrase(
            f"Konane (Hawaiian checkers) on a board of {board}. X and O take turns to move one of "
            "their own pieces. A piece moves by jumping in a row or a column over an adjacent "
            "piece of the other player to the empty cell directly behind it; the piece that is "
            "jumped over is removed. A piece may go on jumping in the same direction, over one "
            "piece each time, as often as that is possible, and may stop after any jump; it does "
            "not change its direction within a move. There are no other moves. A player who "
            "cannot jump loses. A move is the cell that the piece leaves and the cell on which it "
            "ends, by rows and columns counted from 1 at the top left, such as 'r1c3-r3c3'.",
            f"This is Konane, a game from Hawaii, on {board}; rows and columns are counted from 1 "
            "at the top left. In each turn, the player moves one own piece by one or more jumps "
            "along a straight line, horizontally or vertically but not diagonally. Each jump "
            "leads over exactly one opposing piece, next to the jumping piece, onto the empty "
            "cell beyond, and removes the opposing piece. Further jumps in the same line are "
            "optional. Whoever has no jump when it is their turn has lost, and the other player "
            "has won. State where the piece starts and where it finally stands, for example "
            "'r1c3-r3c3'.",
        )
