"""Chopsticks, a hand game of unknown origin, with any number of hands as studied by Antoine Dailly,
Valentin Gledel, Richard Nowakowski and Carlos Pereira dos Santos (2024).
"""

import json
from functools import lru_cache
from itertools import combinations_with_replacement
from random import Random
from typing import Any

from palaestra.generators.matches.chopsticks import Chopsticks as ChopsticksRules
from palaestra.generators.matches.chopsticks import Hands, State
from palaestra.generators.matches.limited_wins import LimitedMatch
from palaestra.task import ladder

TRIES = 60
"""How many pairs of hands are looked at for a win of the right length."""


class Chopsticks(LimitedMatch):
    """Put all hands of a perfect opponent out of play within a number of moves."""

    candidates = 4

    class Knobs(LimitedMatch.Knobs):
        hands: int = ladder(3, 4, 6, 11, 11, 11, low=2, high=12)  # of the player, at most
        modulus: int = ladder(5, low=4, high=6)
        least_moves: int = ladder(2, 4, 5, 6, 7, 8, low=1, high=9)  # all that are allowed
        most_chance: float = ladder(0.3, 0.05, 0.01, 4e-3, 4e-4, 5e-5, low=1e-7)

    modulus: int

    @classmethod
    def rules_of(cls, knobs: Any) -> ChopsticksRules:
        return ChopsticksRules(knobs.hands, knobs.modulus)

    def rules(self) -> ChopsticksRules:
        first, second, *_ = ChopsticksRules(1, self.modulus).decode(self.position)
        return ChopsticksRules(max(len(first), len(second)), self.modulus)

    @classmethod
    def opening(cls, rng: Random, rules: ChopsticksRules, knobs: Any) -> State | None:
        """Hands with which the player to move wins in time, but in no shorter time; if there are
        none, those that take the most moves.
        """
        slowest, won = 0, None
        for _ in range(TRIES):
            mine = rng.choice(_hands(knobs.hands, knobs.modulus))
            # Each move puts out one hand at most.
            theirs = rng.choice(_hands(max(1, knobs.least_moves - 1), knobs.modulus))
            moves = rules.shortest(mine, theirs, knobs.least_moves) or 0
            if moves > slowest:
                slowest, won = moves, (mine, theirs)
            if moves == knobs.least_moves:
                break
        if won is None:
            return None
        turn = rng.randrange(2)
        first, second = won[:: -1 if turn else 1]
        return State(first, second, turn, 2 * slowest - 1, turn)

    def canonical(self) -> str:
        """Whatever the names of the players are."""
        start = self.start()
        hands = start[:2][:: -1 if start.turn else 1]
        return json.dumps([self.modulus, *hands, start.left])

    def description(self) -> str:
        start = self.start()
        hunter, other = self.rules().signs[:: -1 if start.hunter else 1]
        modulus, moves = self.modulus, (start.left + 1) // 2
        return self.phrase(
            "Chopsticks, a game with the fingers of hands. Each of the players A and B has several "
            f"hands in play, and each hand shows from 1 to {modulus - 1} fingers. The players take "
            "turns. In each turn, a player taps one hand of the other player with one of their own "
            "hands: the number of fingers of the own hand, which does not change, is added to that "
            f"of the tapped hand. If the sum is greater than {modulus}, {modulus} is subtracted "
            f"from it; if it is exactly {modulus}, the tapped hand is out of play for good. "
            "Fingers cannot be moved between hands in any other way, and passing is not allowed. "
            f"A player without hands loses. {hunter} has to win within {moves} moves of its own: "
            f"if it has not, {other} wins. Hands with equal numbers of fingers are alike. A move "
            "is the number of fingers of the own hand and that of the tapped hand, such as "
            "'2 taps 3'.",
            f"In this game of Chopsticks, A and B have a number of hands each. Counted modulo "
            f"{modulus}, a hand shows 1, 2, ... or {modulus - 1} fingers. A move consists of "
            "choosing one of your own hands and one of your opponent's hands. The hand of the "
            "opponent then shows the sum of both numbers of fingers, less "
            f"{modulus} if the sum is above {modulus}; if the sum equals {modulus}, the hand "
            "leaves the game and never returns. Your own hand stays as it is. There are no other "
            "moves: no transfers between one's own hands, and no passing. Whoever has lost every "
            f"hand has lost the game. The number of moves is limited: {hunter} must put out all "
            f"hands of {other} with at most {moves} own moves, and otherwise {other} is the "
            "winner. Write the fingers of the own hand first and those of the other hand second, "
            "for example '2 taps 3'.",
        )


@lru_cache(maxsize=64)
def _hands(most: int, modulus: int) -> tuple[Hands, ...]:
    """All combinations of fingers on at most so many hands, and half as many at least."""
    fingers = range(1, modulus)
    numbers = range((most + 1) // 2, most + 1)
    return tuple(
        hands for number in numbers for hands in combinations_with_replacement(fingers, number)
    )
