"""Deals between people who own things: purchases, losses, gifts and exchanges."""

from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple

Kind = Literal["buys", "loses", "gives", "half", "doubles", "trade", "match", "all"]

WORDS: dict[str, tuple[str, ...]] = {
    "buys": ("{P} buys {a} {x}.", "{P} is given {a} {x} by a stranger."),
    "loses": ("{P} loses {a} {x}.", "{a} of {P}'s {x} are stolen."),
    "gives": ("{P} gives {a} {x} to {Q}.", "{Q} gets {a} {x} from {P}."),
    "half": (
        "{P} gives half of the {x} to {Q} (of an odd number, the smaller part).",
        "{Q} gets half of {P}'s {x}, rounded down.",
    ),
    "doubles": ("The number of {P}'s {x} doubles.", "{P} buys as many {x} as {P} has already."),
    "trade": (
        "{P} and {Q} exchange all their {x} with each other.",
        "{P} gives {Q} all {x}, in return for all {x} that {Q} had.",
    ),
    "match": (
        "{P} buys as many {x} as {Q} has {y} now.",
        "For each of the {y} that {Q} has now, {P} buys one of the {x}.",
    ),
    "all": ("{P} gives all {x} to {Q}.", "{Q} takes over all of {P}'s {x}."),
}
"""The wordings of each deal between P and Q, with ``a`` of the things x or y."""

KINDS: dict[str, tuple[Kind, ...]] = {
    "plain": ("buys", "loses", "gives"),
    "parts": ("buys", "loses", "gives", "gives", "half", "trade"),
    "all": ("buys", "loses", "gives", "half", "doubles", "trade", "match", "all"),
}


class Deal(NamedTuple):
    """A deal: the people, the things and the number; 0 in fields that its action does not use."""

    action: Kind
    one: int
    other: int
    thing: int
    second: int
    """The things to count, for "match"."""
    number: int


Stock = list[list[int]]
"""The number of each thing that each person has."""


def carry_out(stock: Stock, deal: Deal) -> None:
    """Change a stock by a deal."""
    action, one, other, thing, second, number = deal
    mine, theirs = stock[one], stock[other]
    if action in {"gives", "half", "all"}:
        number = {"gives": number, "half": mine[thing] // 2, "all": mine[thing]}[action]
        theirs[thing] += number
        mine[thing] -= number
    elif action == "trade":
        mine[thing], theirs[thing] = theirs[thing], mine[thing]
    elif action == "loses":
        mine[thing] -= number
    else:
        mine[thing] += {"buys": number, "doubles": mine[thing], "match": theirs[second]}[action]


def as_text(deal: Deal, names: Sequence[str], things: Sequence[str], style: int) -> str:
    """A deal in words, in one of two styles.

    >>> as_text(Deal("gives", 0, 1, 0, 0, 3), ["Ada", "Bo"], ["pens"], 1)
    'Bo gets 3 pens from Ada.'
    """
    texts = WORDS[deal.action]
    return texts[style % len(texts)].format(
        P=names[deal.one],
        Q=names[deal.other],
        a=deal.number,
        x=things[deal.thing],
        y=things[deal.second],
    )


def random_deal(rng: Random, kinds: Sequence[Kind], stock: Stock) -> Deal | None:
    """A random deal; ``None`` if it is impossible or changes nothing."""
    action = rng.choice(kinds)
    one, other = rng.sample(range(len(stock)), 2)
    thing, second = rng.sample(range(len(stock[0])), 2)
    have = stock[one][thing]
    if action == "match":
        fits = 0 < stock[other][second] <= 60
    elif action == "trade":
        fits = have != stock[other][thing]
    else:
        fits = action == "buys" or 2 <= have <= (50 if action == "doubles" else 1000)
    if not fits:
        return None
    if action == "trade":
        one, other = sorted((one, other))
    most = min(have, 20) if action in {"loses", "gives"} else 20
    number = rng.randint(2, most)
    # Unused fields are 0, so that equal deals compare equal.
    return Deal(
        action,
        one,
        other if action not in {"buys", "loses", "doubles"} else 0,
        thing,
        second if action == "match" else 0,
        number if action in {"buys", "loses", "gives"} else 0,
    )
