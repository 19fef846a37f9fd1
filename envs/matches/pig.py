"""Pig, a folk game of dice that John Scarne described in 1945.

Reiner Knizia analysed it (Dice Games Properly Explained, 1999); Todd Neller and Clifton Presser
solved it (Optimal Play of the Dice Game Pig, 2004).
"""

from random import Random
from typing import Any

from palaestra.generators.matches.dice_match import DiceMatch
from palaestra.generators.matches.pig import Pig as Rules
from palaestra.generators.matches.pig import State
from palaestra.task import ladder


class Pig(DiceMatch):
    """Roll or hold in the dice game Pig, with the greatest probability to win."""

    tolerance = 0.001
    baseline_note = (
        "A player who keeps pace with the other one and races at the end follows the rule that "
        "Neller and Presser give as nearly optimal, and often loses less than the tolerance."
    )

    class Knobs(DiceMatch.Knobs):
        games: int = ladder(3, 3, 3, 3, 3, 4, low=1, high=6)
        least_decisions: int = ladder(3, 3, 3, 4, 4, 4, low=1, high=8)  # in a trial of each game
        most_gap: float = ladder(0.05, 0.03, 0.02, 0.01, 0.01, 0.01, low=0.003)  # of the closest
        goal: int = ladder(30, 36, 50, 60, 70, 80, low=20, high=100)
        faces: int = ladder(4, 4, 6, 6, 6, 6, low=4, high=10)

    goal: int
    faces: int

    def rules(self) -> Rules:
        return Rules(self.goal, self.faces)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any, turn: int) -> State | None:
        scores = rng.randrange(2 * rules.goal // 3), rng.randrange(2 * rules.goal // 3)
        total = rng.randint(2, 5 * rules.faces)
        if scores[turn] + total >= rules.goal:
            return None
        return State(*scores, turn, total, 0)

    def game(self) -> str:
        goal, faces = self.goal, self.faces
        return self.phrase(
            f"The dice game Pig for X and O, up to {goal} points, with a fair die that has the "
            f"faces 1 to {faces}. In a turn, a player rolls the die once or more. After a 1, the "
            "turn ends and scores nothing. Any other number is added to the turn total, which "
            "starts at 0, and the player decides: 'roll' rolls the die again; 'hold' adds the turn "
            "total to the player's score and ends the turn. Then the other player's turn begins "
            "with a roll. As soon as the score of the player whose turn it is and the turn total "
            f"together are {goal} or more, this player has won. A move looks like 'roll'.",
            f"X and O take turns in a race to {goal} points. Each turn starts with a roll of one "
            f"die, whose {faces} faces, 1 to {faces}, are equally likely. Rolling a 1 ends the "
            "turn, and what it had collected is lost; the score stays as it was before the turn. "
            "Other numbers are collected in the turn total. After each of them, the player writes "
            "'hold' to move the turn total into the score and hand the die over, or 'roll' for "
            f"one more roll. The first player whose score plus turn total is at least {goal} wins "
            "at once. For example, a move is 'roll'.",
        )
