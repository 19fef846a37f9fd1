"""Dots and Boxes, which Édouard Lucas published as "La Pipopipette" in 1889."""

from random import Random
from typing import Any

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.dots_and_boxes import DotsAndBoxes as DotsAndBoxesRules
from palaestra.generators.matches.dots_and_boxes import State
from palaestra.task import ladder

CARELESS = 0.15
"""How often a player of the opening draws any line."""


class DotsAndBoxes(BoardMatch):
    """Win an endgame of Dots and Boxes against a perfect opponent."""

    answer_type = "cells"
    baseline_note = (
        "Boxes that can be completed have to be taken in most turns, so that a player who takes "
        "boxes and gives away none, and guesses where that does not decide, wins half of the games."
    )

    class Knobs(BoardMatch.Knobs):
        rows: int = ladder(3, 3, 3, 3, 3, 4, low=3, high=5)
        columns: int = ladder(3, 3, 3, 4, 4, 4, low=3, high=5)
        free: int = ladder(7, 9, 11, 12, 13, 14, low=4, high=14)  # missing lines at the start
        behind: int = ladder(0, 0, 1, 1, 2, 2, low=-2, high=2)  # boxes that the player lacks
        least_moves: int = ladder(2, 4, 5, 6, 7, 8, low=1, high=12)
        most_chance: float = ladder(0.5, 0.02, 2e-3, 1e-4, 1e-5, 1e-6, low=1e-8)

    most_nodes = 4_000

    rows: int
    columns: int

    @classmethod
    def rules_of(cls, knobs: Any) -> DotsAndBoxesRules:
        return DotsAndBoxesRules(knobs.rows, knobs.columns)

    def rules(self) -> DotsAndBoxesRules:
        return DotsAndBoxesRules(self.rows, self.columns)

    @classmethod
    def opening(cls, rng: Random, rules: DotsAndBoxesRules, knobs: Any) -> State | None:
        """The players take boxes, and else mostly avoid to let the other player take one."""
        state = rules.start()
        while rules.outcome(state) is None:
            if rules.free(state) <= knobs.free:
                return None if rules.lead(state) > -knobs.behind else state
            state = rules.apply(state, _careful(rng, rules, state))
        return None

    def description(self) -> str:
        board = f"{self.rows} rows and {self.columns} columns of boxes"
        return self.phrase(
            f"Dots and Boxes with {board}. The signs + are dots. X and O take turns to draw a line "
            "between two dots that are next to each other in a row or a column, where there is no "
            "line yet. A player who completes the fourth side of a box, or of two boxes at once, "
            "owns it, and has to move again; after any other line it is the other player's turn. "
            "Nobody has to complete a box. The first player to own more than half of the boxes "
            "wins; if all lines are there and nobody does, the game is a draw. Dots are named by "
            "row and column, counted from 1 at the top left. A move is two dots, such as "
            "'r1c1-r1c2'.",
            f"This is a game of Dots and Boxes. The board has {board}, whose corners are dots (+). "
            "A move adds one missing line, horizontal or vertical, between neighbouring dots. If "
            "it is the last missing side of a box, the box belongs to the player who drew the "
            "line, and the same player moves again; otherwise the turn passes to the other player. "
            "Completing boxes is optional. Whoever owns more than half of all boxes has won; with "
            "equal numbers at the end, nobody has. It begins with the player who is named below "
            "the first board. Write the two dots of a line, each by its row and column from 1 at "
            "the top left: for example 'r1c1-r1c2'.",
        )


def _careful(rng: Random, rules: DotsAndBoxesRules, state: State) -> int:
    """A line that is best at a glance, or any."""
    if rng.random() < CARELESS:
        return rng.choice(rules.legal(state))
    moves = rules.legal(state)
    least = rules.risk(state.lines, moves[0])
    return rng.choice([line for line in moves if rules.risk(state.lines, line) == least])
