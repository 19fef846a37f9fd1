"""Balls drawn from an urn and not put back: claims about them, and their exact chances."""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.counting.bounds import Bound, Relation, bound

Statistic = Literal["count", "place", "kinds", "same"]

Drawn = tuple[int, ...]
"""How many balls of each colour were drawn."""

COLOURS = ("red", "blue", "green", "white", "black")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


class Claim(NamedTuple):
    """Something about the balls drawn: how many are of a colour (``count``), which colour one of
    them has (``place``), how many colours there are among them, or how often two that follow each
    other have one colour.
    """

    statistic: Statistic
    colour: int
    place: int
    bound: Bound

    def as_text(self) -> str:
        """The claim in words."""
        number, relation = self.bound.number, self.bound.relation
        colour = COLOURS[self.colour]
        if self.statistic == "place":
            return f"the {ORDINALS[self.place]} ball drawn is {colour}"
        if self.statistic == "count":
            verb = "is" if number == 1 else "are"
            return f"{relation} {number} of the balls drawn {verb} {colour}"
        if self.statistic == "kinds":
            return f"{relation} {number} different colours are among the balls drawn"
        return (
            f"{relation} {number} of the balls drawn {'has' if number == 1 else 'have'} the same "
            "colour as the ball drawn just before"
        )


def drawn_claim(rng: Random, statistic: Statistic, colours: int, draws: int) -> Claim:
    """A random claim of a kind."""
    if statistic == "count":
        return Claim(statistic, rng.randrange(colours), 0, bound(rng, draws))
    if statistic == "place":
        return Claim(statistic, rng.randrange(colours), rng.randrange(draws), Bound("exactly", 1))
    most = min(colours, draws)
    if statistic == "kinds":
        # From 2 up, so that the words are right.
        number = rng.randint(2, most)
        relation: Relation = (
            "exactly" if number == most else rng.choice(("exactly", "at least", "at most"))
        )
        return Claim(statistic, 0, 0, Bound("exactly" if most == 2 else relation, number))
    return Claim(statistic, 0, 0, bound(rng, draws - 1))


def holds(claim: Claim, row: tuple[int, ...]) -> bool:
    """Whether a claim is true of balls in the order in which they came."""
    count = {
        "count": row.count(claim.colour),
        "place": int(row[claim.place] == claim.colour),
        "kinds": len(set(row)),
        "same": sum(a == b for a, b in pairwise(row)),
    }[claim.statistic]
    return claim.bound.holds(count)


@lru_cache(maxsize=256)
def chances(
    balls: Drawn, draws: int, claims: tuple[Claim, ...], asked: int
) -> tuple[Fraction, Fraction]:
    """The probability of the first claims where the others hold, and wherever they do not, too.

    A state is what was drawn of each colour, the last colour, how often two in a row had one, and
    which claims about places are true so far. If the other claims never hold, both are 0.
    """
    same = any(claim.statistic == "same" for claim in claims)
    places = [(claim.place, claim.colour) for claim in claims if claim.statistic == "place"]
    states = Counter({((0,) * len(balls), -1, 0, 0): 1})
    for n in range(draws):
        after: Counter[tuple[Drawn, int, int, int]] = Counter()
        for (drawn, last, pairs, true), ways in states.items():
            for colour, number in enumerate(balls):
                if left := number - drawn[colour]:
                    more = (*drawn[:colour], drawn[colour] + 1, *drawn[colour + 1 :])
                    hits = sum(1 << k for k, at in enumerate(places) if at == (n, colour))
                    again = pairs + (same and last == colour)
                    after[more, colour if same else -1, again, true | hits] += ways * left
        states = after
    known = overall = both = 0
    for (drawn, _, pairs, true), ways in states.items():
        truths = _truths(claims, drawn, pairs, true)
        known += ways * all(truths[asked:])
        overall += ways * all(truths[:asked])
        both += ways * all(truths)
    whole = sum(states.values())
    return (Fraction(both, known), Fraction(overall, whole)) if known else (Fraction(0),) * 2


def _truths(claims: tuple[Claim, ...], drawn: Drawn, pairs: int, true: int) -> list[bool]:
    truths = []
    for claim in claims:
        if claim.statistic == "place":
            truths.append(bool(true & 1))
            true >>= 1
            continue
        counts = {"count": drawn[claim.colour], "kinds": sum(map(bool, drawn)), "same": pairs}
        truths.append(claim.bound.holds(counts[claim.statistic]))
    return truths
