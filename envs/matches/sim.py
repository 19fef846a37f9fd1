"""Sim, the game of Gustavus Simmons (1969)."""

from random import Random
from typing import Any

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.sim import Sim as SimRules
from palaestra.generators.matches.sim import State
from palaestra.task import ladder


class Sim(BoardMatch):
    """Win a late position of Sim against a perfect opponent."""

    class Knobs(BoardMatch.Knobs):
        points: int = ladder(6, low=5, high=7)
        free: int = ladder(6, 7, 8, 9, 10, 10, low=2, high=10)  # lines that nobody has
        least_moves: int = ladder(2, 3, 4, 4, 5, 5, low=1, high=8)
        most_chance: float = ladder(0.5, 0.08, 0.02, 6e-3, 2e-3, 4e-4, low=1e-6)

    points: int

    @classmethod
    def rules_of(cls, knobs: Any) -> SimRules:
        return SimRules(knobs.points)

    def rules(self) -> SimRules:
        return SimRules(self.points)

    @classmethod
    def opening(cls, rng: Random, rules: SimRules, knobs: Any) -> State | None:
        """The players choose any lines that complete no triangle."""
        state = rules.start()
        while rules.free(state) > knobs.free:
            after = [rules.apply(state, line) for line in rules.legal(state)]
            going = [each for each in after if rules.outcome(each) is None]
            if not going:
                return None
            state = rng.choice(going)
        return state

    def description(self) -> str:
        names = f"A to {'ABCDEFGH'[self.points - 1]}"
        full = "" if self.points > 5 else " If all lines are taken, the game is a draw."
        return self.phrase(
            f"Sim on {self.points} points, {names}. There is a line between every two of them. X "
            "and O take turns, and a player takes one of the free lines in each turn. A player "
            "who completes a triangle, which is three points whose three connecting lines are all "
            f"this player's own, loses at once.{full} The lines of both players and the free ones "
            "are listed. A move is a line by its two points, such as 'A-B'.",
            f"This is the game of Sim. The board consists of the points {names}, and every two "
            "points are joined by a line. The players X and O alternate in colouring one line that "
            "has no colour yet, each in a colour of their own. The first player with a triangle in "
            "the own colour (three points that are joined to each other by own lines) has lost."
            f"{full} It begins with the player who is named below the first position, in which "
            "'free' lists the lines without a colour. Write a line as its two points, for example "
            "'A-B'.",
        )
