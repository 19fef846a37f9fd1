"""Hours and minutes in the base of 60, from Babylon; time zones after Sandford Fleming (1879)."""

from itertools import pairwise
from random import Random
from typing import Literal, Self

from palaestra.scenes import Bar, Cell, Grid, Panels, Scene, Text, Timeline
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.times import duration

Shift = tuple[int, int, int, int]
"""Begin and end in seconds from the first midnight in UTC, and the time zone of each."""


class TimeIntervals(Puzzle):
    """Add up time spans across midnights and time zones, counting overlaps by a stated rule."""

    tags = {"calculation", "time", "unique-solution"}
    calculation = True
    answer_type = "duration"

    class Knobs(Puzzle.Knobs):
        spans: int = ladder(1, 2, 3, 4, 5, 7, 10, low=1, high=30)
        days: int = ladder(1, 1, 1, 2, 2, 3, 3, low=1, high=30)
        seconds: bool = ladder(False, False, False, False, False, True)
        zones: int = ladder(0, 0, 0, 0, 3, 6, 11, low=0, high=12)
        what: Literal["total", "covered", "twice"] = ladder(
            "total", "total", "covered", "covered", "covered", "twice"
        )

    spans: tuple[Shift, ...]
    seconds: bool
    what: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        unit = 1 if knobs.seconds else 60
        day = 86_400 // unit
        spans = []
        for _ in range(max(knobs.spans, 1 if knobs.what == "total" else 3)):
            begin, end = sorted(rng.sample(range(day * knobs.days), 2))
            end = min(end, begin + day)
            zones = (rng.randint(-knobs.zones, knobs.zones) for _ in range(2))
            spans.append((begin * unit, end * unit, *zones))
        return cls(spans=tuple(spans), seconds=knobs.seconds, what=knobs.what)

    def is_valid(self) -> bool:
        if any(end - begin < 300 for begin, end, _, _ in self.spans):
            return False
        total, longest = spent(self.spans, 0), max(end - begin for begin, end, _, _ in self.spans)
        return self.what == "total" or self.value() not in (0, total, longest)

    def value(self) -> int:
        """The duration to give, in seconds."""
        return spent(self.spans, {"total": 0, "covered": 1, "twice": 2}[self.what])

    def canonical(self) -> str:
        return f"{self.what} {sorted(self.spans)}"

    def prompt(self) -> str:
        lines = "\n".join(
            f"{number}. {self._moment(begin, begin_zone)} to {self._moment(end, end_zone)}"
            for number, (begin, end, begin_zone, end_zone) in enumerate(self.spans, 1)
        )
        what = {
            "total": "What is the total length of these spans? If spans overlap, each counts in "
            "full.",
            "covered": "For how long is at least one of these spans running? Time in several of "
            "them counts once.",
            "twice": "For how long are at least two of these spans running at the same time? Time "
            "in three or more of them counts once, too.",
        }[self.what]
        lead = self.phrase("Here are spans of time:", "These are spans of time:")
        shape = (
            "hours, minutes and seconds, such as '207:05:09'"
            if self.seconds
            else "hours and minutes, such as '207:05'"
        )
        zones = (
            " A time marked UTC+3 is read from clocks 3 hours ahead of UTC, one marked UTC-3 from "
            "clocks 3 hours behind UTC, and so on; day 1 is the same date everywhere, day 0 the "
            "date before it."
            if any(begin_zone or end_zone for _, _, begin_zone, end_zone in self.spans)
            else ""
        )
        return (
            f"{lead}\n\n{lines}\n\nClocks go from 00:00 to 23:59; days are numbered.{zones} {what} "
            f"Give {shape}; hours may be more than 24."
        )

    def _moment(self, moment: int, zone: int) -> str:
        day, second = divmod(moment + 3600 * zone, 86_400)
        clock = f"{second // 3600:02}:{second // 60 % 60:02}"
        clock += f":{second % 60:02}" if self.seconds else ""
        zones = any(begin_zone or end_zone for _, _, begin_zone, end_zone in self.spans)
        return f"day {day + 1}, {clock}" + (f" (UTC{zone:+})" if zones else "")

    def scene(self) -> Scene:
        """The spans along the days, or a table of them if their clocks differ."""
        if any(zone for *_, one, other in self.spans for zone in (one, other)):
            return self._table()
        lines = [
            f"{n}. {self._moment(begin, 0)} to {self._moment(end, 0)}"
            for n, (begin, end, *_) in enumerate(self.spans, 1)
        ]
        days = -(-max(end for _, end, *_ in self.spans) // 86_400)
        bars = Timeline(
            tuple((Bar(begin / 3600, end / 3600),) for begin, end, *_ in self.spans),
            tuple(str(n) for n in range(1, len(self.spans) + 1)),
            end=24 * days,
            ticks=tuple((hour, str(hour % 24)) for hour in range(0, 24 * days + 1, 4 * days)),
        )
        return Panels((bars, Text(tuple(lines))), columns=1)

    def _table(self) -> Grid:
        """The days, clocks and time zones of the ends of each span."""
        units = ("day", "h", "min", "s", "UTC") if self.seconds else ("day", "h", "min", "UTC")
        rows = [
            (*self._parts(begin, begin_zone), *self._parts(end, end_zone))
            for begin, end, begin_zone, end_zone in self.spans
        ]
        return Grid(
            tuple(tuple(map(Cell, row)) for row in rows),
            top=tuple((unit,) for unit in 2 * units),
            left=tuple((str(n),) for n in range(1, len(rows) + 1)),
            regions=((0,) * len(units) + (1,) * len(units),) * len(rows),
        )

    def _parts(self, moment: int, zone: int) -> tuple[str, ...]:
        """The day, the parts of the clock, and the time zone of a moment."""
        day, second = divmod(moment + 3600 * zone, 86_400)
        clock = (second // 3600, second // 60 % 60, second % 60)[: 3 if self.seconds else 2]
        return (str(day + 1), *(f"{part:02}" for part in clock), f"{zone:+}")

    def answer(self) -> str:
        value = self.value()
        text = f"{value // 3600}:{value // 60 % 60:02}"
        return f"{text}:{value % 60:02}" if self.seconds else text

    def verify(self, answer: str) -> Score:
        if duration(answer, self.seconds) == self.value():
            return Score(1)
        return Score(0, "the time is wrong")

    def audit(self, answer: str) -> bool:
        """Count the units one by one."""
        unit = 1 if self.seconds else 60
        ends = [(begin // unit, end // unit) for begin, end, _, _ in self.spans]
        counts = [
            sum(begin <= moment < end for begin, end in ends)
            for moment in range(max(end for _, end in ends))
        ]
        least = {"covered": 1, "twice": 2}.get(self.what)
        total = sum(counts) if least is None else sum(count >= least for count in counts)
        return duration(answer, self.seconds) == total * unit

    def difficulty(self) -> float:
        weight = {"total": 1, "covered": 2, "twice": 3}[self.what]
        return (
            len(self.spans)
            * weight
            * (1 + any(begin_zone or end_zone for _, _, begin_zone, end_zone in self.spans))
        )

    def shortcuts(self) -> list[str]:
        return ["24:00", "12:00", "8:00", "24:00:00"]


def spent(spans: tuple[Shift, ...], least: int) -> int:
    """How long at least ``least`` spans run at once; for 0, the sum of their lengths.

    >>> spent(((0, 10, 0, 0), (5, 20, 0, 0)), 1), spent(((0, 10, 0, 0), (5, 20, 0, 0)), 2)
    (20, 5)
    """
    if least == 0:
        return sum(end - begin for begin, end, _, _ in spans)
    events = sorted([(begin, 1) for begin, *_ in spans] + [(end, -1) for _, end, *_ in spans])
    running, minutes = 0, 0
    for (moment, change), (following, _) in pairwise(events):
        running += change
        if running >= least:
            minutes += following - moment
    return minutes
