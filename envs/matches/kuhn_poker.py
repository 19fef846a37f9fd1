"""Kuhn poker, the game by which Harold Kuhn showed that bluffing is rational (1950).

It has three cards in his paper, and more at higher levels. The built-in opponent does not play an
equilibrium, but a mixed strategy that the prompt states.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from palaestra.generators.matches.hands_match import Chooser, HandsMatch
from palaestra.generators.matches.hidden_information import Strategy
from palaestra.generators.matches.kuhn_poker import (
    AFTER_BET,
    AFTER_CHECK,
    AFTER_CHECK_AND_BET,
    OPEN,
)
from palaestra.generators.matches.kuhn_poker import KuhnPoker as Rules
from palaestra.task import ladder

SITUATIONS = (OPEN, AFTER_CHECK, AFTER_BET, AFTER_CHECK_AND_BET)
"""The columns of the opponent's table, as the moves of a hand before."""

STEP = 5
"""Probabilities are multiples of this many percent."""


class KuhnPoker(HandsMatch):
    """Play hands of Kuhn poker for the best expectation against a known mixed strategy."""

    class Knobs(HandsMatch.Knobs):
        hands: int = ladder(2, 4, 5, 6, 8, 10, low=1, high=20)
        most_gap: float = ladder(2.0, 0.8, 0.4, 0.2, 0.1, 0.1, low=0.01)  # of a hand's closest move
        cards: int = ladder(3, 4, 4, 5, 6, 8, low=3, high=12)

    cards: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        table = tuple(
            tuple(STEP * rng.randint(1, 100 // STEP - 1) for _ in SITUATIONS)
            for _ in range(knobs.cards)
        )
        return {"cards": knobs.cards, "table": table}

    def rules(self) -> Rules:
        return Rules(self.cards)

    @classmethod
    def strategy(cls, rules: Rules, table: Sequence[Sequence[int]]) -> Strategy:
        return {
            f"{card}{history}": (1 - percent / 100, percent / 100)
            for card, row in enumerate(table, 1)
            for history, percent in zip(SITUATIONS, row)
        }

    def game(self) -> str:
        return self.phrase(
            f"Kuhn poker with {self.cards} cards, 1 to {self.cards}. In each hand, both players "
            "pay an ante of 1 chip into the pot and get one card each, which the other player does "
            "not see. The first player checks or bets 1 chip. After a check, the second player "
            "checks too, or bets 1 chip. Whoever faces a bet folds, and the other player takes the "
            "pot, or calls with 1 chip. After two checks or a call, the higher card takes the pot. "
            "A move is 'check', 'bet', 'fold' or 'call'; it looks like 'check'.",
            f"Two players play poker with a deck of {self.cards} cards, numbered 1 to "
            f"{self.cards}, of which the higher one wins. A hand begins with 1 chip of each player "
            "in the pot and one hidden card for each. There is at most one bet in a hand, of 1 "
            "chip. Without a bet so far, the player to move writes 'check' or 'bet'; if the second "
            "player checks after the first has checked, the cards are compared. After a bet, the "
            "other player writes 'fold', which leaves the pot to the one who bet, or 'call', which "
            "adds 1 chip, and the cards are compared. For example, a move is 'check'.",
        )

    def table_text(self) -> str:
        rows = (f"{card} | {' | '.join(map(str, row))}" for card, row in enumerate(self.table, 1))
        top = (
            "card | bets as first player | bets after your check | calls after your bet | "
            "calls after its own check and your bet"
        )
        return "\n".join([top, *rows])

    def thumbs(self) -> Mapping[str, Chooser]:
        def from_card(least: float) -> Chooser:
            """Bet and call with cards in the upper part of the deck."""
            return lambda view, legal, rng: legal[int(view.rstrip("cb")) > least * self.cards]

        return {
            "upper half": from_card(0.5),
            "upper third": from_card(0.67),
            "all but the lowest": from_card(1 / self.cards),
        }
