"""Bargaining by alternating offers over a sum that shrinks, after Ingolf Ståhl (1972) and Ariel
Rubinstein (1982), with a counterpart who decides at random with known probabilities.
"""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.economics.alternating_offers import NOTHING, State
from palaestra.generators.games.economics.alternating_offers import AlternatingOffers as Rules
from palaestra.task import ladder


class AlternatingOffers(ChanceGame):
    """Accept offers or make demands, for the best expectation of coins."""

    tags = {"chance", "expected-value", "planning", "negotiation", "economics"}
    tolerance = 0.05
    baseline_note = (
        "A player who reckons with the mean offer of the next round, and with no round after "
        "it, is right in most decisions."
    )
    unit = "coins"
    round_name = "Negotiation"
    one_solution = True
    most_states = 20_000
    balanced = True

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(6, 6, 6, 6, 7, 8, low=1, high=8)  # negotiations
        least_decisions: int = ladder(1, 1, 1, 1, 1, 2, low=1, high=4)  # in a trial of each
        most_gap: float = ladder(40.0, 12.0, 6.0, 4.0, 3.0, 2.0, low=0.1)  # coins
        turns: int = ladder(2, 3, 3, 4, 5, 6, low=2, high=8)  # of a negotiation
        shares: int = ladder(3, 3, 4, 5, 6, 7, low=2, high=9)

    sums: tuple[int, ...]
    steps: tuple[int, ...]
    accepts: tuple[int, ...]
    offers: tuple[int, ...]

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        total, sums = rng.randint(200, 400), list[int]()
        for _ in range(knobs.turns):
            sums.append(total)
            total = total * rng.randint(80, 97) // 100
        steps = sorted(rng.sample(range(20, 90, 5), knobs.shares))
        accepts = sorted((5 * rng.randint(1, 19) for _ in steps), reverse=True)
        cuts = sorted(rng.sample(range(1, 20), knobs.shares - 1))
        offers = (5 * (b - a) for a, b in zip((0, *cuts), (*cuts, 20)))
        return {
            "sums": tuple(sums),
            "steps": tuple(steps),
            "accepts": tuple(accepts),
            "offers": tuple(sorted(offers, reverse=True)),
        }

    def rules(self) -> Rules:
        return Rules(self.sums, self.steps, self.accepts, self.offers)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        first = rng.randrange(max(1, knobs.turns - 1))
        return State(first, rng.randrange(len(rules.steps)), NOTHING, NOTHING)

    def description(self) -> str:
        sums = ", ".join(map(str, self.sums))
        accepts = ", ".join(f"{s}%: {p}%" for s, p in zip(self.steps, self.accepts))
        offers = ", ".join(f"{s}%: {p}%" for s, p in zip(self.steps, self.offers))
        judging = self.judging()
        return self.phrase(
            "You and a counterpart divide coins. A negotiation has several rounds, with fewer "
            f"coins in each: {sums}. In each round, the counterpart offers you a share of the "
            "coins. You accept, and get what is offered; or you demand a share for yourself "
            "instead. If the counterpart accepts your demand, you get it; if not, the next round "
            "begins with a new offer. In the last round, you can only accept. A negotiation may be "
            "shown from a later round on. The counterpart "
            "decides at random, independently of what happened before. The probability that it "
            f"accepts a demand, by the share that you demand: {accepts}. The probability of its "
            f"offers, by the share that you would get: {offers}. Shares are rounded down to whole "
            f"coins.\n\n{judging} A move is 'accept', or 'demand' with the coins of one of these "
            "shares; it looks like 'accept'.",
            "Negotiate about a sum of coins that shrinks from round to round "
            f"(the sums of all rounds: {sums}). A round begins with an offer of the counterpart: "
            "so many of the coins for you. Either you accept it, which ends the negotiation, or "
            "you make a demand; when it is accepted, you get the coins you have demanded, and "
            "otherwise there is another round. There is no demand in the last round. Some "
            "negotiations are shown from a later round on. All choices "
            "of the counterpart are random and independent of one another. It makes these offers "
            f"(your share: probability): {offers}. It accepts these demands (your share: "
            f"probability): {accepts}. No other shares are possible, and a share is the whole "
            f"number of coins below or equal to the percentage of the sum.\n\n{judging} Write "
            "'accept' or 'demand' with a number of coins, for example 'accept'.",
        )
