"""Dice probabilities: Cardano, "Liber de ludo aleae" (c. 1564); Pascal and Fermat (1654)."""

from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod, sqrt
from random import Random
from typing import Literal, Self

from palaestra.generators.counting.dice_probability import (
    Claim,
    Statistic,
    as_text,
    claim,
    counted,
    holds,
)
from palaestra.generators.probability_puzzle import ProbabilityPuzzle
from palaestra.scenes import Card, Cards
from palaestra.task import ladder
from palaestra.verifiers.reading.probabilities import probability
from palaestra.verifiers.reading.values import joined

STATISTICS: dict[str, tuple[Statistic, ...]] = {
    "sums": ("sum",),
    "extremes": ("sum", "highest", "lowest", "count"),
    "all": ("sum", "highest", "lowest", "count", "best", "multiple", "rising", "distinct"),
}


class DiceProbability(ProbabilityPuzzle):
    """Find the exact probability of an event for several dice, also under a condition."""

    version = 2
    tags = {"probability", "fractions", "unique-solution"}
    calculation = True
    answer_type = "probability"

    class Knobs(ProbabilityPuzzle.Knobs):
        dice: int = ladder(2, 2, 3, 3, 4, 4, 5)
        sides: int = ladder(12, 18, 14, 12, 10, 10, 12, low=6)
        claims: int = ladder(1, 1, 1, 2, 2, 3, 3)
        about: Literal["sums", "extremes", "all"] = ladder("sums", "extremes", "all")

    dice: tuple[int, ...]
    """The number of sides of each die."""

    event: tuple[Claim, ...]
    known: tuple[Claim, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        dice = tuple(rng.randint(4, knobs.sides) for _ in range(knobs.dice))
        about = STATISTICS[knobs.about]
        claims = [claim(rng, dice, about) for _ in range(min(knobs.claims, len(about)))]
        cut = (len(claims) + 1) // 2  # of three claims, two make up the event
        return cls(dice=dice, event=tuple(claims[:cut]), known=tuple(claims[cut:]))

    def is_valid(self) -> bool:
        claims = (*self.event, *self.known)
        if len({each.statistic for each in claims}) < len(claims):
            return False
        if not (probabilities := self._chances()):
            return False
        conditional, overall = probabilities
        # The condition must matter, and a probability with a small denominator is easy to guess.
        different = not self.known or conditional != overall
        return different and conditional.denominator >= (16 if self.known else 24)

    def _chances(self) -> tuple[Fraction, Fraction] | None:
        return chances(self.dice, (*self.event, *self.known), len(self.event))

    def probability(self) -> Fraction:
        probabilities = self._chances()
        assert probabilities is not None, "the condition of a valid task is possible"
        return probabilities[0]

    def canonical(self) -> str:
        ordered = any(each.statistic == "rising" for each in (*self.event, *self.known))
        dice = self.dice if ordered else sorted(self.dice)
        return f"{dice} {sorted(self.event)} {sorted(self.known)}"

    def experiment(self) -> str:
        roll = self.phrase(
            f"{len(self.dice)} fair dice are rolled, with {joined(self.dice)} sides in this order.",
            f"Someone rolls {len(self.dice)} fair dice one after another, which have "
            f"{joined(self.dice)} sides.",
        )
        return (
            f"{roll} The sides of a die with n sides are numbered from 1 to n and equally likely, "
            "and the dice do not influence one another."
        )

    def scene(self) -> Cards:
        """The dice in their order, each with its number of sides."""
        return Cards((tuple(Card(f"d{sides}", shape="die") for sides in self.dice),))

    def claims(self) -> tuple[list[str], list[str]]:
        return list(map(as_text, self.event)), list(map(as_text, self.known))

    def audit(self, answer: str) -> bool | None:
        """Count all rolls one by one, unless there are too many."""
        if prod(self.dice) > 300_000:
            return None
        rolls = product(*(range(1, sides + 1) for sides in self.dice))
        possible = [roll for roll in rolls if all(holds(each, roll) for each in self.known)]
        favourable = sum(all(holds(each, roll) for each in self.event) for roll in possible)
        return probability(answer) == Fraction(favourable, len(possible))

    def difficulty(self) -> float:
        """The square root of the number of rolls, times the number of claims."""
        return sqrt(prod(self.dice)) * (len(self.event) + len(self.known))


@lru_cache(maxsize=256)
def chances(
    dice: tuple[int, ...], claims: tuple[Claim, ...], event: int
) -> tuple[Fraction, Fraction] | None:
    """The probability that the first ``event`` claims hold, with and without the others as a
    condition; ``None`` if the condition is impossible.
    """
    ways = counted(dice, claims)
    known = sum(number for truths, number in ways.items() if all(truths[event:]))
    overall = sum(number for truths, number in ways.items() if all(truths[:event]))
    if not known:
        return None
    return Fraction(ways[(True,) * len(claims)], known), Fraction(overall, prod(dice))
