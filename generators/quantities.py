"""Stories of quantities that depend on one another, sentence by sentence.

A story is a row of quantities. Each has an owner and a kind of thing, and is either stated or made
of one or two earlier ones by an operation with small numbers.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple

THINGS = (
    "apples", "pens", "marbles", "stamps", "shells", "books", "coins", "beads", "cards", "stones",
    "nails", "ribbons", "plums", "candles", "buttons", "tiles", "seeds", "postcards",
)  # fmt: skip

TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times", 6: "six times"}
PARTS = {2: "half", 3: "a third", 4: "a quarter", 5: "a fifth", 6: "a sixth"}
SHARES = {(2, 3): "two thirds", (3, 4): "three quarters", (2, 5): "two fifths", (3, 5): "three "
          "fifths", (5, 6): "five sixths", (3, 8): "three eighths"}  # fmt: skip

Numbers = tuple[int, ...]


class Operation(NamedTuple):
    """How a quantity is computed."""

    sources: int
    numbers: Callable[[Random], Numbers]
    value: Callable[[Sequence[int], Numbers], Fraction]
    texts: tuple[str, ...]
    """Sentences with the owner P and thing x, those of the sources Q, y and R, z, numbers a, b."""


def _two(low: int, high: int, least: int, most: int) -> Callable[[Random], Numbers]:
    return lambda rng: (rng.randint(low, high), rng.randint(least, most))


def _part(rng: Random) -> Numbers:
    return (rng.choice(list(PARTS)),)


def _share(rng: Random) -> Numbers:
    return rng.choice(list(SHARES))


OPERATIONS: dict[str, Operation] = {
    "given": Operation(
        0,
        lambda rng: (rng.randint(3, 60),),
        lambda s, n: Fraction(n[0]),
        ("{P} has {a} {x}.", "There are {a} {x} that belong to {P}.", "{P} owns {a} {x}."),
    ),
    "boxes": Operation(
        0,
        _two(2, 9, 3, 12),
        lambda s, n: Fraction(n[0] * n[1]),
        (
            "{P} has {a} boxes with {b} {x} in each, and no other {x}.",
            "All of {P}'s {x} are in {a} bags, {b} in each bag.",
        ),
    ),
    "hours": Operation(
        0,
        _two(2, 8, 3, 15),
        lambda s, n: Fraction(n[0] * n[1]),
        (
            "{P} had no {x}, then gathered {b} an hour for {a} hours.",
            "For {a} days {P} collected {b} {x} a day, and these are all that {P} has.",
        ),
    ),
    "more": Operation(
        1,
        lambda rng: (rng.randint(2, 40),),
        lambda s, n: Fraction(s[0] + n[0]),
        (
            "{P} has {a} more {x} than {Q} has {y}.",
            "{P}'s {x} outnumber {Q}'s {y} by {a}.",
            "If {P} lost {a} {x}, there would be as many of them as {Q} has {y}.",
        ),
    ),
    "fewer": Operation(
        1,
        lambda rng: (rng.randint(2, 40),),
        lambda s, n: Fraction(s[0] - n[0]),
        (
            "{P} has {a} fewer {x} than {Q} has {y}.",
            "{P} is {a} {x} short of having as many as {Q} has {y}.",
            "{Q} has {a} more {y} than {P} has {x}.",
        ),
    ),
    "times": Operation(
        1,
        lambda rng: (rng.choice(list(TIMES)),),
        lambda s, n: Fraction(s[0] * n[0]),
        (
            "{P} has {times} as many {x} as {Q} has {y}.",
            "For each of {Q}'s {y}, {P} has {a} {x}.",
        ),
    ),
    "part": Operation(
        1,
        _part,
        lambda s, n: Fraction(s[0], n[0]),
        (
            "{P} has {part} as many {x} as {Q} has {y}.",
            "There are {a} times as many {y} with {Q} as there are {x} with {P}.",
        ),
    ),
    "share": Operation(
        1,
        _share,
        lambda s, n: Fraction(s[0] * n[0], n[1]),
        (
            "The number of {P}'s {x} is {share} of the number of {Q}'s {y}.",
            "{P} has {share} as many {x} as {Q} has {y}.",
        ),
    ),
    "gave": Operation(
        1,
        _share,
        lambda s, n: Fraction(s[0] * (n[1] - n[0]), n[1]),
        (
            "{P} had as many {x} as {Q} has {y}, and gave {share} of them away.",
            "{P}'s {x} were as many as {Q} has {y} until {P} lost {share} of them.",
        ),
    ),
    "percent": Operation(
        1,
        lambda rng: (rng.choice((10, 20, 25, 50, 75, 150)),),
        lambda s, n: Fraction(s[0] * (100 + n[0]), 100),
        (
            "{P} has {a}% more {x} than {Q} has {y}.",
            "{P} once had as many {x} as {Q} has {y}; since then their number grew by {a}%.",
        ),
    ),
    "packs": Operation(
        1,
        _two(2, 6, 2, 9),
        lambda s, n: Fraction(s[0] * n[0] + n[1]),
        (
            "{P} has {b} loose {x}, and a bag of {a} {x} for each of {Q}'s {y}.",
            "{P} bought a pack of {a} {x} for each of {Q}'s {y}, and had {b} {x} before.",
        ),
    ),
    "sum": Operation(
        2,
        lambda rng: (),
        lambda s, n: Fraction(s[0] + s[1]),
        (
            "{P} has as many {x} as {Q} has {y} and {R} has {z} together.",
            "{Q}'s {y} and {R}'s {z} add up to the number of {P}'s {x}.",
        ),
    ),
    "difference": Operation(
        2,
        lambda rng: (),
        lambda s, n: Fraction(s[0] - s[1]),
        (
            "{Q} has more {y} than {R} has {z}; {P} has as many {x} as that difference.",
            "{P}'s {x} and {R}'s {z} together are as many as {Q}'s {y}.",
        ),
    ),
    "average": Operation(
        2,
        lambda rng: (),
        lambda s, n: Fraction(s[0] + s[1], 2),
        (
            "The number of {P}'s {x} is the average of those of {Q}'s {y} and {R}'s {z}.",
            "The number of {P}'s {x} lies halfway between those of {Q}'s {y} and {R}'s {z}.",
        ),
    ),
}


class Quantity(NamedTuple):
    """A quantity: how it is computed, from which earlier ones, with which numbers."""

    operation: str
    sources: Numbers
    numbers: Numbers


def values(story: Sequence[Quantity]) -> list[int]:
    """The values of the quantities of a story.

    >>> values([Quantity("given", (), (4,)), Quantity("times", (0,), (3,))])
    [4, 12]
    """
    amounts: list[int] = []
    for operation, sources, numbers in story:
        amounts.append(int(OPERATIONS[operation].value([amounts[s] for s in sources], numbers)))
    return amounts


def extended(
    rng: Random, story: list[Quantity], operations: Sequence[str], source: int, most: int
) -> bool:
    """Add a quantity computed from an earlier one, and perhaps another; whether there is one."""
    known = values(story)
    for _ in range(30):
        name = rng.choice(operations)
        operation = OPERATIONS[name]
        others = [n for n in range(len(story)) if n != source]
        if operation.sources == 2 and not others:
            continue
        sources = (source,) if operation.sources == 1 else (source, rng.choice(others))
        if len(sources) == 2 and rng.random() < 0.5:
            sources = sources[::-1]
        numbers = operation.numbers(rng)
        value = operation.value([known[s] for s in sources], numbers)
        if value.denominator == 1 and 2 <= value <= most and value not in known:
            story.append(Quantity(name, sources, numbers))
            return True
    return False


def as_text(
    quantity: Quantity, owner: tuple[str, str], sources: Sequence[tuple[str, str]], style: int
) -> str:
    """The sentence of a quantity, in one of its styles; owners come with their things.

    >>> as_text(Quantity("more", (0,), (3,)), ("Bo", "pens"), [("Ada", "cards")], 0)
    'Bo has 3 more pens than Ada has cards.'
    """
    texts = OPERATIONS[quantity.operation].texts
    names = dict(zip("PQR", [owner[0], *(name for name, _ in sources)]))
    things = dict(zip("xyz", [owner[1], *(thing for _, thing in sources)]))
    first = quantity.numbers[0] if quantity.numbers else 0
    numbers = dict(zip("ab", quantity.numbers))
    words = {
        "times": TIMES.get(first, ""),
        "part": PARTS.get(first, ""),
        "share": SHARES.get(quantity.numbers[:2], ""),  # type: ignore[arg-type]
    }
    return texts[style % len(texts)].format(**names, **things, **numbers, **words)
