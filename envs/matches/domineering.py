"""Domineering, the game of Göran Andersson, which Martin Gardner described as Crosscram (1974)."""

from random import Random
from typing import Any

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.domineering import Domineering as DomineeringRules
from palaestra.generators.matches.domineering import State
from palaestra.task import ladder


class Domineering(BoardMatch):
    """Win an endgame of Domineering against a perfect opponent."""

    answer_type = "cells"
    baseline_note = (
        "A player who compares the numbers of moves of both sides follows the main rule of strong "
        "players, and parries what is lost in two plies; on boards that can be solved in time, "
        "this player wins about half of the games."
    )

    class Knobs(BoardMatch.Knobs):
        size: int = ladder(4, 5, 5, 6, 6, 6, low=3, high=7)
        free: int = ladder(11, 14, 16, 19, 20, 22, low=4, high=24)  # cells at the start, at most
        least_moves: int = ladder(2, 3, 4, 4, 4, 5, low=1, high=12)
        most_chance: float = ladder(0.5, 0.15, 0.05, 0.02, 0.008, 0.002, low=1e-6)

    most_nodes = 3_000

    size: int

    @classmethod
    def rules_of(cls, knobs: Any) -> DomineeringRules:
        return DomineeringRules(knobs.size, knobs.size)

    def rules(self) -> DomineeringRules:
        return DomineeringRules(self.size, self.size)

    @classmethod
    def opening(cls, rng: Random, rules: DomineeringRules, knobs: Any) -> State | None:
        state = State(0, rng.randrange(2))
        while rules.outcome(state) is None:
            if rules.free(state) <= knobs.free:
                return state
            state = rules.apply(state, rng.choice(rules.legal(state)))
        return None

    def description(self) -> str:
        board = f"{self.size} by {self.size} cells"
        return self.phrase(
            f"Domineering on {board}. X and O take turns to place a domino on two empty cells that "
            "share a side. X places every domino vertically, so that it covers two cells of a "
            "column, and O places every domino horizontally, so that it covers two cells of a row. "
            "A player who is to move and cannot place a domino loses. Dots are empty cells, and # "
            "are covered ones. A move is the two cells of the domino, by rows and columns counted "
            "from 1 at the top left, such as 'r1c1-r2c1' for X or 'r1c1-r1c2' for O.",
            f"This is the game of Domineering on a board of {board}. Empty cells are shown as "
            "dots, covered cells as #. In turn, the players put a domino on two neighbouring empty "
            "cells: X always one above the other, O always side by side. Dominoes stay where they "
            "are. Whoever cannot move in turn has lost. It begins with the player who is named "
            "below the first board. Rows and columns are counted from 1 at the top left; write a "
            "move as both cells, for example 'r1c1-r2c1' (X) or 'r1c1-r1c2' (O).",
        )
