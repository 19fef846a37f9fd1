"""The records of the apps that a trip needs, and the texts in them."""

from datetime import date
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.tools.named_records import rows_of
from palaestra.generators.tools.records import Tables
from palaestra.task import InvalidAnswer

MODES = ("train", "flight")
STATUSES = ("confirmed", "tentative", "cancelled")
DAY = 24 * 60
_CLOCK = tuple(f" {minute // 60:02}:{minute % 60:02}" for minute in range(DAY))
_MINUTE = {clock: minute for minute, clock in enumerate(_CLOCK)}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
"""Numbers of hours in words."""


class Person(NamedTuple):
    """An employee."""

    number: int
    name: str
    department: str
    home: str
    grade: str
    rail_card: bool


class Appointment(NamedTuple):
    """An entry of a calendar; its times are those of the head office."""

    number: int
    person: int
    title: str
    city: str
    start: str
    end: str
    status: str
    external: bool


class City(NamedTuple):
    """A city; ``trade_fair`` has the first and the last date of a fair, or is empty."""

    number: int
    name: str
    country: str
    clocks: str
    category: str
    trade_fair: str


class Leg(NamedTuple):
    """A flight or a train without a change; its times are local, its fares in euros."""

    number: int
    mode: str
    carrier: str
    origin: str
    destination: str
    departs: str
    arrives: str
    basic: int
    flexible: int
    seats: int


class Hotel(NamedTuple):
    """A hotel; ``full`` has the dates of nights without rooms, ``walk`` is in minutes."""

    number: int
    city: str
    name: str
    price: int
    walk: int
    cancellation: str
    full: str


class Booking(NamedTuple):
    """A leg that an employee has booked."""

    number: int
    person: int
    leg: int
    fare: str


class Records(NamedTuple):
    """All records at the start."""

    people: tuple[Person, ...]
    appointments: tuple[Appointment, ...]
    cities: tuple[City, ...]
    legs: tuple[Leg, ...]
    hotels: tuple[Hotel, ...]
    bookings: tuple[Booking, ...]


def tables(records: Records) -> Tables:
    """The records as tables; ``stay`` has nights in hotels, ``answer`` trips that are not booked.

    They are empty at the start.
    """
    return {
        "person": rows_of(records.people),
        "appointment": rows_of(records.appointments),
        "city": rows_of(records.cities),
        "leg": rows_of(records.legs),
        "hotel": rows_of(records.hotels),
        "booking": rows_of(records.bookings),
        "stay": {},
        "answer": {},
    }


@lru_cache(10_000)
def minutes(text: str) -> int:
    """The minutes from the beginning of the calendar to a time.

    >>> minutes("2031-05-07 01:30") - minutes("2031-05-06 23:00")
    150
    """
    return _first_minute(text[:10]) + _MINUTE[text[10:]]


@lru_cache(1_000)
def _first_minute(day: str) -> int:
    return date.fromisoformat(day).toordinal() * DAY


def time_in_words(minute: int) -> str:
    """The inverse of :func:`minutes`.

    >>> time_in_words(minutes("2031-05-07 01:30"))
    '2031-05-07 01:30'
    """
    day, rest = divmod(minute, DAY)
    return day_in_words(day) + _CLOCK[rest]


@lru_cache(1_000)
def day_in_words(day: int) -> str:
    """A number of days from the beginning of the calendar as a date."""
    return date.fromordinal(day).isoformat()


def day_of(text: str) -> int:
    """The number of days from the beginning of the calendar to a date. Raises
    :class:`InvalidAnswer` where the text is none.
    """
    try:
        return date.fromisoformat(text.strip()[:20]).toordinal()
    except ValueError:
        raise InvalidAnswer(f"{text[:20]!r} is no date; dates are like 2031-05-06") from None


def clocks_in_words(hours: int, city: str) -> str:
    """How clocks differ from those of a city.

    >>> clocks_in_words(-1, "Halden"), clocks_in_words(2, "Halden")
    ('one hour behind Halden', 'two hours ahead of Halden')
    """
    if not hours:
        return f"the same time as {city}"
    number = f"{NUMBERS[abs(hours)]} hour{'s' * (abs(hours) > 1)}"
    return f"{number} {'ahead of' if hours > 0 else 'behind'} {city}"


def clocks(text: str) -> tuple[int, str]:
    """The inverse of :func:`clocks_in_words`.

    >>> clocks("one hour behind Halden"), clocks("the same time as New Ulm")
    ((-1, 'Halden'), (0, 'New Ulm'))
    """
    if text.startswith("the same time as "):
        return 0, text.removeprefix("the same time as ")
    number, _, sign, rest = text.split(" ", 3)
    hours = NUMBERS.index(number)
    return (hours, rest.removeprefix("of ")) if sign == "ahead" else (-hours, rest)
