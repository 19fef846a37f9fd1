"""Drawing from an urn without replacement: Huygens (1657), Bernoulli, "Ars conjectandi" (1713)."""

from fractions import Fraction
from itertools import permutations
from math import perm, prod
from random import Random
from typing import Literal, Self

from palaestra.generators.counting.urn_probability import (
    COLOURS,
    Claim,
    Counts,
    Statistic,
    chances,
    holds,
    random_claim,
)
from palaestra.generators.probability_puzzle import ProbabilityPuzzle
from palaestra.generators.tiles import COLOURS as TONES
from palaestra.generators.tiles import level
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder
from palaestra.verifiers.reading.probabilities import probability
from palaestra.verifiers.reading.values import joined

LETTERS = {"red": "R", "blue": "B", "green": "G", "white": "W", "black": "K"}
"""What stands on the balls in pictures."""


class UrnProbability(ProbabilityPuzzle):
    """Find the exact probability of an event for balls drawn from an urn without replacement."""

    version = 3
    tags = {"probability", "fractions", "unique-solution"}
    calculation = True
    answer_type = "probability"

    class Knobs(ProbabilityPuzzle.Knobs):
        colours: int = ladder(2, 2, 3, 3, 3, 4, 4, high=5)
        balls: int = ladder(16, 12, 9, 9, 9, 9, 12, low=8, high=20)  # of one colour at most
        draws: int = ladder(2, 3, 3, 4, 5, 5, 6, low=2, high=7)
        claims: int = ladder(1, 1, 1, 2, 2, 3, 3)
        about: Literal["count", "places", "all"] = ladder(
            "count", "count", "count", "places", "all"
        )

    balls: Counts
    draws: int
    event: tuple[Claim, ...]
    known: tuple[Claim, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        balls = tuple(rng.randint(2, knobs.balls) for _ in range(knobs.colours))
        pools: dict[str, tuple[Statistic, ...]] = {
            "count": ("count",),
            "places": ("count", "place"),
            "all": ("count", "count", "place", "place", "kinds", "same"),
        }
        draws = min(knobs.draws, sum(balls) - 1)
        # The counts of the other colours determine that of the last one.
        number = min(knobs.claims, knobs.colours - 1) if knobs.about == "count" else knobs.claims
        claims = [
            random_claim(rng, rng.choice(pools[knobs.about]), knobs.colours, draws)
            for _ in range(number)
        ]
        cut = (len(claims) + 1) // 2
        event, known = tuple(claims[:cut]), tuple(claims[cut:])
        return cls(balls=balls, draws=draws, event=event, known=known)

    def is_valid(self) -> bool:
        claims = (*self.event, *self.known)
        if len({each[:3] for each in claims}) < len(claims):
            return False
        conditional, overall = chances(self.balls, self.draws, claims, len(self.event))
        return (not self.known or conditional != overall) and conditional.denominator > 20

    def canonical(self) -> str:
        return f"{self.balls} {self.draws} {sorted(self.event)} {sorted(self.known)}"

    def experiment(self) -> str:
        urn = joined([f"{number} {colour}" for number, colour in zip(self.balls, COLOURS)])
        draw = self.phrase(
            f"An urn holds {urn} balls. {self.draws} balls are drawn from it at random, one after "
            "another, and none is put back.",
            f"In an urn there are {urn} balls. Someone draws {self.draws} of them at random, one "
            "after another, without putting any back.",
        )
        return f"{draw} Each ball left in the urn is equally likely to be the next."

    def scene(self) -> Grid:
        """The balls of each colour in rows of up to 10, after their number."""
        rows, left = list[list[Cell]](), list[tuple[str, str]]()
        for number, colour in zip(self.balls, COLOURS):
            ball = Cell(LETTERS[colour], mark="disc", tone=TONES[colour])
            rows += [[ball] * min(10, number - n) for n in range(0, number, 10)]
            left += [("", "") if n else (colour, str(number)) for n in range(0, number, 10)]
        return Grid(level(rows), left=tuple(left), style="plain")

    def claims(self) -> tuple[list[str], list[str]]:
        event, known = (
            [claim.as_text() for claim in claims] for claims in (self.event, self.known)
        )
        return event, known

    def probability(self) -> Fraction:
        claims = (*self.event, *self.known)
        return chances(self.balls, self.draws, claims, len(self.event))[0]

    def audit(self, answer: str) -> bool | None:
        """Count all orders of single balls one by one, unless there are too many."""
        if perm(sum(self.balls), self.draws) > 20_000:
            return None
        urn = [colour for colour, number in enumerate(self.balls) for _ in range(number)]
        rows = [r for r in permutations(urn, self.draws) if all(holds(c, r) for c in self.known)]
        favourable = sum(all(holds(claim, row) for claim in self.event) for row in rows)
        return probability(answer) == Fraction(favourable, len(rows))

    def difficulty(self) -> float:
        claims = len(self.event) + 2 * len(self.known)
        return float(prod(min(n, self.draws) + 1 for n in self.balls) * claims)

    def shortcuts(self) -> list[str]:
        total = sum(self.balls)
        return [str(Fraction(number, total)) for number in self.balls]
