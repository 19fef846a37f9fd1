"""Stock for random demand, after Arrow, Harris and Marschak (Optimal Inventory Policy, 1951).

Herbert Scarf (1960) showed that the best policy has two bounds where each order has a fixed cost:
below the lower one, order up to the upper one.
"""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.economics.stock_ordering import DECIDE, Prices, State
from palaestra.generators.games.economics.stock_ordering import StockOrdering as Rules
from palaestra.task import ladder


class StockOrdering(ChanceGame):
    """Order stock each day for random demand, for the best expectation of money."""

    tags = {"chance", "expected-value", "planning", "economics"}
    tolerance = 0.05
    unit = "units of money"
    round_name = "Season"
    baseline_note = (
        "A player who looks at the costs of one day only, and takes it that what is left keeps "
        "its price, is often right, as stock is seldom kept for long."
    )
    one_solution = True
    most_states = 200_000
    lucks = 2
    balanced = True

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(3, 3, 3, 3, 3, 3, low=1, high=4)
        least_decisions: int = ladder(1, 1, 2, 3, 4, 5, low=1, high=8)  # in a trial of each round
        most_gap: float = ladder(20.0, 3.0, 1.0, 0.7, 0.5, 0.3, low=0.1)
        days: int = ladder(3, 3, 3, 4, 5, 6, low=1, high=8)
        demands: int = ladder(3, 4, 4, 5, 5, 6, low=2, high=7)  # how many different ones, from 0
        capacity: int = ladder(5, 6, 7, 8, 9, 10, low=3, high=12)

    prices: Prices
    demand: tuple[int, ...]
    capacity: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        cuts = sorted(rng.sample(range(1, 20), knobs.demands - 1))
        demand = tuple(5 * (b - a) for a, b in zip((0, *cuts), (*cuts, 20)))
        purchase = rng.randint(4, 12)
        prices = Prices(
            sale=purchase + rng.randint(3, 15),
            purchase=purchase,
            order=rng.randint(1, 3 + 2 * knobs.days),
            storage=rng.randint(1, 3),
            shortage=rng.randint(1, 8),
            rest=rng.randint(0, purchase - 2),
        )
        return {"prices": prices, "demand": demand, "capacity": knobs.capacity}

    def rules(self) -> Rules:
        return Rules(self.prices, self.demand, self.capacity)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        return State(rng.randint(0, knobs.capacity // 3), knobs.days, DECIDE, 0)

    def description(self) -> str:
        demand = ", ".join(f"{n}: {percent}%" for n, percent in enumerate(self.demand))
        prices, judging = self.prices, self.judging()
        return self.phrase(
            "You keep a stock of one product. Each morning you order a number of units, 0 or more, "
            f"which arrive at once; the stock has room for {self.capacity}. A unit costs "
            f"{prices.purchase}, and an order of one unit or more costs {prices.order} in "
            "addition. Then the demand of the day comes about, independently of other days, with "
            f"these probabilities: {demand}. Each unit that is asked for is sold for "
            f"{prices.sale}, as long as there is stock; each unit that is missing costs "
            f"{prices.shortage}. Each unit that is left in the evening costs {prices.storage} for "
            "storage, also on the last day, and is there the next morning. After the last day, "
            f"each unit left is worth {prices.rest}. Money may become negative.\n\n{judging} A "
            "move is 'order' with the number of units, such as 'order 1'.",
            "Manage the stock of a shop for a number of days. The demand of a day is random; the "
            f"days are independent of each other, and the probabilities are {demand}. Before you "
            "know the demand, you order, and get, any whole number of units, but there can be no "
            f"more than {self.capacity} in stock. You pay {prices.purchase} for each unit, and "
            f"{prices.order} for the order as such, unless it is 0. Customers pay "
            f"{prices.sale} for each unit that you have; for each unit that they want and you do "
            f"not have, you pay {prices.shortage}. What remains in the evening, on each day "
            f"including the last, costs {prices.storage} a unit and stays in stock. In the end you "
            f"get {prices.rest} for each unit that remains. You may run into debt.\n\n{judging} "
            "Write 'order' and a number, for example 'order 1'.",
        )
