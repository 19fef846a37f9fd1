"""The Bernoulli bandit, which William R. Thompson posed in 1933 and John Gittins solved for
discounted rewards (1979).

With a finite horizon, as in Bradt, Johnson and Karlin (1956), dynamic programming over the tallies
of all arms gives the exact expectation of every pull.
"""

from random import Random
from typing import Any

from palaestra.generators.games.bandit import Bandit as Rules
from palaestra.generators.games.bandit import State, Tally, mean
from palaestra.generators.games.chance import ChanceGame
from palaestra.task import ladder


class Bandit(ChanceGame):
    """Pull the arms of a bandit for the greatest expected number of successes."""

    tags = {"chance", "expected-value", "exploration", "planning"}
    unit = "successes"
    lucks = 6

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(2, 2, 3, 4, 5, 6, low=1, high=8)
        least_decisions: int = ladder(2, 2, 2, 3, 3, 3, low=1, high=10)  # in each round
        most_gap: float = ladder(0.2, 0.05, 0.02, 0.02, 0.01, 0.01, low=0.002)
        arms: int = ladder(2, 3, 3, 3, 3, 4, low=2, high=4)
        pulls: int = ladder(3, 3, 4, 5, 6, 5, low=2, high=7)
        known: int = ladder(4, 5, 6, 8, 10, 12, low=2, high=20)  # earlier pulls of an arm, at most

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        return {}

    def rules(self) -> Rules:
        return Rules()

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State | None:
        """Arms that look nearly equally good, after different numbers of pulls."""
        level = rng.uniform(0.3, 0.7)
        arms = tuple(cls._tally(rng, level, knobs.known) for _ in range(knobs.arms))
        return State(knobs.pulls, arms, -1, 0) if len({*arms}) == len(arms) else None

    @staticmethod
    def _tally(rng: Random, level: float, most: int) -> Tally:
        """A tally whose mean is near a level."""
        pulls = rng.randint(0, most)
        tallies = [(good, pulls - good) for good in range(pulls + 1)]
        tallies.sort(key=lambda tally: abs(mean(tally) - level))
        return rng.choice(tallies[:2])

    def description(self) -> str:
        number = len(self.positions)
        rounds = "" if number == 1 else f" There are {number} rounds, each with arms of its own."
        judging = self.judging()
        return self.phrase(
            "A bandit has several arms. Each arm has an unknown probability of success, which "
            "never changes; before any pull, these probabilities are independent and uniformly "
            "distributed between 0 and 1. The successes and failures of all pulls so far are "
            "listed, including those before you came. You have a limited number of pulls, one arm "
            f"each, and see the result of each pull.{rounds} The aim is many successes. {judging} "
            "A move is 'pull' with the letter of an arm; it looks like 'pull A'.",
            "In each turn, you pull one of several arms, which ends in a success or a failure. "
            "The probability of success of an arm is fixed but unknown. Its prior distribution is "
            "uniform on the interval from 0 to 1, independently of the other arms, and the list "
            "shows what has been observed of each arm so far, by you and by others before you. "
            f"When your pulls are used up, your own successes count.{rounds} {judging} Write "
            "'pull' and the letter of an arm, for example 'pull A'.",
        )
