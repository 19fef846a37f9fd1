"""Sequences of sealed-bid auctions with a budget, after William Vickrey's "Counterspeculation,
auctions, and competitive sealed tenders" (1961).

The bids of the rivals have known distributions. With a limited budget, a bid also costs chances in
later auctions; dynamic programming over items and budget gives the exact expectation of every bid.
"""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.economics.sealed_bids import Bidder, State
from palaestra.generators.games.economics.sealed_bids import SealedBids as Rules
from palaestra.task import ladder


class SealedBids(ChanceGame):
    """Bid for several items, one after the other, against rivals of known distributions."""

    tags = {"auctions", "chance", "expected-value", "game-theory", "planning"}
    round_name = "Sequence"
    unit = "coins"
    lucks = 2

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(2, 2, 2, 2, 3, 3, low=1, high=6)  # sequences of auctions
        least_decisions: int = ladder(1, 1, 2, 2, 2, 3, low=1, high=6)  # in each sequence
        most_gap: float = ladder(2.0, 0.5, 0.3, 0.2, 0.15, 0.1, low=0.005)
        items: int = ladder(2, 2, 3, 4, 4, 5, low=1, high=7)
        rivals: int = ladder(1, 1, 2, 2, 3, 3, low=1, high=4)
        formats: int = ladder(1, 2, 3, 3, 3, 3, low=1, high=3)
        most_bid: int = ladder(6, 8, 9, 10, 10, 12, low=3, high=15)  # of a rival

    rivals: tuple[Bidder, ...]
    keeps: bool

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        rivals = tuple(cls._bidder(rng, knobs.most_bid) for _ in range(knobs.rivals))
        return {"rivals": rivals, "keeps": rng.random() < 0.5}

    @staticmethod
    def _bidder(rng: Random, most: int) -> Bidder:
        """Three or four different bids, with probabilities in steps of 5 percent."""
        number = min(rng.randint(3, 4), most + 1)
        bids = sorted(rng.sample(range(most + 1), number))
        cuts = sorted(rng.sample(range(1, 20), number - 1))
        steps = zip((0, *cuts), (*cuts, 20), strict=True)
        return tuple((bid, 5 * (high - low)) for bid, (low, high) in zip(bids, steps, strict=True))

    def rules(self) -> Rules:
        return Rules(self.rivals, self.keeps)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        """Items of which the budget buys about a half."""
        most = knobs.most_bid
        items = tuple(
            (rng.randint(most // 2, 2 * most), rng.randrange(knobs.formats))
            for _ in range(knobs.items)
        )
        budget = rng.randint(most, max(most, knobs.items * most * 2 // 3))
        return State(items, budget, -1, 0)

    def description(self) -> str:
        number, several = len(self.positions), len(self.rivals) > 1
        rivals = "\n".join(
            f"Rival {n}: " + ", ".join(f"{bid} with {weight} %" for bid, weight in rival)
            for n, rival in enumerate(self.rivals, 1)
        )
        sequences = sequence = ""
        if number > 1:
            sequences = f" There are {number} sequences, each with items and a budget of its own."
            sequence = f" You take part in {number} such sequences, with separate budgets."
        who = "The rivals bid independently" if several else "The rival bids at random"
        goal = (
            "Your result is the value of the items that you win, less all that you pay."
            if self.keeps
            else "Your result is the value of the items that you win; money that is left at the "
            "end of a sequence is worth nothing."
        )
        return self.phrase(
            "Items are auctioned one after the other by sealed bids. For each item you bid a whole "
            "number of coins from 0 to your budget, without knowing the bids of others. You win "
            "the item if your bid is higher than that of every rival; in a tie, a rival wins. In a "
            "first-price auction, the winner pays their own bid. In a second-price auction, the "
            "winner pays the highest bid of the others. In these two, losers pay nothing. In an "
            "all-pay auction, all bidders pay their own bids, also without winning. What you pay "
            "is taken from your budget, which serves for all items of a sequence.\n\n"
            f"{who} for each item, whatever the item and the format are, with these probabilities:"
            f"\n{rivals}\n\n{goal}{sequences} {self.judging()} A move is 'bid' with a number; it "
            "looks like 'bid 3'.",
            "In a sequence of auctions, you have one budget for all items. For the next item, you "
            "submit a secret bid, a whole number of coins that is at most the rest of the budget. "
            "The strictly highest bid wins; if the highest bid of a rival equals yours, you do "
            "not win. Payment depends on the format of the item. First-price: the winner pays what "
            "he or she bid. Second-price: the winner pays the highest losing bid. All-pay: "
            "everybody pays what he or she bid, winner or not. (In the first two formats, only "
            "the winner pays.) Payments reduce your budget.\n\nIn every auction, new bids of the "
            f"others are drawn independently from these distributions:\n{rivals}\n\n{goal}"
            f"{sequence} {self.judging()} Write 'bid' and your bid, for example 'bid 3'.",
        )
