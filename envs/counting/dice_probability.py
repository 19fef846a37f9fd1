"""Chances at dice: Cardano, "Liber de ludo aleae" (c. 1564); Pascal and Fermat (1654)."""

from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod, sqrt
from random import Random
from typing import Literal, Self

from palaestra.generators.counting.dice_probability import (
    Claim,
    Statistic,
    claim,
    counted,
    english,
    holds,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.counting.probabilities import judged
from palaestra.verifiers.reading.values import joined, rational

STATISTICS: dict[str, tuple[Statistic, ...]] = {
    "sums": ("sum",),
    "extremes": ("sum", "highest", "lowest", "count"),
    "all": ("sum", "highest", "lowest", "count", "best", "multiple", "rising", "distinct"),
}


class DiceProbability(Puzzle):
    """Find the exact probability of an event for several dice, also under a condition."""

    tags = {"probability", "fractions", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        dice: int = ladder(2, 2, 3, 3, 4, 4, 5)
        sides: int = ladder(12, 14, 14, 12, 10, 10, 12, low=6)
        claims: int = ladder(1, 1, 1, 2, 2, 3, 3)
        about: Literal["sums", "extremes", "all"] = ladder("sums", "extremes", "all")

    dice: tuple[int, ...]
    """How many sides each die has, in the order of the dice."""

    event: tuple[Claim, ...]
    known: tuple[Claim, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        dice = tuple(rng.randint(4, knobs.sides) for _ in range(knobs.dice))
        about = STATISTICS[knobs.about]
        claims = [claim(rng, dice, about) for _ in range(min(knobs.claims, len(about)))]
        cut = (len(claims) + 1) // 2  # of three claims, two are asked for together
        return cls(dice=dice, event=tuple(claims[:cut]), known=tuple(claims[cut:]))

    def is_valid(self) -> bool:
        claims = (*self.event, *self.known)
        if len({each.statistic for each in claims}) < len(claims):
            return False
        if not (distribution := self.chances()):
            return False
        under, overall = distribution
        # What is known should make a difference, and small denominators are soon guessed.
        different = not self.known or under != overall
        return different and under.denominator >= (16 if self.known else 24)

    def chances(self) -> tuple[Fraction, Fraction] | None:
        """The probability of the event under what is known, and without; if that can be at all."""
        return chances(self.dice, (*self.event, *self.known), len(self.event))

    def probability(self) -> Fraction:
        """What is asked for."""
        distribution = self.chances()
        assert distribution is not None, "in a fair task, what is known can be"
        return distribution[0]

    def canonical(self) -> str:
        ordered = any(each.statistic == "rising" for each in (*self.event, *self.known))
        dice = self.dice if ordered else sorted(self.dice)
        return f"{dice} {sorted(self.event)} {sorted(self.known)}"

    def prompt(self) -> str:
        roll = self.phrase(
            f"{len(self.dice)} fair dice are rolled, with {joined(self.dice)} sides in this order.",
            f"Someone rolls {len(self.dice)} fair dice one after another, which have "
            f"{joined(self.dice)} sides.",
        )
        known = " and that ".join(map(english, self.known))
        given = f" It is known that {known}." if known else ""
        under = "Under this condition, what" if known else "What"
        event = " and that ".join(map(english, self.event))
        return (
            f"{roll} The sides of a die with n sides are numbered from 1 to n and equally likely, "
            f"and the dice do not influence one another.\n\n{given.lstrip()}{' ' if given else ''}"
            f"{under} is the probability that {event}?\n\nGive the exact probability as a fraction "
            "such as '5/13', in any equal form; a decimal counts only if it is exact."
        )

    def answer(self) -> str:
        return str(self.probability())

    def verify(self, answer: str) -> Score:
        return judged(answer, self.probability())

    def audit(self, answer: str) -> bool | None:
        """All rolls, one by one."""
        if prod(self.dice) > 300_000:
            return None
        rolls = product(*(range(1, sides + 1) for sides in self.dice))
        meant = [roll for roll in rolls if all(holds(each, roll) for each in self.known)]
        fulfilled = sum(all(holds(each, roll) for each in self.event) for roll in meant)
        return rational(answer) == Fraction(fulfilled, len(meant))

    def difficulty(self) -> float:
        """Rolls, and claims to be checked on them."""
        return sqrt(prod(self.dice)) * (len(self.event) + len(self.known))


@lru_cache(maxsize=256)
def chances(
    dice: tuple[int, ...], claims: tuple[Claim, ...], asked: int
) -> tuple[Fraction, Fraction] | None:
    """The probability of the first claims where the others hold, and wherever they do not, too."""
    ways = counted(dice, claims)
    known = sum(number for truths, number in ways.items() if all(truths[asked:]))
    overall = sum(number for truths, number in ways.items() if all(truths[:asked]))
    if not known:
        return None
    return Fraction(ways[(True,) * len(claims)], known), Fraction(overall, prod(dice))
