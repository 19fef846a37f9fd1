"""Yacht, a dice game of the public domain, near its end.

The game has been documented since 1938. Tom Verhoeff (1999) and James Glenn (2006) computed the
best play of a later relative in the same way: by the expectations of all rolls and of all sets of
dice that are kept.
"""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.dice.yacht_dice import CATEGORIES, State
from palaestra.generators.games.dice.yacht_dice import YachtDice as Rules
from palaestra.task import ladder


class YachtDice(ChanceGame):
    """Choose dice to reroll and categories to score in for the best expectation of points."""

    tags = {"chance", "dice", "expected-value", "planning"}
    tolerance = 0.02

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(1, 1, 1, 1, 1, 1, low=1, high=3)
        least_decisions: int = ladder(1, 1, 2, 3, 4, 6, low=1, high=12)  # in each round
        most_gap: float = ladder(20.0, 5.0, 2.0, 1.0, 0.5, 0.3, low=0.1)  # points
        categories: int = ladder(1, 1, 2, 3, 4, 5, low=1, high=5)  # open ones
        rerolls: int = ladder(1, 2, 2, 2, 2, 2, low=1, high=2)

    rerolls: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        return {"rerolls": knobs.rerolls}

    def rules(self) -> Rules:
        return Rules(self.rerolls)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        some = rng.sample(range(len(CATEGORIES)), knobs.categories)
        dice = sorted(rng.randint(1, 6) for _ in range(5))
        return State(tuple(sorted(some)), knobs.rerolls, tuple(dice), (), 0)

    def description(self) -> str:
        if self.rerolls == 1:
            keeping = "you may once keep some of the dice and roll the others again"
        else:
            keeping = (
                f"you may keep some of the dice and roll the others again, up to {self.rerolls} "
                "times"
            )
        values = (
            "'ones' to 'sixes': the sum of the dice with this number; 'full house' (three equal "
            "dice and two other equal ones): the sum of all dice; 'four of a kind' (at least four "
            "equal dice): the sum of these four; 'little straight' (1 2 3 4 5): 30; 'big straight' "
            "(2 3 4 5 6): 30; 'choice': the sum of all dice; 'yacht' (five equal dice): 50. Dice "
            "that do not fit a category score 0 in it."
        )
        judging = self.judging()
        return self.phrase(
            "Yacht, a game with five dice, in which only the categories below are still open. In "
            f"each turn, the five dice are rolled; then {keeping}. After that, or before, score "
            "the dice in an open category, which is then closed. The game ends when no category is "
            f"open. The categories: {values} The aim is many points. {judging} A move is "
            "'keep' with the numbers of the dice that are kept ('keep none' to roll all of them), "
            "or 'score' with a category; it looks like 'keep 2 2' or 'score choice'.",
            "You play the last turns of a game of Yacht. A turn begins with a roll of five dice. "
            f"{keeping.capitalize()}; the numbers that you keep are written after 'keep', as in "
            "'keep 2 2', and 'keep none' rolls all dice. You end the turn, at any time, by scoring "
            "the dice in one of the open categories, as in 'score choice'; it is not open any more "
            "afterwards. There are as many turns as open categories, and the sum of all scores "
            f"counts. Scores: {values} {judging} A move looks like 'keep 2 2'.",
        )
