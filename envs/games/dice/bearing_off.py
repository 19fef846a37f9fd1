"""The end of a game of backgammon, an ancient game, as a race against a number of rolls.

Exact tables of such positions have been computed since the 1980s (Hugh Sconyers, Walter Trice).
"""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.dice.bearing_off import POINTS, State, rolls
from palaestra.generators.games.dice.bearing_off import BearingOff as Rules
from palaestra.task import ladder


class BearingOff(ChanceGame):
    """Bear all men off within some rolls, with the greatest probability."""

    tags = {"chance", "dice", "expected-value", "planning"}
    unit = "of the probability to succeed"
    baseline_note = (
        "As many men off as possible, and the others on different and low points, is right in most "
        "rolls."
    )
    one_solution = True
    most_states = 400_000

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(1, 2, 3, 7, 7, 8, low=1, high=8)
        least_decisions: int = ladder(1, 1, 1, 1, 2, 2, low=1, high=6)  # in a trial of each round
        most_gap: float = ladder(0.5, 0.1, 0.06, 0.04, 0.03, 0.02, low=0.005)
        men: int = ladder(3, 3, 3, 4, 4, 5, low=3, high=5)
        rolls: int = ladder(1, 1, 2, 2, 2, 2, low=1, high=2)  # after the current one

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        return {}

    def rules(self) -> Rules:
        return Rules()

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        men = [0] * POINTS
        for _ in range(knobs.men):
            men[rng.randrange(POINTS)] += 1
        dice = rng.choice([dice for dice, _ in rolls() if len(dice) == 2])
        return State(tuple(men), knobs.rolls, dice)

    def description(self) -> str:
        judging = self.judging()
        return self.phrase(
            "This is the end of a game of backgammon, played by you alone: bear all men off "
            "before you run out of rolls. Your men stand on points 1 to 6. In each roll, you roll "
            "two ordinary dice and play each of them, one after the other, in the order of your "
            "choice; the same number on both is played four times. A die moves a man as many "
            "points down as it shows, to any point from 1 on, or bears a man off from the point "
            "of exactly that number. A die that is higher than your highest point with a man "
            "bears off a man from that point. A die cannot do anything else, and has to be played "
            f"as long as there are men.\n\nA success counts 1, anything else 0. {judging} A move "
            "plays all dice of a roll: for each of them a man's point, '/', and the point that it "
            "goes to or 'off', such as '4/2 3/off'.",
            "You have to take all men off points 1 to 6 within the rolls that are left. Each roll "
            "gives two numbers from two dice with six faces, or four equal numbers for a double. "
            "Use each number once, in any order. With a number, you either move a man down by "
            "that many points, where it stays on the board (the lowest point is 1); or take a man "
            "off, if it is on the point of that number; or, if the number is greater than that of "
            "the highest point on which you have men, take one off from this highest point. "
            "Numbers cannot be given up while men are left.\n\nThe value of getting all men off "
            f"in time is 1, and that of anything else 0. {judging} Write what you do with all the "
            "numbers of a roll, each time from a point to a point or off the board, for example "
            "'4/2 3/off'.",
        )
