"""A press-your-luck dice game, after the game of pig that John Scarne described in 1945.

Todd Neller and Clifton Presser computed the best play of pig (2004). Here, a player has several
dice to choose from, and a limited number of turns. Probabilities to win are exact.
"""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.dice.press_your_luck import Die, State, letter
from palaestra.generators.games.dice.press_your_luck import PressYourLuck as Rules
from palaestra.task import ladder


class PressYourLuck(ChanceGame):
    """Roll dice or hold, so that a target is reached in time with the greatest probability."""

    tags = {"chance", "dice", "expected-value", "planning"}
    unit = "of the probability to win"
    one_solution = True
    most_states = 200_000

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(3, 3, 3, 3, 3, 3, low=1, high=6)
        least_decisions: int = ladder(3, 4, 4, 4, 5, 6, low=1, high=12)  # in each round
        most_gap: float = ladder(0.2, 0.1, 0.05, 0.03, 0.02, 0.01, low=0.002)
        dice: int = ladder(2, 3, 3, 3, 3, 4, low=1, high=5)
        turns: int = ladder(3, 3, 4, 4, 4, 5, low=1, high=6)
        missing: int = ladder(24, 24, 26, 30, 34, 40, low=9, high=50)  # points, at most

    dice: tuple[Die, ...]

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        dice = set[Die]()
        while len(dice) < knobs.dice:  # equal dice would be equally good
            dice.add(cls._die(rng))
        return {"dice": tuple(rng.sample(sorted(dice), len(dice)))}

    @classmethod
    def _die(cls, rng: Random) -> Die:
        """A die of six faces, with greater values the more of its faces are bad."""
        bad = rng.randint(1, 3)
        values = (rng.randint(1, 3 + 2 * bad) for _ in range(6 - bad))
        return (0,) * bad + tuple(sorted(values))

    def rules(self) -> Rules:
        return Rules(self.dice)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        """The beginning of a turn, or a turn after one roll or two."""
        missing = rng.randint(2 * knobs.missing // 3, knobs.missing)
        values = [value for value in rng.choice(rules.dice) if value]
        points = sum(rng.choice(values) for _ in range(rng.randint(0, 2)))
        return State(knobs.turns, missing, points if points < missing else 0, -1)

    def description(self) -> str:
        dice = "\n".join(
            f"Die {letter(n)}: {' '.join(str(value) if value else 'X' for value in die)}"
            for n, die in enumerate(self.dice)
        )
        each = "the target" if len(self.positions) == 1 else "the target of each round"
        judging = self.judging()
        return self.phrase(
            f"A dice game. Reach {each} within a number of turns. In a turn, you roll one of the "
            "dice below as often as you like, each face with the same probability; a number is "
            "added to the points of the turn. If a face X comes up, the points of the turn are "
            "lost, and the turn ends. If you hold, the points of the turn are yours for good, and "
            "the turn ends. As soon as the points of the turn are as many as are missing, or more, "
            f"you have won.\n{dice}\n\nA win counts 1, anything else 0. {judging} A move is "
            "'hold', which needs points in this turn, or 'roll' with the letter of a die; it looks "
            "like 'roll A'.",
            f"You have a limited number of turns to collect the missing points of {each}. During a "
            "turn, you choose a die again and again and roll it (all faces are equally likely): "
            "its number counts as points of the turn, but an X takes all points of the turn away "
            "and ends it. Instead of a roll, you may hold once you have points in the turn: they "
            "are kept, and the turn is over. You win at once when the points of the turn reach the "
            f"missing points.\n{dice}\n\nThe value of a win is 1, and that of running out of turns "
            f"0. {judging} Write 'hold', or 'roll' and the letter of a die, for example 'roll A'.",
        )
