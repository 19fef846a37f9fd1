"""Random ledgers: types of records with units, states and tools whose names are made up."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from palaestra.generators.vocabulary import VOWELS, changed, words

LARGEST = 999
"""The largest stock of a record, in small units."""

STATES = 5
"""How many states the records of a type have."""

TRAITS = 4
"""How many traits the records of a type have."""


class Names(NamedTuple):
    """The names of the tools of a type."""

    find: str
    details: str
    by_state: str
    by_trait: str
    increase: str
    decrease: str
    transfer: str
    advance: str
    enter: str
    remove: str
    seal: str
    unseal: str
    open: str
    rate: str


class Entity(NamedTuple):
    """A type of records and its ledger. Columns, states, units and tools have made-up names."""

    noun: str
    ledger: str
    label: str
    trait: str
    traits: tuple[str, ...]
    stock: str
    small: str
    large: str
    state: str
    states: tuple[str, ...]
    frozen: str
    """The state in which the stock cannot be changed."""
    final: str
    """The state that a record never leaves."""
    tools: Names
    in_large: tuple[str, ...]
    """Those of ``increase``, ``decrease`` and ``transfer`` that take amounts in large units."""

    def a(self) -> str:
        """The noun with its indefinite article."""
        return indefinite(self.noun)


def indefinite(name: str) -> str:
    """A name with its article."""
    return f"{'an' if name[0] in VOWELS else 'a'} {name}"


class Row(NamedTuple):
    """A record."""

    number: int
    """The id, which is unique within the type."""
    label: str
    trait: str
    stock: int
    """In small units."""
    state: str
    sealed: bool


Table = dict[int, Row]
"""The records of a type by id."""


class Ledgers(NamedTuple):
    """The types, for each how many small units a large one has, and its records."""

    entities: tuple[Entity, ...]
    rates: tuple[int, ...]
    records: tuple[tuple[Row, ...], ...]


class Sizes(NamedTuple):
    """How many types, records of each type and further records of the same label there are; the
    other two are percentages.
    """

    types: int
    rows: int
    namesakes: int
    sealed: int
    """How many records are sealed."""
    conversions: int
    """How many amounts are in another unit than a tool takes."""


def random_domain(rng: Random, sizes: Sizes) -> Ledgers:
    """Ledgers and their records. All names are different."""
    count = 22 + STATES + TRAITS
    names = iter(words(rng, sizes.types * count, 5, 8))
    entities = tuple(_entity(rng, names, sizes.conversions) for _ in range(sizes.types))
    rates = tuple(rng.randint(4, 12) for _ in entities)
    records = tuple(_records(rng, entity, sizes) for entity in entities)
    return Ledgers(entities, rates, records)


def _entity(rng: Random, names: Iterator[str], conversions: int) -> Entity:
    noun = next(names)
    states = tuple(next(names) for _ in range(STATES))
    frozen, final = rng.sample(states, 2)
    in_large = [
        tool for tool in ("increase", "decrease", "transfer") if 100 * rng.random() < conversions
    ]
    return Entity(
        noun=noun,
        ledger=next(names),
        label=next(names),
        trait=next(names),
        traits=tuple(next(names) for _ in range(TRAITS)),
        stock=next(names),
        small=next(names),
        large=next(names),
        state=next(names),
        states=states,
        frozen=frozen,
        final=final,
        tools=Names(*(f"{next(names)}_{noun}" for _ in Names._fields)),
        in_large=tuple(in_large),
    )


def _records(rng: Random, entity: Entity, sizes: Sizes) -> tuple[Row, ...]:
    """Records of a type; some have the label of another one, but never its trait as well, and as
    many a label that differs from another in one letter.
    """
    namesakes = min(sizes.namesakes, sizes.rows // 3)
    labels = [each.title() for each in words(rng, sizes.rows - 2 * namesakes, 5, 7)]
    pairs = [(label, rng.choice(entity.traits)) for label in labels]
    for label, trait in rng.sample(pairs, namesakes):
        pairs.append((label, rng.choice([each for each in entity.traits if each != trait])))
    for label, _ in rng.sample(pairs, namesakes):
        pairs.append((changed(rng, label.lower()).title(), rng.choice(entity.traits)))
    pairs = [*dict.fromkeys(pairs)]
    rng.shuffle(pairs)
    numbers = sorted(rng.sample(range(100, 900), len(pairs)))
    return tuple(
        Row(
            number,
            label,
            trait,
            rng.randint(60, 800),
            rng.choice(entity.states),
            100 * rng.random() < sizes.sealed,
        )
        for number, (label, trait) in zip(numbers, pairs)
    )
