"""Diaries of people in different time zones, and the times when all of them are free.

Times are in minutes. Those of a diary are its owner's local times; all others are in UTC, from the
beginning of the first day, a Monday.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

DAY = 24 * 60
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")

Span = tuple[int, int]
"""Start and end, the end excluded."""


class Diary(NamedTuple):
    """The working hours, breaks and busy times of a person, in minutes of local time."""

    zone: int
    """Hours ahead of UTC."""
    begin: int
    end: int
    breaks: tuple[Span, ...]
    """The breaks of each day."""
    busy: tuple[tuple[int, int, int], ...]
    """Day, start and end of each busy time."""

    def opening(self) -> int:
        """The start of work on the first day, in UTC."""
        return self.begin - 60 * self.zone

    def closing(self) -> int:
        """The end of work on the first day, in UTC."""
        return self.end - 60 * self.zone

    def cleared(self, begin: int, end: int) -> "Diary":
        """The diary without the entries that overlap a meeting, which is given in UTC.

        >>> Diary(1, 480, 960, ((720, 750),), ((0, 540, 600), (1, 540, 600))).cleared(500, 530)
        Diary(zone=1, begin=480, end=960, breaks=((720, 750),), busy=((1, 540, 600),))
        """
        day, own = divmod(begin + 60 * self.zone, DAY)
        until = own + end - begin
        return self._replace(
            breaks=tuple((a, b) for a, b in self.breaks if b <= own or until <= a),
            busy=tuple((d, a, b) for d, a, b in self.busy if d != day or b <= own or until <= a),
        )


def random_diary(rng: Random, days: int, most: int, zones: int, grain: int) -> Diary:
    """A random diary with up to ``most`` busy times, in a zone up to ``zones`` hours from UTC."""

    def minute(low: int, high: int) -> int:
        return rng.randrange(low * 60, high * 60 + 1, grain)

    # People far in the east begin late, so that there are common hours.
    zone = rng.randint(-zones, zones)
    begin = max(0, min(minute(8, 10) + 40 * zone // 60 * 60, 13 * 60))
    end = begin + minute(8, 10)
    noon = begin + minute(3, 4)
    busy = []
    for _ in range(rng.randint(most // 2, most)):
        start = begin + rng.randrange(0, 8 * 60, grain)
        busy.append((rng.randrange(days), start, min(end, start + minute(1, 4))))
    breaks = ((noon, noon + rng.choice((30, 60))),) if rng.random() < 0.7 else ()
    return Diary(zone, begin, end, breaks, tuple(sorted(busy)))


def as_text(diary: Diary, name: str) -> str:
    """A diary in words.

    >>> as_text(Diary(-2, 540, 1020, ((720, 750),), ((1, 600, 660),)), "Bo")
    'Bo (UTC-2) works from 09:00 to 17:00; has a break from 12:00 to 12:30; is busy on Tuesday \
from 10:00 to 11:00.'
    """
    zone = f"UTC{diary.zone:+}" if diary.zone else "UTC"
    sentence = [f"{name} ({zone}) works from {clock(diary.begin)} to {clock(diary.end)}"]
    sentence += [f"has a break from {clock(a)} to {clock(b)}" for a, b in diary.breaks]
    sentence += [f"is busy on {DAYS[d]} from {clock(a)} to {clock(b)}" for d, a, b in diary.busy]
    return "; ".join(sentence) + "."


def clock(minute: int) -> str:
    """A time of day.

    >>> clock(65)
    '01:05'
    """
    return f"{minute // 60:02}:{minute % 60:02}"


def moment(minute: int) -> str:
    """A day and a time.

    >>> moment(DAY + 65)
    'Tuesday 01:05'
    """
    day, rest = divmod(minute, DAY)
    return f"{DAYS[day % len(DAYS)]} {clock(rest)}"


def both(one: Sequence[Span], other: Sequence[Span]) -> list[Span]:
    """The intersection of two lists of spans.

    >>> both([(0, 5)], [(3, 9)])
    [(3, 5)]
    """
    spans = [(max(a, c), min(b, d)) for a, b in one for c, d in other]
    return sorted((a, b) for a, b in spans if a < b)


def without(spans: Sequence[Span], taken: Iterable[Span]) -> list[Span]:
    """The difference of two lists of spans.

    >>> without([(0, 9)], [(3, 5)])
    [(0, 3), (5, 9)]
    """
    rest = list(spans)
    for c, d in taken:
        parts = [part for a, b in rest for part in ((a, min(b, c)), (max(a, d), b))]
        rest = sorted({(a, b) for a, b in parts if a < b})
    return rest


@lru_cache(maxsize=64)
def free(diaries: tuple[Diary, ...], days: int) -> tuple[Span, ...]:
    """The spans in which everybody is at work and free."""
    common = [(-DAY, (days + 1) * DAY)]
    for diary in diaries:
        starts = [day * DAY - 60 * diary.zone for day in range(days)]
        work = [(start + diary.begin, start + diary.end) for start in starts]
        taken = [(start + a, start + b) for start in starts for a, b in diary.breaks]
        taken += [(starts[day] + a, starts[day] + b) for day, a, b in diary.busy]
        common = without(both(common, work), taken)
    return tuple(common)
