"""Dates and times of day, however they are written.

Only what cannot be read in two ways is one: 4/7/1776 is refused as a gold, and 15:45 is a time
where it is no ratio in lowest terms.
"""

import re
from calendar import day_name, month_name, monthrange
from datetime import date
from math import gcd
from typing import NamedTuple

from palaestra.task import InvalidAnswer

LONGEST = 60
"""No date has more characters."""


class Moment(NamedTuple):
    """A date or a time of day; None for what is left open. Years before Christ are negative."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    """0 for Monday."""
    minute: int | None = None
    """Of the day."""

    def same(self, other: "Moment") -> bool:
        """Return whether two moments are equal; the day of the week is optional beside a date."""
        if self._replace(weekday=None) != other._replace(weekday=None):
            return False
        if self.weekday is None or other.weekday is None:
            return self.weekday == other.weekday or self.year is not None
        return self.weekday == other.weekday


_MONTHS = {name.casefold(): number for number, name in enumerate(month_name) if name}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_DAYS = {name.casefold(): number for number, name in enumerate(day_name)}
_DAYS |= {name[:3]: number for name, number in _DAYS.items()} | {"tues": 1, "thur": 3, "thurs": 3}

_WEEKDAY = r"(?:(?!the )(?P<weekday>[a-z]{3,9})\.?,? )?"
_DAY = r"(?P<day>\d\d?)(?:st|nd|rd|th)?"
_MONTH = r"(?P<month>[a-z]{3,9})\.?"
_YEAR = r"(?:,? (?P<year>\d{1,4})(?: ?(?P<era>bc|bce|ad|ce))?)?"
_DATES = [
    re.compile(pattern)
    for pattern in (
        rf"{_WEEKDAY}(?:the )?{_DAY}(?: of)? {_MONTH}{_YEAR}",
        rf"{_WEEKDAY}{_MONTH} (?:the )?{_DAY}{_YEAR}",
        r"(?P<month>[a-z]{3,9})\.?,? (?P<year>\d{4})",
        r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)",
        r"(?P<year>\d{4})/(?P<month>\d\d)/(?P<day>\d\d)",
        r"(?P<day>\d\d)\.(?P<month>\d\d)\.(?P<year>\d{4})",
    )
]
_SLASHED = re.compile(r"(\d\d?)/(\d\d?)/(\d{4})")
_TIME = re.compile(
    r"(?P<hour>\d\d?)(?::(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?)? ?(?P<half>am|pm)?"
    r"(?: ?(?:hrs|hours|o'clock))?"
)
_HALF = re.compile(r"\b([ap])\. ?m\.?")
_LIKELY = re.compile(
    r"\d\s?[aApP]\.? ?[mM]|\d[-/.]\d\d|\d:\d|\d\D*[a-zA-Z]{3}|[a-zA-Z]{3}\D*\d|[nN](?:oon|ight)"
)
_MARKUP = re.compile(r"\\(?:text|mathrm|textbf|mbox)\s?\{|[{}$~]|\\[,;:! ]|\^")
_NAMED = {"noon": 720, "midnight": 0, "12 noon": 720, "12 midnight": 0}


def moment(text: str) -> Moment | None:
    r"""Read a date or a time of day; return None if the text is none.

    Raises :class:`InvalidAnswer` for a day that there is not, and for a date in digits that may be
    meant in two ways.

    >>> moment("July 4th, 1776") == moment(r"4 \text{ July } 1776") == moment("1776-07-04")
    True
    >>> moment("3:45 p.m.").minute, moment("15:45").minute, moment("3:10"), moment("1/2")
    (945, 945, None, None)
    """
    if len(text) > LONGEST or not _LIKELY.search(text):
        return None
    bare = _HALF.sub(r"\1m", " ".join(_MARKUP.sub(" ", text.casefold()).split())).strip(" .")
    bare = bare.removeprefix("on ").removeprefix("at ")
    if bare in _NAMED:
        return Moment(minute=_NAMED[bare])
    if slashed := _SLASHED.fullmatch(bare):
        return _in_slashes(*map(int, slashed.groups()))
    matches = (pattern.fullmatch(bare) for pattern in _DATES)
    if matched := next(filter(None, matches), None):
        return _dated(matched.groupdict())
    timed = _TIME.fullmatch(bare)
    return _timed(timed) if timed else None


def _dated(parts: dict[str, str | None]) -> Moment | None:
    month, weekday = (parts.get(name) or "" for name in ("month", "weekday"))
    number = int(month) if month.isdecimal() else _MONTHS.get(month)
    if number is None or (weekday and weekday not in _DAYS):
        return None
    year, day = (int(part) if (part := parts.get(name)) else None for name in ("year", "day"))
    if year is not None and (parts.get("era") or "").startswith("b"):
        year = -year
    return _checked(Moment(year, number, day, _DAYS.get(weekday)))


def _checked(instant: Moment) -> Moment:
    """A date that there is."""
    year, month, day = instant.year, instant.month, instant.day
    if month is None or not 1 <= month <= 12 or year == 0:
        raise InvalidAnswer("this date does not exist")
    known = year if year is not None and year > 0 else 2000  # a leap year
    if day is not None and not 1 <= day <= monthrange(known, month)[1]:
        raise InvalidAnswer("this day does not exist")
    full = instant.weekday is not None and day is not None and year is not None and year > 1752
    if full and date(year or 1, month, day or 1).weekday() != instant.weekday:
        raise InvalidAnswer("that day was another day of the week")
    return instant


def _in_slashes(one: int, other: int, year: int) -> Moment:
    """Day and month in the order that there is, where there is but one."""
    if one <= 12 and other <= 12 and one != other:
        raise InvalidAnswer("a date that can be read in two ways")
    day, month = (one, other) if other <= 12 else (other, one)
    return _checked(Moment(year, month, day))


def _timed(parts: re.Match[str]) -> Moment | None:
    hour, half = int(parts["hour"]), parts["half"]
    minute, second = int(parts["minute"] or 0), int(parts["second"] or 0)
    clock = parts["minute"] is not None or parts[0].endswith("clock")
    if half:
        if not 1 <= hour <= 12 or second:
            return None
        return Moment(minute=(hour % 12 + 12 * (half == "pm")) * 60 + minute)
    if not clock or hour > 24 or second or (hour == 24 and minute):
        return None
    if gcd(hour, minute) == 1 and minute > 9 and parts["hour"][0] != "0":
        return None  # a ratio in lowest terms
    return Moment(minute=hour % 24 * 60 + minute)
