"""Tables of deliveries: their columns, what determines what, and clean rows."""

from collections.abc import Mapping
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from palaestra.generators.people import MORE_NAMES, NAMES

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

Row = dict[str, str]
"""The texts of a row by role."""

PARTY = ("party", "name", "city")
DATES = ("weekday", "due")
AMOUNTS = ("item", "quantity", "price", "rate", "net", "tax", "gross")


class Theme(NamedTuple):
    """The words of a table."""

    title: str
    prefix: str
    headers: Mapping[str, tuple[str, ...]]
    """The possible headers of each role; all of a theme are different."""
    parties: str
    items: str
    """What the two reference tables are called."""
    states: tuple[str, ...]
    """Codes of which no two are alike."""


class Party(NamedTuple):
    """A line of the first reference table."""

    code: str
    name: str
    city: str
    terms: int
    """The days from a date to the date when it is due."""


class Item(NamedTuple):
    """A line of the second reference table."""

    code: str
    price: int
    """In cents."""
    rate: int
    """The tax in percent."""


class Reference(NamedTuple):
    """The reference tables."""

    parties: tuple[Party, ...]
    items: tuple[Item, ...]


class Schema(NamedTuple):
    """The columns of a table, in order, each with its role and its header."""

    theme: int
    columns: tuple[tuple[str, str], ...]

    @property
    def headers(self) -> dict[str, str]:
        """The header of each role."""
        return dict(self.columns)

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles in the order of the columns."""
        return tuple(role for role, _ in self.columns)

    @property
    def words(self) -> Theme:
        """The theme."""
        return THEMES[self.theme]


THEMES = (
    Theme(
        "invoices",
        "INV",
        {
            "key": ("invoice", "invoice_id"),
            "date": ("issued", "invoice_date"),
            "weekday": ("weekday", "day"),
            "due": ("due", "payable_by"),
            "party": ("customer", "customer_code"),
            "name": ("customer_name", "bill_to"),
            "city": ("city", "town"),
            "item": ("article", "article_code"),
            "quantity": ("quantity", "units"),
            "price": ("unit_price", "price"),
            "rate": ("tax_rate", "rate"),
            "net": ("net", "net_amount"),
            "tax": ("tax", "tax_amount"),
            "gross": ("gross", "gross_amount"),
            "state": ("state", "payment"),
            "trace": ("order_ref", "purchase_order"),
        },
        "customers",
        "articles",
        ("open", "paid", "overdue", "cancelled", "disputed"),
    ),
    Theme(
        "shipments",
        "SHP",
        {
            "key": ("shipment", "shipment_no"),
            "date": ("sent", "sent_on"),
            "weekday": ("weekday", "day_sent"),
            "due": ("expected", "arrives_by"),
            "party": ("depot", "depot_code"),
            "name": ("depot_name", "consignee"),
            "city": ("city", "destination"),
            "item": ("goods", "goods_code"),
            "quantity": ("boxes", "pieces"),
            "price": ("price_per_box", "box_price"),
            "rate": ("duty_rate", "duty_percent"),
            "net": ("value", "goods_value"),
            "tax": ("duty", "duty_amount"),
            "gross": ("landed_cost", "total_cost"),
            "state": ("progress", "stage"),
            "trace": ("seal", "container"),
        },
        "depots",
        "goods",
        ("packed", "moving", "customs", "arrived", "refused"),
    ),
    Theme(
        "treatments",
        "TRT",
        {
            "key": ("treatment", "case_no"),
            "date": ("treated", "visit_date"),
            "weekday": ("weekday", "visit_day"),
            "due": ("checkup", "next_visit"),
            "party": ("practice", "practice_code"),
            "name": ("practice_name", "provider"),
            "city": ("city", "practice_city"),
            "item": ("service", "service_code"),
            "quantity": ("sessions", "units"),
            "price": ("fee", "fee_per_session"),
            "rate": ("levy_rate", "levy_percent"),
            "net": ("charge", "base_charge"),
            "tax": ("levy", "levy_amount"),
            "gross": ("total", "total_charge"),
            "state": ("claim", "claim_state"),
            "trace": ("policy_no", "referral"),
        },
        "practices",
        "services",
        ("filed", "granted", "rejected", "appealed", "settled"),
    ),
)

CITIES = ("Arles", "Bergen", "Cadiz", "Delft", "Essen", "Ghent", "Lucca", "Malmo", "Porto", "Turku")

FORMS = ("Ltd", "Group", "Brothers", "Partners", "and Sons")


def random_schema(rng: Random, groups: int) -> Schema:
    """A schema with so many of the groups of columns: parties, amounts and dates."""
    number = rng.randrange(len(THEMES))
    roles = ["date", *PARTY, "state", "trace"]
    roles += AMOUNTS if groups > 1 else ()
    roles += DATES if groups > 2 else ()
    rng.shuffle(roles)
    headers = THEMES[number].headers
    return Schema(number, tuple((role, rng.choice(headers[role])) for role in ("key", *roles)))


def random_reference(rng: Random, parties: int, items: int) -> Reference:
    """Reference tables. Some names of parties differ in their last word alone, several have the
    same city, and all prices are different.
    """
    first = rng.sample([*NAMES, *MORE_NAMES], -(-parties // 2))
    names = [f"{name} {form}" for name in first for form in rng.sample(FORMS, 2)]
    codes = rng.sample(range(100, 1000), parties + items)
    prices = rng.sample(range(4, 90), items)
    letter = rng.choice("CDKP")
    return Reference(
        tuple(
            Party(f"{letter}{code}", name, rng.choice(CITIES), rng.choice((7, 10, 14, 21, 30, 45)))
            for code, name in zip(codes[:parties], names)
        ),
        tuple(
            Item(f"{rng.choice('XYZ')}-{code}", 25 * price, rng.choice((5, 7, 10, 19, 20)))
            for code, price in zip(codes[parties:], prices)
        ),
    )


def cents(amount: int) -> str:
    """An amount in cents with a point and two digits.

    >>> cents(125005)
    '1250.05'
    """
    return f"{amount // 100}.{amount % 100:02}"


def tax_of(net: int, rate: int) -> int:
    """The tax on an amount in cents, rounded half up."""
    return (net * rate + 50) // 100


def amounts(item: Item, quantity: int) -> Row:
    """The columns that an item and a quantity determine."""
    net = item.price * quantity
    tax = tax_of(net, item.rate)
    return {
        "item": item.code,
        "quantity": str(quantity),
        "price": cents(item.price),
        "rate": str(item.rate),
        "net": cents(net),
        "tax": cents(tax),
        "gross": cents(net + tax),
    }


def dates(day: date, terms: int) -> Row:
    """The columns that a date and the terms of a party determine."""
    return {
        "date": day.isoformat(),
        "weekday": WEEKDAYS[day.weekday()],
        "due": (day + timedelta(days=terms)).isoformat(),
    }


def key_of(schema: Schema, number: int, first: int) -> str:
    """The key of the row with a number; those of rows go up by one."""
    return f"{schema.words.prefix}-{first + number - 1:04}"


def random_row(rng: Random, schema: Schema, reference: Reference) -> Row:
    """A clean row without its key."""
    party = rng.choice(reference.parties)
    day = date(2031, 1, 1) + timedelta(days=rng.randrange(330))
    quantity = rng.randint(120, 900) if rng.random() < 0.05 else rng.randint(2, 60)
    trace = f"{rng.choice('QRSTUV')}{rng.choice('BCDFG')}{rng.randint(1000, 9999)}"
    row = {
        "party": party.code,
        "name": party.name,
        "city": party.city,
        "state": rng.choice(schema.words.states),
        "trace": trace,
        **dates(day, party.terms),
        **amounts(rng.choice(reference.items), quantity),
    }
    return {role: row[role] for role in schema.roles if role != "key"}
