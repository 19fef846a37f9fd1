"""Kuhn poker, the game by which Harold Kuhn showed that bluffing is rational (1950).

It has three cards in his paper, and more at higher levels. The built-in opponent does not play an
equilibrium, but a mixed strategy that the prompt states.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from palaestra.generators.decisions import best_move
from palaestra.generators.matches.hands_match import Chooser, HandsMatch
from palaestra.generators.matches.hidden_information import Strategy, best_response, game_tree
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

Table = tuple[tuple[int, ...], ...]
"""For each card, a percentage for each situation."""

STEP = 5
"""Probabilities are multiples of this many percent."""


class KuhnPoker(HandsMatch):
    """Play hands of Kuhn poker for the best expectation against a known mixed strategy."""

    class Knobs(HandsMatch.Knobs):
        hands: int = ladder(2, 4, 6, 8, 12, 16, low=1, high=20)
        most_gap: float = ladder(2.0, 0.8, 0.4, 0.2, 0.1, 0.1, low=0.01)  # of a hand's closest move
        cards: int = ladder(3, 4, 4, 5, 6, 8, low=3, high=12)
        tables: int = ladder(
            1, 2, 3, 4, 6, 8, low=1, high=12
        )  # from which the opponent's is chosen

    cards: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        tables = [cls._table(rng, knobs.cards) for _ in range(knobs.tables)]
        table = max(tables, key=lambda table: cls._surprises(knobs.cards, table))
        return {"cards": knobs.cards, "table": table}

    @staticmethod
    def _table(rng: Random, cards: int) -> Table:
        """A random table. Calls are more frequent than folds, or to bet would be right with nearly
        every card.
        """
        draws = (1, 1, 2, 2)  # the greatest of so many random probabilities, in each situation
        return tuple(
            tuple(STEP * max(rng.randint(1, 100 // STEP - 1) for _ in range(n)) for n in draws)
            for _ in range(cards)
        )

    @classmethod
    def _surprises(cls, cards: int, table: Table) -> int:
        """In how many situations a player errs who bets and calls from some card on, whichever card
        that is.
        """
        rules = Rules(cards)
        tree, strategy = game_tree(rules), cls.strategy(rules, table)
        best = [
            (int(view.rstrip("cb")), best_move(expectations) in {"bet", "call"})
            for player in (0, 1)
            for view, expectations in best_response(tree, strategy, player).expectations.items()
        ]
        return min(sum((card > least) != active for card, active in best) for least in range(cards))

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

        def always(*names: str) -> Chooser:
            """The same moves with every card."""
            return lambda view, legal, rng: next(name for name in legal if name in names)

        return {
            "bet and call": always("bet", "call"),
            "bet and fold": always("bet", "fold"),
            "check and call": always("check", "call"),
            "check and fold": always("check", "fold"),
            "upper half": from_card(0.5),
            "upper third": from_card(0.67),
            "all but the lowest": from_card(1 / self.cards),
        }
