"""The records of a help desk."""

from datetime import datetime
from typing import NamedTuple

from palaestra.generators.tools.named_records import rows_of
from palaestra.generators.tools.records import Tables


class Customer(NamedTuple):
    """A person of an organisation; the contract ends with a date."""

    number: int
    name: str
    organisation: str
    plan: str
    region: str
    contract_until: str


class Ticket(NamedTuple):
    """A ticket; numbers that are not set are 0, texts empty."""

    number: int
    customer: int
    organisation: str
    subject: str
    opened: str
    status: str = "open"
    category: str = ""
    priority: int = 0
    team: str = ""
    article: int = 0
    incident: int = 0
    merged_into: int = 0
    escalated: bool = False


class Message(NamedTuple):
    """A message in a ticket."""

    number: int
    ticket: int
    sender: str
    time: str
    text: str


class Incident(NamedTuple):
    """A fault that many customers have."""

    number: int
    product: str
    problem: str
    region: str
    started: str
    status: str
    team: str


class Article(NamedTuple):
    """An article with help; ``versions`` lists numbers by commas."""

    number: int
    product: str
    problem: str
    versions: str
    status: str
    updated: str


class Records(NamedTuple):
    """All records at the start."""

    customers: tuple[Customer, ...]
    tickets: tuple[Ticket, ...]
    messages: tuple[Message, ...]
    incidents: tuple[Incident, ...]
    articles: tuple[Article, ...]


def tables(records: Records) -> Tables:
    """The records as tables."""
    return {
        "customer": rows_of(records.customers),
        "ticket": rows_of(records.tickets),
        "message": rows_of(records.messages),
        "incident": rows_of(records.incidents),
        "article": rows_of(records.articles),
    }


def hours_between(earlier: str, later: str) -> float:
    """The hours from a time to another one.

    >>> hours_between("2031-05-06 23:30", "2031-05-07 01:00")
    1.5
    """
    span = datetime.fromisoformat(later) - datetime.fromisoformat(earlier)
    return span.total_seconds() / 3600
