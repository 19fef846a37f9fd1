"""What a database is about, before it is put into tables."""

from collections.abc import Iterator
from datetime import date
from random import Random
from typing import NamedTuple

from palaestra.generators.vocabulary import changed, words

START = date(2061, 1, 1).toordinal()
"""The first day of the records."""

DAYS = 3 * 365
"""How many days the records go over."""

STATUSES = ("planned", "confirmed", "delivered", "returned", "cancelled", "disputed")

FACTORS = (10, 20, 50, 100, 500, 1_000)
"""How many of the smallest unit another unit may be."""

STEP = 100
"""What amounts, in the smallest unit, are multiples of."""


class Theme(NamedTuple):
    """The nouns of a database."""

    owner: str
    party: str
    item: str
    record: str
    amount: str


THEMES = (
    Theme("chain", "shop", "product", "sale", "amount sold"),
    Theme("estate", "farm", "crop", "harvest", "amount harvested"),
    Theme("trust", "institute", "reagent", "parcel", "amount delivered"),
    Theme("company", "mine", "mineral", "shipment", "amount shipped"),
    Theme("cooperative", "cellar", "cheese", "lot", "amount produced"),
    Theme("line", "ship", "cargo", "transport", "amount carried"),
    Theme("group", "mill", "fabric", "order", "amount ordered"),
)


class Owner(NamedTuple):
    """Whom parties belong to; ``region`` is the number of a region."""

    name: str
    region: int
    deleted: bool


class Party(NamedTuple):
    """Who takes part in records, by its key; ``owner`` is the number of an owner."""

    key: str
    name: str
    owner: int
    region: int
    deleted: bool


class Item(NamedTuple):
    """What records are about."""

    name: str
    group: int
    deleted: bool


class Record(NamedTuple):
    """A record; ``amount`` is in the smallest unit, and ``unit`` is the one that it is put in."""

    day: int
    party: int
    item: int
    amount: int
    unit: int
    status: int
    deleted: bool


class Sizes(NamedTuple):
    """How large a database is. ``owned`` says that regions are those of owners; ``traps`` is how
    many irregularities there are, ``documented`` the percentage of tables whose documentation is in
    a table, and ``decoys`` the number of tables that are of no use.
    """

    records: int
    parties: int
    items: int
    codes: int
    owned: bool
    traps: int
    documented: int
    decoys: int


class Data(NamedTuple):
    """Everything that a database states, and which records are entered twice."""

    theme: Theme
    regions: tuple[str, ...]
    groups: tuple[str, ...]
    statuses: tuple[str, ...]
    units: tuple[tuple[str, int], ...]
    """The names of units, and how many of the smallest unit each is."""
    owners: tuple[Owner, ...]
    parties: tuple[Party, ...]
    items: tuple[Item, ...]
    records: tuple[Record, ...]
    twice: tuple[int, ...]
    traps: tuple[str, ...]

    def region(self, record: Record) -> int:
        """The region of a record, by its party or the owner of that."""
        party = self.parties[record.party]
        return self.owners[party.owner].region if self.owners else party.region

    def is_valid(self, record: Record) -> bool:
        """Whether neither the record nor what it refers to is deleted."""
        party, item = self.parties[record.party], self.items[record.item]
        owner_deleted = bool(self.owners) and self.owners[party.owner].deleted
        return not (record.deleted or party.deleted or item.deleted or owner_deleted)


TRAPS = ("dates", "spaces", "case", "twice")
"""The irregularities: days in several formats, keys with spaces behind them or in other case, and
records that are entered twice."""


def random_data(seed: int, sizes: Sizes) -> Data:
    """The data of a seed, always the same."""
    rng = Random(seed)
    codes, owners = sizes.codes, max(3, sizes.parties // 3) if sizes.owned else 0
    stems = iter(words(rng, 2 * codes + 3 + 2 * owners + sizes.parties + sizes.items, 5, 7))
    regions = tuple(_names(rng, stems, codes))
    groups = tuple(_names(rng, stems, codes))
    factors = rng.sample(FACTORS, 2)
    units = tuple((next(stems), factor) for factor in (1, *sorted(factors)))
    owner_names = _names(rng, stems, owners)
    party_names = _names(rng, stems, sizes.parties)
    item_names = _names(rng, stems, sizes.items)
    keys = rng.sample(range(100, 1_000), sizes.parties)
    letters = "".join(rng.sample("BCDFGHKLMNPRSTVWXZ", 2))
    return Data(
        rng.choice(THEMES),
        regions,
        groups,
        tuple(rng.sample(STATUSES, min(len(STATUSES), 2 + codes // 2))),
        units,
        tuple(Owner(name, rng.randrange(codes), rng.random() < 0.1) for name in owner_names),
        tuple(
            Party(
                f"{letters}-{key}",
                name,
                rng.randrange(owners) if owners else -1,
                rng.randrange(codes),
                rng.random() < 0.1,
            )
            for name, key in zip(party_names, keys)
        ),
        tuple(Item(name, rng.randrange(codes), rng.random() < 0.1) for name in item_names),
        tuple(_records(rng, sizes)),
        tuple(rng.sample(range(sizes.records), sizes.records // 9)),
        tuple(rng.sample(TRAPS, sizes.traps)),
    )


def _names(rng: Random, stems: Iterator[str], number: int) -> list[str]:
    """Different names, some of which are nearly the same as another one."""
    names: list[str] = []
    for _ in range(number):
        name = next(stems)
        near_name = changed(rng, rng.choice(names)) if names and rng.random() < 0.2 else name
        names.append(name if near_name in names else near_name)
    return names


def _records(rng: Random, sizes: Sizes) -> list[Record]:
    """Records that differ in their contents; a loop in which ``random`` alone is quick."""
    draw, records = rng.random, dict[Record, None]()
    statuses = min(len(STATUSES), 2 + sizes.codes // 2)
    while len(records) < sizes.records:
        status = int(draw() * draw() * statuses)
        record = Record(
            START + int(draw() * DAYS),
            int(draw() * sizes.parties),
            int(draw() * sizes.items),
            STEP * (1 + int(draw() * 90)),
            int(draw() * 3),
            status,
            draw() < 0.1,
        )
        records[record] = None
    return list(records)
