"""Long texts of invented facts: numbers of named places, some with similar names."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.vocabulary import changed, words

KINDS = ("harbour", "archive", "tower", "mine", "garden", "theatre", "bridge", "mill")

NUMBERS = (
    "entry code", "year of founding", "number of steps", "registry number", "yearly rent",
    "depth in feet", "number of visitors", "weight limit",
)  # fmt: skip

STATEMENTS = (
    "The {what} of the {site} {name} is {value}.",
    "It is {value} that is given as the {what} of the {site} {name}.",
    "As for the {site} {name}, its {what} is {value}.",
    "At the {site} {name}, {value} is the {what}.",
)
TWIN = (
    "The twin of the {site} {name} is the {site} {value}.",
    "For its twin, the {site} {name} has the {site} {value}.",
)
LATER = (
    "Correction: the {what} of the {site} {name} is not what was stated above but {value}.",
    "This corrects an error: the {site} {name} has {value} as its {what}, not the number above.",
)


class Place(NamedTuple):
    """A site, for example a mine or a garden, and its name."""

    site: str
    name: str


class Fact(NamedTuple):
    """A number of the place with index ``place``, or its twin's index; perhaps a correction."""

    place: int
    what: str
    """The attribute; '' for the twin."""
    value: int
    corrected: bool

    def as_text(self, places: Sequence[Place], style: int) -> str:
        """The fact as a sentence.

        >>> Fact(0, "depth in feet", 7, False).as_text([Place("mine", "Zakan")], 2)
        'As for the mine Zakan, its depth in feet is 7.'
        """
        site, name = places[self.place]
        texts = LATER if self.corrected else STATEMENTS if self.what else TWIN
        value = f"{self.value}" if self.what else places[self.value].name
        text = texts[style % len(texts)]
        return text.format(what=self.what, site=site, name=name, value=value)


def places(rng: Random, number: int) -> tuple[Place, ...]:
    """Places with invented names, about half of which differ from another one in one letter."""
    places_by_name: dict[str, Place] = {}
    for name in words(rng, number, 5, 8):
        if len(places_by_name) < number:
            site = rng.choice(KINDS)
            places_by_name.setdefault(name, Place(site, name.capitalize()))
            if len(places_by_name) < number and rng.random() < 0.5:
                # Mostly of the same kind, so that only the name distinguishes them.
                other = changed(rng, name)
                similar = site if rng.random() < 0.7 else rng.choice(KINDS)
                places_by_name.setdefault(other, Place(similar, other.capitalize()))
    return tuple(places_by_name.values())


def facts(rng: Random, known: Sequence[Place], number: int, corrections: int) -> list[Fact]:
    """A number of different facts in random order, and corrections of some after them."""
    pairs: dict[tuple[int, str], None] = {}
    while len(pairs) < number:
        pairs[rng.randrange(len(known)), rng.choice(NUMBERS)] = None
    facts = [Fact(index, what, rng.randint(100, 99_999), False) for index, what in pairs]
    for old in rng.sample(facts, min(corrections, number // 3)):
        new = Fact(old.place, old.what, rng.randint(100, 99_999), True)
        facts.insert(rng.randint(facts.index(old) + 1, len(facts)), new)
    return facts


def twins(rng: Random, known: Sequence[Place]) -> list[Fact]:
    """A twin for every place that is not the only one of its kind, in one cycle for each kind."""
    pairs = []
    for site in KINDS:
        same = [n for n, each in enumerate(known) if each.site == site]
        rng.shuffle(same)
        if len(same) > 1:
            pairs += [Fact(a, "", b, False) for a, b in zip(same, same[1:] + same[:1])]
    return pairs
