"""Games of turning coins, invented by Hendrik Lenstra, as in *Winning Ways* (1982), chapter 14."""

from random import Random
from typing import Any

from palaestra.generators.matches.coin_turning import CoinTurning as CoinTurningRules
from palaestra.generators.matches.coin_turning import Game, State
from palaestra.generators.matches.impartial import ImpartialMatch
from palaestra.task import ladder

TURNED: dict[Game, tuple[str, str]] = {
    "turtles": (
        "turns one or two coins",
        "turns over a coin, and may turn over another one as well",
    ),
    "twins": ("turns exactly two coins", "turns over two different coins, no more and no fewer"),
    "ruler": (
        "turns one or more coins that are next to one another, without a gap",
        "turns over any number of neighbouring coins (a single one, or several without a gap)",
    ),
    "mock turtles": (
        "turns one, two or three coins",
        "turns over a coin, and may turn over one or two others as well",
    ),
    "triplets": (
        "turns exactly three coins",
        "turns over three different coins, no more and no fewer",
    ),
}
"""What a move turns, in two wordings."""


class CoinTurning(ImpartialMatch):
    """Make the last move in a game of turning coins against a perfect opponent."""

    class Knobs(ImpartialMatch.Knobs):
        size: int = ladder(8, 9, 11, 18, 13, 15, low=4, high=20)  # coins
        game: Game = ladder("turtles", "ruler", "twins", "twins", "mock turtles", "mock turtles")
        least_moves: int = ladder(2, 2, 3, 3, 4, 4, low=1, high=8)
        most_chance: float = ladder(0.1, 0.05, 0.02, 0.005, 1e-3, 1e-4, low=1e-12)

    size: int
    game: Game

    @classmethod
    def rules_of(cls, knobs: Any) -> CoinTurningRules:
        return CoinTurningRules(knobs.size, knobs.game)

    def rules(self) -> CoinTurningRules:
        return CoinTurningRules(self.size, self.game)

    @classmethod
    def opening(cls, rng: Random, rules: CoinTurningRules, knobs: Any) -> State:
        return State(rng.getrandbits(rules.size), rng.randrange(2))

    def description(self) -> str:
        first, second = TURNED[self.game]
        return self.phrase(
            f"A row of {self.size} coins, numbered from left to right, some with heads (H) and the "
            f"others with tails (T). The players X and O take turns, and each turn {first}, from "
            "heads to tails or from tails to heads. Of the coins that a player turns, the "
            "rightmost one has to show heads before the turn, and so shows tails after it; the "
            "others may show either. Whoever cannot move loses. A move is written as the numbers "
            "of the coins that are turned, such as '1, 2'.",
            f"X and O alternate at a row of {self.size} coins, which show heads (H) or tails (T). "
            f"Who is to move {second}. The coin with the highest number among those that are "
            "turned must have been heads; each of the others changes from heads to tails or back. "
            "The player who makes the last move wins, as the other one has no move left. Coins "
            "are numbered from 1 at the left. Reply with the numbers of the coins that you turn, "
            "for example '1, 2'.",
        )
