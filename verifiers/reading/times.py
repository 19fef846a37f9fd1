r"""Readers of durations, of times of the week, and of dates with their weekdays.

- A duration is ``40:39`` or ``40:39:00`` (hours first), or numbers with units, from large to small:
  ``40 hours 39 minutes``, ``40 h 39 min``, ``1 day 16 h 39 min``, ``2439 minutes``.
- A date is ``2013-10-28`` (also with slashes), or has the month in words: ``28 October 2013``,
  ``October 28, 2013``. Digits with the year last are refused: ``5/6/2013`` is in May or in June.
- The weekday, in full or by its first three letters, stands before or behind the date or the time.
- A time of the day is ``15:30`` or ``3:30 PM``, and may say that it is in UTC.
"""

import re
from datetime import date
from fractions import Fraction

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import plain

LENGTH = 200
"""The most characters of a date or a duration."""

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

_CLOCK = re.compile(r"(\d{1,6}):([0-5]\d)(?::([0-5]\d))? ?(?:hours?|hrs?|h)?", re.ASCII)
_PART = re.compile(r"(\d{1,9}(?:\.\d{1,9})?) ?([a-z]+)\.?(?:, and |, | and | |$|(?=\d))", re.ASCII)
_SECONDS = {
    **dict.fromkeys(("d", "day", "days"), 86_400),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3_600),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1),
}
_WORD = re.compile(r"[a-z]+|\d+", re.ASCII)
_ISO = re.compile(r"(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)", re.ASCII)
_YEAR_LAST = re.compile(r"(?<!\d)\d{1,2}([-/.])\d{1,2}\1\d{4}(?!\d)", re.ASCII)
_TIME = re.compile(
    r"(?<![\d:])([01]?\d|2[0-3]):([0-5]\d)(?::00)?(?![\d:])(?: ?([ap])\.?m\b\.?)?", re.ASCII
)
_TIME_FILLERS = frozenset(("at", "on", "utc"))
_WORDS = re.compile(r"[a-z ,()]*", re.ASCII)
_TEXT = re.compile(r"[\w\s,.:;()\-]*", re.ASCII)
_FILLERS = frozenset(("the", "of", "on", "is", "it", "a", "and", "date", "weekday"))
_LONGER = {"tues": 1, "weds": 2, "thur": 3, "thurs": 3}
_ORDINALS = frozenset(("st", "nd", "rd", "th"))


def duration(text: str, seconds: bool = False) -> int:
    """Read a duration; return it in seconds.

    A time of two numbers, such as ``40:39``, is in hours and minutes. Where ``seconds`` are
    expected it could be minutes and seconds, and is refused.

    >>> duration("40:39"), duration("40 hours and 39 minutes"), duration("1:00:30", seconds=True)
    (146340, 146340, 3630)
    """
    body = _unadorned(text)
    example = "'207:05:09'" if seconds else "'207:05'"
    if clock := _CLOCK.fullmatch(body):
        if seconds and clock[3] is None:
            raise InvalidAnswer(f"expected hours, minutes and seconds, such as {example}")
        return int(clock[1]) * 3600 + int(clock[2]) * 60 + int(clock[3] or 0)
    total, position, last = Fraction(0), 0, 10**9
    while position < len(body):
        part = _PART.match(body, position)
        size = _SECONDS.get(part[2], 0) if part else 0
        if not part or not 0 < size < last or (position and Fraction(part[1]) * size >= last):
            raise InvalidAnswer(f"expected a duration, such as {example}")
        total += Fraction(part[1]) * size
        position, last = part.end(), size
    if not body or total.denominator > 1:
        raise InvalidAnswer(f"expected a duration, such as {example}")
    return int(total)


def weekday_time(text: str) -> tuple[int, int]:
    """Read a weekday and a time of the day; return the weekday from 0 for Monday, and minutes.

    >>> weekday_time("Monday 06:15"), weekday_time("3:30 PM on Tue"), weekday_time("Sun, 15:30 UTC")
    ((0, 375), (1, 930), (6, 930))
    """
    body = _unadorned(text)
    time = _TIME.search(body)
    rest = f"{body[: time.start()]} {body[time.end() :]}" if time else ""
    words = [word for word in _WORD.findall(rest) if word not in _TIME_FILLERS]
    weekday = _named(words[0], WEEKDAYS) if len(words) == 1 else ""
    if not time or not weekday or not _WORDS.fullmatch(rest):
        raise InvalidAnswer("expected a weekday and a time, such as 'Monday 06:15'")
    hour = int(time[1])
    if time[3] and not 1 <= hour <= 12:
        raise InvalidAnswer("expected an hour from 1 to 12 before AM or PM")
    if time[3]:
        hour = hour % 12 + 12 * (time[3] == "p")
    return WEEKDAYS.index(weekday), hour * 60 + int(time[2])


def dated_weekday(text: str) -> tuple[date | None, str]:
    """Read a date and its weekday, in either order.

    Returns ``None`` for a date that does not exist, such as 30 February, and the weekday in full.

    >>> dated_weekday("2013-10-28 (Monday)"), dated_weekday("Mon, 28th October 2013")
    ((datetime.date(2013, 10, 28), 'Monday'), (datetime.date(2013, 10, 28), 'Monday'))
    """
    body = _unadorned(text)
    year_month_day, rest = _numeric_date(body)
    words = [word for word in _WORD.findall(rest) if word not in _FILLERS]
    weekdays = [day for word in words if (day := _named(word, WEEKDAYS))]
    others = [word for word in words if not _named(word, WEEKDAYS)]
    if year_month_day is None:
        year_month_day = _date_in_words(others)
    elif others:
        raise _no_date()
    if len(weekdays) != 1:
        raise _no_date()
    try:
        return date(*year_month_day), weekdays[0]
    except ValueError:
        return None, weekdays[0]


def _unadorned(text: str) -> str:
    """A short text in lower case, without marks around its parts."""
    if len(text) > LENGTH:
        raise InvalidAnswer("expected a shorter answer")
    body = plain(text).replace("\\text", " ").replace("\\,", " ").replace("\\ ", " ")
    for mark in "*_`\"'{}$~\\":
        body = body.replace(mark, " " if mark in "{}~" else "")
    return " ".join(body.casefold().split())


def _no_date() -> InvalidAnswer:
    return InvalidAnswer("expected a weekday and a date, such as 'Friday 1987-06-05'")


def _numeric_date(text: str) -> tuple[tuple[int, int, int] | None, str]:
    """Year, month and day of a date in digits, and the text without it."""
    if iso := _ISO.search(text):
        return (int(iso[1]), int(iso[3]), int(iso[4])), text[: iso.start()] + text[iso.end() :]
    if _YEAR_LAST.search(text):
        raise InvalidAnswer(
            "the day and the month may be in either order; expected year-month-day, such as "
            "'Friday 1987-06-05'"
        )
    return None, text


def _date_in_words(words: list[str]) -> tuple[int, int, int]:
    """Year, month and day of a date such as 28 October 2013, or October 28 2013."""
    words = [word for word in words if word not in _ORDINALS]
    months = [n for n, word in enumerate(words) if _named(word, MONTHS)]
    if len(words) != 3 or len(months) != 1 or months[0] == 2 or not 3 <= len(words[2]) <= 4:
        raise _no_date()
    month = _named(words[months[0]], MONTHS)
    day, year = (word for n, word in enumerate(words) if n != months[0])
    if not (day.isdecimal() and year.isdecimal() and len(day) <= 2):
        raise _no_date()
    return int(year), MONTHS.index(month) + 1, int(day)


def _named(word: str, names: tuple[str, ...]) -> str:
    """The name that a word is in full or abbreviates, or ""."""
    known = (name for name in names if word in (name.casefold(), name[:3].casefold()))
    return next(known, names[_LONGER[word]] if word in _LONGER and names is WEEKDAYS else "")
