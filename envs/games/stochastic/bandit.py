"""The Bernoulli bandit, which William R. Thompson posed in 1933 and John Gittins solved for
discounted rewards (1979).

With a finite horizon, as in Bradt, Johnson and Karlin (1956), dynamic programming over the tallies
of all arms gives the exact expectation of every pull. At higher levels a change of the arm has a
cost, for which Banks and Sundaram (1994) showed that no index of each arm alone is the best.
"""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.stochastic.bandit import Bandit as Rules
from palaestra.generators.games.stochastic.bandit import State, Tally, early_index
from palaestra.task import ladder

OPENINGS = 100
"""How often arms are drawn for ones that are all different."""


class Bandit(ChanceGame):
    """Pull the arms of a bandit for the greatest expected number of successes."""

    tags = {"chance", "expected-value", "exploration", "planning"}
    unit = "successes"
    baseline_note = (
        "An index of each arm, its mean with a bonus, less the cost of a change, is nearly the "
        "ideal player of a bandit, so that it gets some tasks of the middle level right."
    )
    lucks = 5
    candidates = 1

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(3, 4, 5, 8, 10, 12, low=1, high=12)
        least_decisions: int = ladder(2, 2, 2, 3, 3, 3, low=1, high=10)  # in each round
        most_gap: float = ladder(0.2, 0.05, 0.02, 0.02, 0.01, 0.01, low=0.002)
        arms: int = ladder(3, 3, 3, 3, 3, 4, low=2, high=4)
        pulls: int = ladder(3, 3, 4, 5, 5, 5, low=2, high=7)
        known: int = ladder(4, 5, 6, 8, 10, 12, low=2, high=20)  # earlier pulls of an arm, at most
        most_cost: int = ladder(0, 0, 10, 15, 20, 20, low=0, high=50)  # of a change, in percent

    cost: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        cost = rng.randrange(5, knobs.most_cost + 1, 5) if knobs.most_cost >= 5 else 0
        return {"cost": cost}

    def rules(self) -> Rules:
        return Rules(self.cost)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State | None:
        """Arms that are nearly equally good by an index, which is then not enough to decide."""
        for _ in range(OPENINGS):
            level = rng.uniform(0.4, 0.8)
            arms = tuple(cls._tally(rng, level, knobs) for _ in range(knobs.arms))
            if len({*arms}) == len(arms):  # equal arms would be equally good
                return State(knobs.pulls, arms, -1, 0)
        return None

    @staticmethod
    def _tally(rng: Random, level: float, knobs: Any) -> Tally:
        """A tally whose index is near a level, and not an extreme one."""
        pulls = rng.randint(1, knobs.known)
        tallies = [(good, pulls - good) for good in range(pulls + 1)]
        tallies.sort(key=lambda tally: abs(early_index(tally, knobs.pulls) - level))
        return rng.choice(tallies[:2])

    def description(self) -> str:
        number = len(self.positions)
        rounds = "" if number == 1 else f" There are {number} rounds, each with arms of its own."
        judging = self.judging()
        cost = aim = ""
        if self.cost:
            cost = (
                f" A pull of another arm than the one that you pulled last in the round costs "
                f"{self.cost / 100:g} successes."
            )
            aim = ", less these costs"
        return self.phrase(
            "A bandit has several arms. Each arm has an unknown probability of success, which "
            "never changes; before any pull, these probabilities are independent and uniformly "
            "distributed between 0 and 1. The successes and failures of all pulls so far are "
            "listed, including those before you came. You have a limited number of pulls, one arm "
            f"each, and see the result of each pull.{cost}{rounds} The aim is many successes{aim}. "
            f"{judging} "
            "A move is 'pull' with the letter of an arm; it looks like 'pull A'.",
            "In each turn, you pull one of several arms, which ends in a success or a failure. "
            "The probability of success of an arm is fixed but unknown. Its prior distribution is "
            "uniform on the interval from 0 to 1, independently of the other arms, and the list "
            "shows what has been observed of each arm so far, by you and by others before you."
            f"{cost} When your pulls are used up, your own successes count{aim}.{rounds} "
            f"{judging} Write 'pull' and the letter of an arm, for example 'pull A'.",
        )
