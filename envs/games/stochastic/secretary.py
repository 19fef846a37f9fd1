"""The secretary problem, which Dennis Lindley solved in 1961; Thomas Ferguson tells its history
("Who solved the secretary problem?", 1989).

Here, payoffs depend on the rank, interviews have a cost, and the last few candidates can still be
accepted, as in Smith and Deely's problem with a finite memory (1975). The best candidate need not
have the greatest payoff, as in Robert Vanderbei's postdoc problem. Dynamic programming over
relative ranks gives the exact expectation of every decision.
"""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.stochastic.secretary import Secretary as Rules
from palaestra.generators.games.stochastic.secretary import State
from palaestra.task import ladder


class Secretary(ChanceGame):
    """Choose one of several candidates, who are interviewed in random order."""

    tags = {"chance", "expected-value", "optimal-stopping", "planning"}
    one_solution = True
    lucks = 4

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(3, 3, 3, 4, 4, 5, low=1, high=8)
        least_decisions: int = ladder(2, 3, 3, 3, 4, 4, low=1, high=8)  # in each round
        most_gap: float = ladder(10.0, 5.0, 1.5, 1.2, 1.0, 0.8, low=0.2)
        candidates: int = ladder(5, 6, 6, 7, 8, 9, low=3, high=12)
        window: int = ladder(1, 1, 2, 2, 3, 3, low=1, high=3)
        most_cost: int = ladder(0, 2, 4, 5, 5, 5, low=0, high=10)

    payoffs: tuple[int, ...]
    window: int
    cost: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        """Payoffs of about half of the ranks, the greatest ones for the best candidates or not."""
        paid = rng.randint(knobs.candidates // 3, 2 * knobs.candidates // 3)
        payoffs = [100, *(rng.randint(10, 98) for _ in range(paid))]
        payoffs += [0] * (knobs.candidates - 1 - paid)
        rng.shuffle(payoffs)
        cost = rng.randint(min(1, knobs.most_cost), knobs.most_cost)
        return {"payoffs": tuple(payoffs), "window": knobs.window, "cost": cost}

    def rules(self) -> Rules:
        return Rules(self.payoffs, self.window, self.cost)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        """A random order of the first few candidates."""
        seen = rng.randint(1, max(1, knobs.candidates // 2))
        ranks = rng.sample(range(1, seen + 1), seen)
        return State(seen, tuple(ranks[-knobs.window :]), False, 0, 0)

    def description(self) -> str:
        number, rounds = len(self.payoffs), len(self.positions)
        payoffs = ", ".join(f"rank {n}: {each}" for n, each in enumerate(self.payoffs, 1))
        times = "" if rounds == 1 else f" There are {rounds} rounds, each with new candidates."
        cost = first = ""
        if self.cost:
            cost = f" Each interview costs {self.cost}, including those before your first move."
            first = (
                f" Every candidate who has been interviewed, also before your first move, reduces "
                f"your payoff by {self.cost}."
            )
        return self.phrase(
            f"Out of {number} candidates you have to accept exactly one. They are interviewed one "
            "after the other, in random order: all orders are equally likely. You only learn how "
            "the candidates interviewed so far rank among each other; rank 1 is the best. "
            f"{self._memory()} If all have been interviewed, you have to accept one of those who "
            "can still be accepted. Your payoff depends on the rank of the accepted candidate "
            f"among all {number}, including those who were not interviewed. Payoffs by rank: "
            f"{payoffs}.{cost}{times} {self.judging()} A move is 'continue' (interview the next "
            "candidate) or 'accept' with the number of a candidate; it looks like 'accept 2'.",
            f"{number} candidates, no two of them equally good, appear one by one for an "
            "interview, each order with the same probability, and you choose one of them. What an "
            "interview shows is the rank of each candidate among those interviewed so far, 1 for "
            f"the best. {self._memory()} After the last interview, one of the candidates who are "
            f"still available has to be accepted. Rank among all {number} candidates and payoff: "
            f"{payoffs}.{first}{times} {self.judging()} Write 'accept' and the number of a "
            "candidate, counted in the order of the interviews, or 'continue' to interview the "
            "next one, for example 'accept 2'.",
        )

    def _memory(self) -> str:
        if self.window == 1:
            return (
                "Only the candidate interviewed last can be accepted; whoever is not accepted "
                "leaves."
            )
        return (
            f"Only the last {self.window} candidates interviewed can be accepted; all before them "
            "have left."
        )
