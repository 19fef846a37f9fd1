"""Coin flips: Jacob Bernoulli, "Ars conjectandi" (1713); runs of heads: de Moivre (1738)."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Literal, Self

from palaestra.generators.counting.coin_flips import (
    Claim,
    Statistic,
    chances,
    fitting_bound,
    statistic,
)
from palaestra.generators.probability_puzzle import ProbabilityPuzzle
from palaestra.scenes import Card, Cards
from palaestra.task import ladder
from palaestra.verifiers.reading.probabilities import probability
from palaestra.verifiers.reading.values import joined


class CoinFlips(ProbabilityPuzzle):
    """Find the exact probability of counts and runs in flips of coins that may be biased."""

    version = 2
    tags = {"probability", "fractions", "unique-solution"}
    calculation = True
    answer_type = "probability"

    class Knobs(ProbabilityPuzzle.Knobs):
        flips: int = ladder(4, 5, 6, 6, 7, 8, 9, low=4, high=11)
        coins: int = ladder(1, 1, 1, 2, 2, 3, 3)
        claims: int = ladder(1, 1, 1, 1, 2, 2, 3)
        about: Literal["heads", "runs", "all"] = ladder("heads", "heads", "runs", "runs", "all")

    coins: tuple[tuple[int, int], ...]
    """The probability of heads of each coin, as numerator and denominator; they take turns."""

    flips: int
    event: tuple[Claim, ...]
    known: tuple[Claim, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        coins = []
        for _ in range(knobs.coins):
            below = rng.randint(3, 12)
            share = Fraction(rng.randint(1, below - 1), below)
            coins.append(share.as_integer_ratio())
        about: dict[str, tuple[Statistic, ...]] = {
            "heads": ("heads",),
            "runs": ("heads", "run", "changes"),
            "all": ("heads", "run", "changes", "early"),
        }
        pool = about[knobs.about]
        flips = knobs.flips + rng.randint(0, 1)
        claims = [
            Claim(name, fitting_bound(rng, name, flips))
            for name in rng.sample(pool, min(knobs.claims, len(pool)))
        ]
        cut = (len(claims) + 1) // 2
        return cls(
            coins=tuple(coins),
            flips=flips,
            event=tuple(claims[:cut]),
            known=tuple(claims[cut:]),
        )

    def is_valid(self) -> bool:
        conditional, overall = self._chances()
        return (not self.known or conditional != overall) and conditional.denominator > 24

    def _chances(self) -> tuple[Fraction, Fraction]:
        return chances(self.coins, self.flips, (*self.event, *self.known), len(self.event))

    def canonical(self) -> str:
        return f"{self.coins} {self.flips} {sorted(self.event)} {sorted(self.known)}"

    def experiment(self) -> str:
        return f"{self._flipping()} The flips do not influence one another."

    def claims(self) -> tuple[list[str], list[str]]:
        event, known = (
            [claim.as_text(self.flips) for claim in claims] for claims in (self.event, self.known)
        )
        return event, known

    def _flipping(self) -> str:
        """The coins and the order in which they are flipped."""
        if len(self.coins) == 1:
            above, below = self.coins[0]
            flipped = self.phrase("It is flipped", "Someone flips it")
            return (
                f"A coin shows heads with probability {above}/{below}, and tails otherwise. "
                f"{flipped} {self.flips} times."
            )
        names = "ABC"[: len(self.coins)]
        shares = joined([f"{n} with probability {a}/{b}" for n, (a, b) in zip(names, self.coins)])
        flipped = self.phrase("They are flipped", "Someone flips them")
        return (
            "Each of several coins shows heads with its own probability, and tails otherwise: "
            f"{shares}. {flipped} {self.flips} times in all, one after another in the order "
            f"{' '.join((names * self.flips)[: self.flips])}."
        )

    def scene(self) -> Cards:
        """The coins with the probabilities of heads, and the coin of each flip in order."""
        names = [(name, n) for n, name in enumerate("ABC"[: len(self.coins)])]
        coins = [Card(name, fill=f"t{n}", shape="coin") for name, n in names]
        labels = [f"heads: {above}/{below}" for above, below in self.coins]
        flips = tuple(coins[n % len(coins)] for n in range(self.flips))
        return Cards((*((coin,) for coin in coins), flips), (*labels, f"{self.flips} flips"))

    def probability(self) -> Fraction:
        return self._chances()[0]

    def audit(self, answer: str) -> bool:
        """Add up the probabilities of all rows of flips, one by one."""
        shares = [Fraction(*self.coins[n % len(self.coins)]) for n in range(self.flips)]
        condition = event = Fraction(0)
        for row in product((0, 1), repeat=self.flips):
            weight = prod((p if flip else 1 - p for p, flip in zip(shares, row)), start=Fraction(1))
            if all(claim.bound.holds(statistic(row, claim)) for claim in self.known):
                condition += weight
                if all(claim.bound.holds(statistic(row, claim)) for claim in self.event):
                    event += weight
        return probability(answer) == event / condition

    def difficulty(self) -> float:
        return float(2**self.flips * len((*self.event, *self.known)) * (1 + len(self.coins)))

    def shortcuts(self) -> Iterable[str]:
        share = Fraction(*self.coins[0])
        yield from (str(share), str(1 - share), str(share**self.flips))
