"""Blackjack with small shoes of known cards, after Baldwin, Cantey, Maisel and McDermott (1956).

Their strategy for the full deck, and Thorp's remark (1962) that the cards that are left change it,
are what this game is about: the shoes are so small that the usual strategy is often wrong. The
expectations are exact.
"""

from random import Random
from typing import Any

from palaestra.generators.games.cards.blackjack import PLAYER, State, bust_chance, total
from palaestra.generators.games.cards.blackjack import Blackjack as Rules
from palaestra.generators.games.chance import ChanceGame
from palaestra.task import ladder

LEAST_PIPS = 40
"""The sum of all cards of a hand, aces as 1, at which the shoe cannot run out."""

SAFE_REFUSED = 0.7
"""The share of the hands that cannot go bust by the next card which are not used."""


class Blackjack(ChanceGame):
    """Decide hands of blackjack for the best expectation, with known cards left in the shoe."""

    tags = {"chance", "cards", "expected-value"}
    round_name = "Hand"
    unit = "bets"
    balanced = True

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(4, 5, 6, 7, 8, 10, low=1, high=12)  # hands
        least_decisions: int = ladder(1, 1, 1, 1, 1, 1, low=1, high=3)  # in a trial of each hand
        most_gap: float = ladder(
            2.0, 0.5, 0.2, 0.12, 0.1, 0.08, low=0.01
        )  # of the closest decision
        cards: int = ladder(8, 9, 10, 11, 12, 13, low=8, high=16)  # in the shoe
        ranks: int = ladder(3, 4, 4, 5, 5, 6, low=2, high=7)  # different ones
        doubling: bool = ladder(False, False, True, True, True, True)

    doubling: bool

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        return {"doubling": knobs.doubling}

    def rules(self) -> Rules:
        return Rules(self.doubling)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State | None:
        """A random hand and shoe; most hands can go bust, or to hit would be right too often."""
        ranks = rng.sample(range(1, 11), knobs.ranks)
        cards = [rng.choice(ranks) for _ in range(knobs.cards + 3)]
        if sum(cards) < LEAST_PIPS:
            return None
        hand, dealer, unseen = tuple(sorted(cards[:2])), tuple(cards[2:3]), cards[3:]
        shoe = tuple(unseen.count(rank) for rank in range(1, 11))
        state = State(shoe, hand, dealer, PLAYER, 1)
        dull = total(hand) == 21 or (not bust_chance(state) and rng.random() < SAFE_REFUSED)
        return None if dull else state

    def description(self) -> str:
        number = len(self.positions)
        hands = f"{number} hand{'s' * (number > 1)}"
        moves = "'hit' (take a card) or 'stand' (take no more)"
        double = ""
        if self.doubling:
            moves = "'hit' (take a card), 'stand' (take no more) or 'double'"
            double = (
                " With 'double', possible with your first two cards only, you double the bet, take "
                "exactly one more card and stand."
            )
        return self.phrase(
            f"Blackjack, {hands}. Cards count their number, and an ace (A) counts 11, or 1 where "
            "11 would make the total more than 21. You see your cards and one card of the dealer; "
            "the dealer's other card and all cards still to be dealt are drawn at random, without "
            "replacement, from the unseen cards, which are listed. Every hand has a shoe of its "
            f"own. A move is {moves}.{double} If your total exceeds 21, you lose the bet at once; "
            "with 21 you stand automatically. When you stand, the dealer draws until the total is "
            "17 or more (an ace counts 11 here as well if that is not too much), and loses if it "
            "exceeds 21. Otherwise the higher total wins the bet of 1, and equal totals win "
            f"nothing. {self.judging()} A move looks like 'stand'.",
            f"You play {hands} of blackjack against a dealer, with a bet of 1 each. The total of a "
            "hand is the sum of its cards; A is an ace, worth 11 unless the total would then be "
            "above 21, and otherwise 1. A hand above 21 loses immediately, and a hand of 21 "
            "stands. For each hand there is a new shoe; the unseen cards are those left in it and "
            "the dealer's second card, and each card is drawn from them at random and not put "
            f"back. In each turn, choose {moves}.{double} After you stand, the dealer turns up the "
            "second card and draws cards as long as the total is 16 or less, and stops at 17 or "
            "more, also with an ace that counts 11. Whoever is closer to 21 wins the bet; above "
            f"21 the dealer loses it, and with equal totals nobody does. {self.judging()} For "
            "example, a move is 'stand'.",
        )
