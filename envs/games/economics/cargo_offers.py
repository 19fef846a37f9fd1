"""Offers of cargo for a limited load, one at a time: the dynamic and stochastic knapsack problem.

Papastavrou, Rajagopalan and Kleywegt ("The dynamic and stochastic knapsack problem with deadlines",
1996) describe its optimal policies, which are not always thresholds.
"""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.economics.cargo_offers import DECLINE, LETTERS, TAKE, Cargo, State
from palaestra.generators.games.economics.cargo_offers import CargoOffers as Rules
from palaestra.task import ladder

STEP = 5
"""Probabilities are multiples of this many percent."""


class CargoOffers(ChanceGame):
    """Take or decline offers of cargo for the best expected pay of a limited load."""

    tags = {"chance", "expected-value", "planning", "optimisation"}
    tolerance = 0.01
    unit = "coins"
    round_name = "Day"
    one_solution = True
    balanced = True

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(3, 4, 4, 5, 6, 7, low=1, high=12)
        least_decisions: int = ladder(2, 3, 4, 5, 6, 6, low=1, high=15)  # in a trial of each round
        most_gap: float = ladder(5.0, 1.0, 0.5, 0.3, 0.2, 0.15, low=0.05)  # coins
        types: int = ladder(3, 3, 4, 5, 6, 6, low=2, high=8)
        load: int = ladder(6, 8, 12, 16, 20, 24, low=4, high=40)
        offers: int = ladder(4, 5, 7, 9, 11, 13, low=3, high=20)

    cargo: tuple[Cargo, ...]

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        number, most = knobs.types, max(2, knobs.load // 2)
        weights = [rng.randint(1, most) for _ in range(number)]
        rates = [2 + 3 * n / (number - 1) + rng.uniform(-0.3, 0.3) for n in range(number)]
        pays = [max(1, round(weight * rate)) for weight, rate in zip(weights, rates)]
        cuts = sorted(rng.sample(range(1, 100 // STEP), number - 1))
        percents = [STEP * (b - a) for a, b in zip((0, *cuts), (*cuts, 100 // STEP))]
        return {"cargo": tuple(map(Cargo, weights, pays, percents))}

    def rules(self) -> Rules:
        return Rules(self.cargo)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State | None:
        left = rng.randint(knobs.offers // 2, knobs.offers - 1)
        whole = (left + 1) * sum(each.weight * each.percent for each in rules.cargo) / 100
        # Less room than for all offers, or there would be nothing to decline.
        room = min(knobs.load, max(1, round(whole * rng.uniform(0.3, 0.7))))
        state = State(room, left, rng.randrange(knobs.types), 0)
        return state if rules.fits(state) else None

    def description(self) -> str:
        table = "\n".join(
            f"{LETTERS[n]} | {each.weight} t | {each.pay} | {each.percent}%"
            for n, each in enumerate(self.cargo)
        )
        table = f"type | weight | pay (coins) | probability\n{table}"
        judging = self.judging()
        return self.phrase(
            "You load a truck. Offers of cargo come one after the other, and you take or decline "
            "each of them at once. A cargo that you take uses as many tonnes of the free load as "
            "it weighs, and gives you its pay; it stays on the truck. A cargo that you decline "
            "does not come back. An offer that weighs more than the free load is declined for you, "
            "and uses up one of the offers of the day. Each offer is one of these types, "
            f"independently of all others, with the probabilities stated:\n{table}\n\n{judging} A "
            f"move is '{TAKE}' or '{DECLINE}', such as '{DECLINE}'.",
            "A carrier gets a number of offers on each day, and can accept only as much as the "
            f"truck holds. Types of cargo, and the probability that an offer is of this type:\n"
            f"{table}\n\nAll offers are independent. When an offer comes, you see its type and "
            "decide whether to take it, without knowing the offers after it. What you take is paid "
            "for and occupies its weight until the end of the day; nothing is unloaded. What you "
            "decline is gone. Offers that are heavier than what the truck can still carry count as "
            "offers, but you cannot take them.\n\n"
            f"{judging} Answer each offer with '{TAKE}' or '{DECLINE}', for example '{DECLINE}'.",
        )
