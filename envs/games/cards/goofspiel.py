"""Goofspiel, the game of pure strategy of Merrill Flood (1930s), against a known random opponent.

Sheldon Ross analysed it against an opponent who plays at random (Goofspiel: The Game of Pure
Strategy, 1971): there, the matching card is best, which this opponent plays often.
"""

from random import Random
from typing import Any

from palaestra.generators.games.cards.goofspiel import Goofspiel as Rules
from palaestra.generators.games.cards.goofspiel import State
from palaestra.generators.games.chance import ChanceGame
from palaestra.task import ladder


class Goofspiel(ChanceGame):
    """Bid cards for prizes against a known random strategy, for the best expectation."""

    tags = {"chance", "cards", "expected-value", "planning", "strategy"}
    tolerance = 0.02
    candidates = 6

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(1, 2, 3, 4, 4, 5, low=1, high=6)
        least_decisions: int = ladder(1, 1, 2, 2, 3, 3, low=1, high=6)  # in a trial of each round
        most_gap: float = ladder(20.0, 2.0, 1.0, 0.6, 0.6, 0.4, low=0.05)  # points
        cards: int = ladder(3, 3, 4, 4, 5, 5, low=2, high=6)

    matching: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        return {"matching": 5 * rng.randint(2, 16)}

    def rules(self) -> Rules:
        return Rules(self.matching)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        def hand() -> tuple[int, ...]:
            return tuple(sorted(rng.sample(range(1, 3 * knobs.cards + 1), knobs.cards)))

        prizes = tuple(rng.randint(1, 12) for _ in range(knobs.cards))
        return State(hand(), hand(), prizes, 0, 0)

    def description(self) -> str:
        judging, rest = self.judging(), 100 - self.matching
        return self.phrase(
            "A card game for two players, who bid for prizes. The prizes come in the order that is "
            "listed. For each one, you and the opponent choose a card of your own hands at the "
            "same time, and the higher card wins the prize; with equal cards, nobody gets it. Both "
            "cards are then out of the game. A round ends with the last prize. The opponent plays "
            f"at random: with a probability of {self.matching}% it plays its matching card, and "
            f"with {rest}% any of its cards, each with the same probability (the matching card "
            "among them). To find its matching card, count the prizes left that are lower than the "
            "present one: as many cards of its hand are lower than the matching card."
            f"\n\nYour result is the sum of your prizes minus those of the opponent. "
            f"{judging} A move looks like 'play {self.example()}'.",
            "Win prizes by bids of cards. Both hands and all prizes are open, and the order of the "
            "prizes is known. You and your opponent each put down a card for the current prize "
            "without knowing the other one's choice. Whoever has the higher card takes the prize, "
            "nobody does if they are equal, and the two cards are gone. The choice of the "
            f"opponent: in {self.matching}% of the cases its matching card, in the other {rest}% a "
            "card of its hand at random, all of them equally likely, the matching one included. To "
            "find the matching card, count the prizes left that are lower than the current one; as "
            "many cards of its hand are lower than the matching card. A round has as many prizes "
            "as each player has cards.\n\nWhat counts is your prizes less the opponent's, as sums. "
            f"{judging} Write 'play' and one of your cards, for example "
            f"'play {self.example()}'.",
        )

    def example(self) -> int:
        """The lowest card of the first hand."""
        start, _ = next(self.starts())
        return int(start.mine[0])
