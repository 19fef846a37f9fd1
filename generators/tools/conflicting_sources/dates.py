"""Dates of a made-up calendar with twelve months of thirty days."""

import re

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip

YEAR = 701
"""The year that begins with day 0."""

_DATE = re.compile(r"(\d{1,2}) ([A-Z][a-z]+) (\d{3})", re.ASCII)


def date(day: int) -> str:
    """The date of a day.

    >>> date(0), date(395)
    ('1 January 701', '6 February 702')
    """
    year, rest = divmod(day, 360)
    return f"{rest % 30 + 1} {MONTHS[rest // 30]} {YEAR + year}"


def day_of(text: str) -> int:
    """The day of a date.

    >>> day_of("6 February 702")
    395
    """
    match = _DATE.fullmatch(text)
    assert match is not None
    return (int(match[3]) - YEAR) * 360 + MONTHS.index(match[2]) * 30 + int(match[1]) - 1
