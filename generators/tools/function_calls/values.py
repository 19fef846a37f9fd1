"""Values in the words of a request, and in the form that an argument wants.

:func:`phrased` puts a random value into words, :func:`encoded` reads the words and gives the JSON
value in a documented form.
"""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import NamedTuple

from palaestra.generators.tools.function_calls.meanings import QUANTITIES, Role
from palaestra.generators.vocabulary import words

Json = int | str | bool | list[str]


class Unit(NamedTuple):
    """A unit, with its size in the smallest one of its family."""

    name: str
    plural: str
    size: int


UNITS: Mapping[str, tuple[Unit, ...]] = {
    "duration": (
        Unit("minute", "minutes", 1), Unit("hour", "hours", 60),
        Unit("day", "days", 1_440), Unit("week", "weeks", 10_080),
    ),
    "length": (
        Unit("millimetre", "millimetres", 1), Unit("centimetre", "centimetres", 10),
        Unit("metre", "metres", 1_000), Unit("kilometre", "kilometres", 1_000_000),
    ),
    "mass": (
        Unit("gram", "grams", 1), Unit("kilogram", "kilograms", 1_000),
        Unit("tonne", "tonnes", 1_000_000),
    ),
    "volume": (
        Unit("millilitre", "millilitres", 1), Unit("litre", "litres", 1_000),
        Unit("cubic metre", "cubic metres", 1_000_000),
    ),
    "money": (Unit("cent", "cents", 1), Unit("euro", "euros", 100)),
    "count": (Unit("piece", "pieces", 1), Unit("pair", "pairs", 2), Unit("dozen", "dozen", 12)),
}  # fmt: skip
"""The units of each family of quantities, the smallest first."""

ISO, BASIC = "YYYY-MM-DD", "YYYYMMDD"
CLOCK, MIDNIGHT = "HH:MM", "minutes after midnight"
SORTED, LISTED = "in alphabetical order", "in the order of the request"
PLAIN, INVERTED = "plain", "inverted"

FORMS: Mapping[str, tuple[str, ...]] = {
    "text": ("",),
    "list": (SORTED, LISTED),
    "date": (ISO, BASIC),
    "time": (CLOCK, MIDNIGHT),
    "choice": ("",),
    "flag": (PLAIN, INVERTED),
    **{family: tuple(unit.plural for unit in units) for family, units in UNITS.items()},
}
"""The forms in which documentation may want a value of each family."""

_NUMERALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_OFFSETS = {"the day": 1, "two days": 2, "three days": 3, "a week": 7, "two weeks": 14}
_QUARTERS = {"a quarter past": 15, "half past": 30, "a quarter to": -15}
_HALF_DAY = 720
_MIXED = (re.compile(r"(\d+) (\w+) (\d+)"), re.compile(r"(\w+) (\d+), (\d+)"))


def phrased(rng: Random, role: Role, form: str, convert: bool) -> str:
    """A random value in words: as the form wants it, or so that it has to be converted."""
    if role.family in QUANTITIES:
        return _quantity_in_words(rng, UNITS[role.family], form, convert)
    if role.family == "date":
        return _date_in_words(rng, convert)
    if role.family == "time":
        return _time_in_words(rng, convert)
    if role.family == "choice":
        return rng.choice(role.options)[convert]
    if role.family == "flag":
        return rng.choice(("yes", "no"))
    names = [name.title() for name in words(rng, 3 if role.family == "list" else 1, 4, 7)]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def encoded(role: Role, form: str, codes: tuple[int | str, ...], text: str) -> Json | None:
    """The value that words mean, in a form. ``codes`` are those of the options of a choice.

    None where a quantity is no whole number of the unit.
    """
    if role.family in QUANTITIES:
        return in_unit(role.family, form, text)
    if role.family == "date":
        day = read_date(text)
        return day.isoformat() if form == ISO else day.strftime("%Y%m%d")
    if role.family == "time":
        minutes = read_time(text)
        return minutes if form == MIDNIGHT else f"{minutes // 60:02}:{minutes % 60:02}"
    if role.family == "choice":
        return codes[next(n for n, option in enumerate(role.options) if text in option)]
    if role.family == "flag":
        return (text == "yes") == (form == PLAIN)
    if role.family == "list":
        names = text.replace(" and ", ", ").split(", ")
        return sorted(names) if form == SORTED else names
    return text


def in_unit(family: str, form: str, text: str) -> int | None:
    """A quantity in words as a number of units; None where that is no whole number."""
    size = next(unit.size for unit in UNITS[family] if unit.plural == form)
    number, rest = divmod(read_quantity(family, text), size)
    return None if rest else number


def read_quantity(family: str, text: str) -> int:
    """How many of the smallest unit a quantity is.

    >>> read_quantity("duration", "two hours and 30 minutes"), read_quantity("count", "2.5 dozen")
    (150, 30)
    """
    sizes = {name: unit.size for unit in UNITS[family] for name in (unit.name, unit.plural)}
    total = Fraction(0)
    for part in text.split(" and "):
        number, _, unit = part.partition(" ")
        value = _NUMERALS.index(number) + 1 if number in _NUMERALS else Fraction(number)
        total += value * sizes[unit]
    return int(total)


def quantity(number: int, unit: Unit) -> str:
    """So many units in words."""
    return f"{number} {unit.name if number == 1 else unit.plural}"


def _quantity_in_words(rng: Random, units: tuple[Unit, ...], form: str, convert: bool) -> str:
    n = next(n for n, unit in enumerate(units) if unit.plural == form)
    if not convert:
        return quantity(rng.randint(2, 40), units[n])
    larger = n + 1 < len(units) and (n == 0 or rng.random() < 0.6)
    number = rng.randint(2, 9)
    if not larger:
        return quantity(number * units[n].size // units[n - 1].size, units[n - 1])
    ratio = units[n + 1].size // units[n].size
    way = rng.randrange(3)
    if way == 0:
        return f"{_NUMERALS[number - 1]} {units[n + 1].plural}"
    if way == 1 and ratio % 2 == 0:
        return f"{number}.5 {units[n + 1].plural}"
    return f"{quantity(number, units[n + 1])} and {quantity(rng.randint(1, ratio - 1), units[n])}"


def _date_in_words(rng: Random, convert: bool) -> str:
    day = date(2026, 1, 1) + timedelta(days=rng.randrange(5_000))
    if not convert:
        return day.isoformat()
    month = _MONTHS[day.month - 1]
    absolute = rng.choice((f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}"))
    if rng.random() < 0.5:
        return absolute
    return f"{rng.choice([*_OFFSETS])} {rng.choice(('after', 'before'))} {absolute}"


def read_date(text: str) -> date:
    """The day that words mean.

    >>> read_date("two days after 28 February 2028"), read_date("March 3, 2027")
    (datetime.date(2028, 3, 1), datetime.date(2027, 3, 3))
    """
    for offset, days in _OFFSETS.items():
        for preposition, sign in (("after", 1), ("before", -1)):
            if text.startswith(f"{offset} {preposition} "):
                start = read_date(text.removeprefix(f"{offset} {preposition} "))
                return start + timedelta(days=sign * days)
    if match := _MIXED[0].fullmatch(text):
        return date(int(match[3]), _MONTHS.index(match[2]) + 1, int(match[1]))
    if match := _MIXED[1].fullmatch(text):
        return date(int(match[3]), _MONTHS.index(match[1]) + 1, int(match[2]))
    return date.fromisoformat(text)


def _time_in_words(rng: Random, convert: bool) -> str:
    minutes = rng.randrange(6 * 60, 23 * 60, 5)
    hour, minute = divmod(minutes, 60)
    if not convert:
        return f"{hour:02}:{minute:02}"
    if rng.random() < 0.5:
        return f"{(hour - 1) % 12 + 1}:{minute:02} {'pm' if hour >= 12 else 'am'}"
    phrase, offset = rng.choice([*_QUARTERS.items()])
    minutes = hour * 60 + offset
    part = "morning" if minutes < _HALF_DAY else "afternoon" if minutes < 18 * 60 else "evening"
    return f"{phrase} {(hour - 1) % 12 + 1} in the {part}"


def read_time(text: str) -> int:
    """The minutes after midnight that words mean.

    >>> read_time("a quarter to 12 in the morning"), read_time("12:30 pm"), read_time("06:05")
    (705, 750, 365)
    """
    for phrase, offset in _QUARTERS.items():
        if text.startswith(phrase):
            hour, _, _, part = text.removeprefix(phrase).split()
            minutes = (int(hour) * 60 + offset) % _HALF_DAY
            return minutes + _HALF_DAY * (part != "morning")
    clock, _, half = text.partition(" ")
    hours, minutes = map(int, clock.split(":"))
    if not half:
        return hours * 60 + minutes
    return hours % 12 * 60 + minutes + _HALF_DAY * (half == "pm")
