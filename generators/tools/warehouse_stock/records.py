"""The records of a warehouse."""

from typing import NamedTuple

from palaestra.generators.tools.named_records import rows_of
from palaestra.generators.tools.records import Tables


class Item(NamedTuple):
    """An article that is stocked; ``box`` is the number of pieces in a box."""

    number: int
    name: str
    type: str
    box: int


class Site(NamedTuple):
    """A warehouse."""

    number: int
    name: str
    region: str


class Customer(NamedTuple):
    """A customer, in good standing or on hold."""

    number: int
    name: str
    standing: str


class Lot(NamedTuple):
    """The stock of one lot at a site, in pieces; several sites may have stock of a lot."""

    number: int
    item: str
    site: str
    code: str
    pieces: int
    reserved_pieces: int
    damaged_pieces: int
    expires: str
    status: str = "free"


class Order(NamedTuple):
    """An order of a customer."""

    number: int
    customer: str
    item: str
    quantity: int
    unit: str
    site: str
    due: str
    urgent: bool
    substitutes: bool
    status: str = "open"


class Recall(NamedTuple):
    """A notice about lots of an item."""

    number: int
    item: str
    first_code: str
    last_code: str
    status: str


class Substitute(NamedTuple):
    """An item that may stand for another one."""

    number: int
    item: str
    substitute: str
    rank: int


class Supplier(NamedTuple):
    """The offer of a supplier for an item; the minimum is in boxes, the price that of a box."""

    number: int
    name: str
    item: str
    price: int
    days: int
    minimum: int


class Records(NamedTuple):
    """All records at the start."""

    items: tuple[Item, ...]
    sites: tuple[Site, ...]
    customers: tuple[Customer, ...]
    lots: tuple[Lot, ...]
    orders: tuple[Order, ...]
    recalls: tuple[Recall, ...]
    substitutes: tuple[Substitute, ...]
    suppliers: tuple[Supplier, ...]


def tables(records: Records) -> Tables:
    """The records as tables; shipments, transfers and purchases are empty at the start."""
    return {
        "item": rows_of(records.items),
        "site": rows_of(records.sites),
        "customer": rows_of(records.customers),
        "lot": rows_of(records.lots),
        "order": rows_of(records.orders),
        "recall": rows_of(records.recalls),
        "substitute": rows_of(records.substitutes),
        "supplier": rows_of(records.suppliers),
        "shipment": {},
        "transfer": {},
        "purchase": {},
    }
