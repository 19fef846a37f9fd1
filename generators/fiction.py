"""Texts about a fictional world, of any length, with the statements of a task among them.

The world has towns and people with invented names. What its sentences report happens nowhere else,
so that no model knows it, and bears on no task: a task states what counts in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.people import MORE_NAMES, NAMES
from palaestra.generators.vocabulary import words
from palaestra.rng import Rng

CHARACTERS = 4
"""How many characters are counted as a token, which is an average of English text."""

LONGEST = 128_000
"""How many tokens a text has at most."""

BATCH = 128
"""How many sentences are put together at a time."""

_GOODS = (
    "salt", "wool", "copper", "barley", "honey", "timber", "glass", "linen", "tin", "oil", "cheese",
    "rope", "paper", "dye", "slate", "leather",
)  # fmt: skip

_SEASONS = ("spring", "summer", "autumn", "winter")

_REPORTS = (
    "In the {season} of {year}, {person} brought {number} sacks of {good} from {town} to {other}.",
    "The road between {town} and {other} was closed for {number} days after a flood.",
    "{person} of {town} wrote {number} letters about the price of {good}.",
    "A storm in {year} took the roofs of {number} houses in {town}.",
    "The market of {town} opens {number} days after that of {other}, where {good} is cheaper.",
    "According to {person}, nobody in {other} has seen a wolf since {year}.",
    "{number} guests came to the {season} feast in {town}, and {person} paid for the {good}.",
    "The bridge near {town} was repaired in {year}, with {number} beams from {other}.",
    "{person} and a cousin quarrelled over a field of {number} paces behind {town}.",
    "It is a custom in {town} to give {good} to whoever comes from {other} in {season}.",
    "A school with {number} benches was built in {town}, and {person} taught there until {year}.",
    "The {season} of {year} was so dry that {town} bought water from {other}.",
    "{person} counted {number} swallows on the mill of {town}.",
    "Of the {number} barrels of {good} that {town} sent to {other}, a few were lost on the way.",
    "The oldest inn of {town}, which {person} keeps, has {number} windows.",
    "Songs about {town} mention {good} more often than they mention {other}.",
    "In {year}, {person} walked from {town} to {other} in {number} hours.",
    "Nobody remembers why the well of {town} was moved {number} steps to the north.",
    "{person} painted the town hall of {town} in {season}, and was paid in {good}.",
    "The ferry to {other} leaves from {town} every {number} days in {season}.",
    "A fire in the stores of {town} destroyed {number} bales, most of them {good}.",
    "{person} inherited a house in {town} in {year}, and sold it to a trader from {other}.",
    "Children in {other} say that {number} steps lead down to the old cellar of {town}.",
    "The council of {town} met {number} times about the tax on {good} in {year}.",
)
"""What sentences report. Each names a town, so that none is about nothing."""


class World(NamedTuple):
    """The names of a fictional world."""

    towns: tuple[str, ...]
    people: tuple[str, ...]


@lru_cache(maxsize=64)
def world(seed: int, towns: int = 24, people: int = 36) -> World:
    """A world with so many towns and people, whose names are all different.

    >>> world(1).towns[0], len(world(1).people)
    ('Reziriza', 36)
    """
    rng = Rng(f"{seed} world")
    names = words(rng, towns + people, 5, 8)
    first = rng.choices(NAMES + MORE_NAMES, k=people)
    return World(
        tuple(name.capitalize() for name in names[:towns]),
        tuple(f"{name} {family.capitalize()}" for name, family in zip(first, names[towns:])),
    )


def reports(rng: Random, known: World) -> Iterator[str]:
    """Sentences about a world without end."""
    towns = known.towns
    while True:
        # Drawing in bulk is several times as fast as drawing for each sentence.
        first = rng.choices(range(len(towns)), k=BATCH)
        apart = rng.choices(range(1, len(towns)), k=BATCH)
        columns: Mapping[str, Sequence[object]] = {
            "town": [towns[n] for n in first],
            "other": [towns[n - steps] for n, steps in zip(first, apart)],
            "person": rng.choices(known.people, k=BATCH),
            "good": rng.choices(_GOODS, k=BATCH),
            "season": rng.choices(_SEASONS, k=BATCH),
            "year": rng.choices(range(1201, 1490), k=BATCH),
            "number": rng.choices(range(3, 95), k=BATCH),
        }
        for report, *values in zip(rng.choices(_REPORTS, k=BATCH), *columns.values()):
            yield report.format_map(dict(zip(columns, values)))


def background(rng: Random, known: World, characters: int) -> list[str]:
    """Sentences about a world that have about so many characters, and none for less than one."""
    sentences = list[str]()
    if characters <= 0:
        return sentences
    for sentence in reports(rng, known):
        characters -= len(sentence) + 1
        if characters < 0:
            break
        sentences.append(sentence)
    return sentences


def mixed(rng: Random, statements: Sequence[str], others: Sequence[str]) -> list[str]:
    """Statements in their order, with others in their order between them, at random positions.

    >>> mixed(Rng(1), ["a", "b"], ["x", "y"])
    ['x', 'a', 'b', 'y']
    """
    size = len(statements) + len(others)
    positions = frozenset(rng.sample(range(size), len(statements)))
    own, rest = iter(statements), iter(others)
    return [next(own) if n in positions else next(rest) for n in range(size)]


def paragraphs(rng: Random, sentences: Sequence[str], shortest: int = 3, longest: int = 9) -> str:
    """Sentences in paragraphs, each of a random number of them."""
    parts, start = list[str](), 0
    while start < len(sentences):
        end = start + rng.randint(shortest, longest)
        parts.append(" ".join(sentences[start:end]))
        start = end
    return "\n\n".join(parts)
