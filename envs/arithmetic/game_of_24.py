"""The card game 24, well known in China; some of the hands have no solution."""

from random import Random
from typing import Literal, Self

from palaestra.generators.arithmetic.target_hands import Hand, TargetHands, sampled_hand
from palaestra.task import Puzzle, ladder
from palaestra.verifiers.reading.values import joined


class GameOf24(TargetHands):
    """Make 24, or another target, with all numbers of each hand, or state that it is impossible."""

    version = 2
    tags = {"calculation", "search", "impossibility"}

    class Knobs(Puzzle.Knobs):
        hands: int = ladder(1, 2, 2, 3, 3, 4, 4, 5, high=8)
        cards: int = ladder(3, 3, 4, 4, 4, 4, 5, 5, high=6)
        highest: int = ladder(20, 10, 10, 10, 13, 20, 30, 50, low=10, high=100)
        target: int = ladder(20, 24, 24, 24, 24, 24, 50, 60, low=10, high=60)
        spread: int = ladder(10, 0, 0, 0, 0, 20, 40, 40)
        signs: Literal["+-*", "+-*/"] = ladder("+-*/")

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        target = knobs.target + rng.randint(0, knobs.spread)

        def draw() -> Hand:
            return tuple(sorted(rng.randint(1, knobs.highest) for _ in range(knobs.cards)))

        hands: list[Hand] = []
        while len(hands) < knobs.hands:
            # At least one hand is solvable, so "impossible" for all of them is never right.
            solvable = not hands or rng.random() < 0.7
            hands.append(sampled_hand(draw, target, knobs.signs, solvable))
        rng.shuffle(hands)
        return cls(hands=tuple(hands), target=target, signs=knobs.signs)

    def prompt(self) -> str:
        hands = "\n".join(f"{n}: {joined(hand)}" for n, hand in enumerate(self.hands, 1))
        ask = self.phrase(
            f"Make {self.target} of each of these hands of numbers, where that is possible:",
            f"For each hand, find an expression with the value {self.target}, or state that there "
            "is none:",
        )
        return f"{ask}\n\n{hands}\n\n{self.rules()}"
