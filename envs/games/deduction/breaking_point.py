"""Finding the height at which samples break, also known as the egg drop puzzle, with prices.

Without prices, Michael Boardman (The Egg-Drop Numbers, 2004) gives the numbers of drops.
"""

from random import Random
from typing import Self

from palaestra.generators.games.deduction.adversary import AdversaryGame
from palaestra.generators.games.deduction.breaking_point import BreakingPoint as Rules
from palaestra.generators.games.deduction.breaking_point import State, cost_of
from palaestra.generators.states import encoded
from palaestra.task import ladder


class BreakingPoint(AdversaryGame):
    """Find the height at which samples break with few samples and coins, whatever happens."""

    baseline_note = (
        "The cheapest height that leaves at most 70 % of the heights, and one height at a time "
        "with the last sample, is often the best one."
    )

    class Knobs(AdversaryGame.Knobs):
        heights: int = ladder(9, 10, 11, 13, 15, 18, low=3, high=24)
        samples: int = ladder(3, 3, 3, 3, 3, 3, low=2, high=5)

    costs: tuple[int, ...]

    @classmethod
    def candidate(cls, rng: Random, knobs: Knobs) -> Self:
        rules = Rules(tuple(rng.randint(2, 30) for _ in range(knobs.heights)))
        coins = cost_of(rules, 0, knobs.heights + 1, knobs.samples)
        return cls(
            position=encoded(State(0, knobs.heights + 1, knobs.samples, int(coins))),
            seed_of_adversary=rng.getrandbits(32),
            costs=rules.costs,
        )

    def rules(self) -> Rules:
        return Rules(self.costs)

    def description(self) -> str:
        heights = len(self.costs)
        costs = ", ".join(f"{n}: {cost}" for n, cost in enumerate(self.costs, 1))
        return self.phrase(
            "Find out from which height on samples of a material break when they are dropped. The "
            f"heights are 1 to {heights}. All samples are alike: below some height they survive a "
            "drop and can be used again; from that height on they break and cannot; it may also be "
            f"that no height breaks them. A drop costs coins, depending on the height ({costs}). "
            "The results are chosen by an adversary, who keeps to all results so far and makes it "
            "as hard as possible. You win when it is settled which height is the least that breaks "
            "a sample, or that none does; you have as many coins as the best strategy needs in the "
            "worst case with these samples. You lose when no samples are left, or you can pay for "
            "no drop, before that; a drop that you cannot pay is not legal. A move is 'drop' and a "
            "height, such as 'drop 2'.",
            f"There are {heights} heights, and identical samples. If a sample breaks at some "
            "height, it breaks at all greater ones as well, and if it survives a drop, it survives "
            "all smaller ones and is as good as new. Perhaps the greatest height is survived, too. "
            f"Dropping a sample has a price in coins: {costs} (height: price). You have to settle "
            "what is the smallest height at which samples break, if there is one; you lose if it "
            "is not settled and you have no samples, or too few coins for any drop. Drops that "
            "cost more than you have are not possible. Nothing is fixed in advance: what "
            "happens is always the worst result for you that agrees with the earlier ones. Your "
            "coins are just enough for a strategy that works whatever the results are. Write "
            "'drop' with a height, for example 'drop 2'.",
        )
