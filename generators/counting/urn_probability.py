"""Claims about balls drawn from an urn without replacement, and their exact probabilities."""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.counting.bounds import Bound, Relation, bound

Statistic = Literal["count", "place", "kinds", "same"]

Counts = tuple[int, ...]
"""The number of balls of each colour."""

COLOURS = ("red", "blue", "green", "white", "black")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


class Claim(NamedTuple):
    """A claim about the balls drawn: the number of one colour (``count``), the colour of one ball
    (``place``), the number of colours (``kinds``), or how many have the colour of the ball before
    (``same``).
    """

    statistic: Statistic
    colour: int
    position: int
    bound: Bound

    def as_text(self) -> str:
        """The claim in words."""
        number, relation = self.bound.number, self.bound.relation
        colour = COLOURS[self.colour]
        if self.statistic == "place":
            return f"the {ORDINALS[self.position]} ball drawn is {colour}"
        if self.statistic == "count":
            verb = "is" if number == 1 else "are"
            return f"{relation} {number} of the balls drawn {verb} {colour}"
        if self.statistic == "kinds":
            return f"{relation} {number} different colours are among the balls drawn"
        return (
            f"{relation} {number} of the balls drawn {'has' if number == 1 else 'have'} the same "
            "colour as the ball drawn just before"
        )


def random_claim(rng: Random, statistic: Statistic, colours: int, draws: int) -> Claim:
    """A random claim about a statistic."""
    if statistic == "count":
        return Claim(statistic, rng.randrange(colours), 0, bound(rng, draws))
    if statistic == "place":
        return Claim(statistic, rng.randrange(colours), rng.randrange(draws), Bound("exactly", 1))
    most = min(colours, draws)
    if statistic == "kinds":
        # At least 2, so that the plural is right.
        number = rng.randint(2, most)
        relation: Relation = (
            "exactly" if number == most else rng.choice(("exactly", "at least", "at most"))
        )
        return Claim(statistic, 0, 0, Bound("exactly" if most == 2 else relation, number))
    return Claim(statistic, 0, 0, bound(rng, draws - 1))


def holds(claim: Claim, row: tuple[int, ...]) -> bool:
    """Whether a claim is true of balls in the order in which they were drawn."""
    count = {
        "count": row.count(claim.colour),
        "place": int(row[claim.position] == claim.colour),
        "kinds": len(set(row)),
        "same": sum(a == b for a, b in pairwise(row)),
    }[claim.statistic]
    return claim.bound.holds(count)


@lru_cache(maxsize=256)
def chances(
    balls: Counts, draws: int, claims: tuple[Claim, ...], event: int
) -> tuple[Fraction, Fraction]:
    """The probability that the first ``event`` claims hold, with and without the others as a
    condition; 0 for both if the condition is impossible.

    A state consists of the balls drawn so far by colour, the last colour, the number of balls with
    the colour of the ball before, and the claims about positions that hold, as a mask.
    """
    same = any(claim.statistic == "same" for claim in claims)
    places = [(claim.position, claim.colour) for claim in claims if claim.statistic == "place"]
    states = Counter({((0,) * len(balls), -1, 0, 0): 1})
    for n in range(draws):
        after: Counter[tuple[Counts, int, int, int]] = Counter()
        for (counts, last, pairs, true), ways in states.items():
            for colour, number in enumerate(balls):
                if left := number - counts[colour]:
                    more = (*counts[:colour], counts[colour] + 1, *counts[colour + 1 :])
                    hits = sum(1 << k for k, at in enumerate(places) if at == (n, colour))
                    again = pairs + (same and last == colour)
                    after[more, colour if same else -1, again, true | hits] += ways * left
        states = after
    known = overall = both = 0
    for (counts, _, pairs, true), ways in states.items():
        truths = _truths(claims, counts, pairs, true)
        known += ways * all(truths[event:])
        overall += ways * all(truths[:event])
        both += ways * all(truths)
    total = sum(states.values())
    return (Fraction(both, known), Fraction(overall, total)) if known else (Fraction(0),) * 2


def _truths(claims: tuple[Claim, ...], counts: Counts, pairs: int, true: int) -> list[bool]:
    truths = []
    for claim in claims:
        if claim.statistic == "place":
            truths.append(bool(true & 1))
            true >>= 1
            continue
        statistics = {"count": counts[claim.colour], "kinds": sum(map(bool, counts)), "same": pairs}
        truths.append(claim.bound.holds(statistics[claim.statistic]))
    return truths
