"""Flips of coins: Jacob Bernoulli, "Ars conjectandi" (1713); runs of them: de Moivre (1738)."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Literal, Self

from palaestra.generators.counting.coin_flips import Claim, Statistic, chances, fitting_bound, seen
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.counting.probabilities import judged
from palaestra.verifiers.reading.values import joined, rational


class CoinFlips(Puzzle):
    """Find the exact probability of counts and runs in the flips of coins that may be biased."""

    tags = {"probability", "fractions", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        flips: int = ladder(4, 5, 5, 6, 7, 8, 9, low=4, high=11)
        coins: int = ladder(1, 1, 1, 2, 2, 3, 3)
        claims: int = ladder(1, 1, 1, 1, 2, 2, 3)
        about: Literal["heads", "runs", "all"] = ladder("heads", "heads", "runs", "runs", "all")

    coins: tuple[tuple[int, int], ...]
    """The probability of heads of each coin as a fraction; they are flipped in turn."""

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
            Claim(statistic, fitting_bound(rng, statistic, flips))
            for statistic in rng.sample(pool, min(knobs.claims, len(pool)))
        ]
        cut = (len(claims) + 1) // 2
        return cls(
            coins=tuple(coins),
            flips=flips,
            event=tuple(claims[:cut]),
            known=tuple(claims[cut:]),
        )

    def is_valid(self) -> bool:
        under, overall = chances(
            self.coins, self.flips, (*self.event, *self.known), len(self.event)
        )
        return (not self.known or under != overall) and under.denominator > 24

    def canonical(self) -> str:
        return f"{self.coins} {self.flips} {sorted(self.event)} {sorted(self.known)}"

    def prompt(self) -> str:
        known = " and that ".join(claim.as_text(self.flips) for claim in self.known)
        given = f"It is known that {known}. Under this condition, what" if known else "What"
        event = " and that ".join(claim.as_text(self.flips) for claim in self.event)
        return (
            f"{self.flipping()} The flips do not influence one another.\n\n{given} is the "
            f"probability that {event}?\n\nGive the exact probability as a fraction such as "
            "'5/13', in any equal form; a decimal counts only if it is exact."
        )

    def flipping(self) -> str:
        """Which coins are flipped, and in which order."""
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

    def probability(self) -> Fraction:
        """What is asked for."""
        return chances(self.coins, self.flips, (*self.event, *self.known), len(self.event))[0]

    def answer(self) -> str:
        return str(self.probability())

    def verify(self, answer: str) -> Score:
        return judged(answer, self.probability())

    def audit(self, answer: str) -> bool:
        """All rows of flips, one by one."""
        shares = [Fraction(*self.coins[n % len(self.coins)]) for n in range(self.flips)]
        meant = fulfilled = Fraction(0)
        for row in product((0, 1), repeat=self.flips):
            weight = prod((p if flip else 1 - p for p, flip in zip(shares, row)), start=Fraction(1))
            if all(claim.bound.holds(seen(row, claim)) for claim in self.known):
                meant += weight
                if all(claim.bound.holds(seen(row, claim)) for claim in self.event):
                    fulfilled += weight
        return rational(answer) == fulfilled / meant

    def difficulty(self) -> float:
        return float(2**self.flips * len((*self.event, *self.known)) * (1 + len(self.coins)))

    def shortcuts(self) -> Iterable[str]:
        share = Fraction(*self.coins[0])
        yield from (str(share), str(1 - share), str(share**self.flips))
