"""Long texts of made-up facts: numbers of named things, with other names much like them."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.vocabulary import changed, words

KINDS = ("harbour", "archive", "tower", "mine", "garden", "theatre", "bridge", "mill")

NUMBERS = (
    "entry code", "year of founding", "number of steps", "registry number", "yearly rent",
    "depth in feet", "number of visitors", "weight limit",
)  # fmt: skip

SAID = (
    "The {what} of the {kind} {name} is {value}.",
    "It is {value} that is given as the {what} of the {kind} {name}.",
    "As for the {kind} {name}, its {what} is {value}.",
    "At the {kind} {name}, {value} is the {what}.",
)
TWIN = (
    "The twin of the {kind} {name} is the {kind} {value}.",
    "For its twin, the {kind} {name} has the {kind} {value}.",
)
LATER = (
    "Correction: the {what} of the {kind} {name} is not what was said above but {value}.",
    "This corrects an error: the {kind} {name} has {value} as its {what}, not the number above.",
)


class Place(NamedTuple):
    """A thing that facts are about."""

    kind: str
    name: str


class Fact(NamedTuple):
    """A number of a place, or its twin by the number of that place; perhaps put right later."""

    place: int
    what: str
    """'' for the twin."""
    value: int
    corrected: bool

    def as_text(self, places: Sequence[Place], style: int) -> str:
        """The fact as a sentence.

        >>> Fact(0, "depth in feet", 7, False).as_text([Place("mine", "Zakan")], 2)
        'As for the mine Zakan, its depth in feet is 7.'
        """
        kind, name = places[self.place]
        texts = LATER if self.corrected else SAID if self.what else TWIN
        value = f"{self.value}" if self.what else places[self.value].name
        text = texts[style % len(texts)]
        return text.format(what=self.what, kind=kind, name=name, value=value)


def places(rng: Random, number: int) -> tuple[Place, ...]:
    """Places with made-up names, about half of which differ from another in one letter."""
    places_by_name: dict[str, Place] = {}
    for name in words(rng, number, 5, 8):
        if len(places_by_name) < number:
            kind = rng.choice(KINDS)
            places_by_name.setdefault(name, Place(kind, name.capitalize()))
            if len(places_by_name) < number and rng.random() < 0.5:
                # Mostly of the same kind, so that only the name tells them apart.
                other = changed(rng, name)
                twin = kind if rng.random() < 0.7 else rng.choice(KINDS)
                places_by_name.setdefault(other, Place(twin, other.capitalize()))
    return tuple(places_by_name.values())


def facts(rng: Random, known: Sequence[Place], number: int, corrections: int) -> list[Fact]:
    """So many facts in random order, no two of the same, and corrections of some after them."""
    pairs: dict[tuple[int, str], None] = {}
    while len(pairs) < number:
        pairs[rng.randrange(len(known)), rng.choice(NUMBERS)] = None
    facts = [Fact(place, what, rng.randint(100, 99_999), False) for place, what in pairs]
    for old in rng.sample(facts, min(corrections, number // 3)):
        new = Fact(old.place, old.what, rng.randint(100, 99_999), True)
        facts.insert(rng.randint(facts.index(old) + 1, len(facts)), new)
    return facts


def twins(rng: Random, known: Sequence[Place]) -> list[Fact]:
    """A twin of the same kind for every place whose kind has several; chains of twins are long."""
    pairs = []
    for kind in KINDS:
        same = [n for n, place in enumerate(known) if place.kind == kind]
        rng.shuffle(same)
        if len(same) > 1:
            pairs += [Fact(a, "", b, False) for a, b in zip(same, same[1:] + same[:1])]
    return pairs
