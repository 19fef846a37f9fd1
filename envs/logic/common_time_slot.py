"""Scheduling a meeting across time zones, which S. Fleming proposed (1879)."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Self

from palaestra.generators.logic.common_time_slot import (
    DAY,
    DAYS,
    Diary,
    as_text,
    clock,
    free,
    moment,
    random_diary,
)
from palaestra.generators.people import NAMES
from palaestra.scenes import Bar, Panels, Timeline
from palaestra.task import InvalidAnswer, Puzzle, Score, Sentence, ladder
from palaestra.verifiers.reading.labels import matched, pairs
from palaestra.verifiers.reading.times import weekday_time

SPELLINGS = {
    f"{end} {noun}": end
    for end in ("earliest", "latest")
    for noun in ("start", "time", "start time", "beginning")
}


class CommonTimeSlot(Puzzle):
    """Find the earliest and the latest time for a meeting of people in several time zones."""

    tags = {"time", "scheduling", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        people: int = ladder(2, 2, 3, 4, 5, 7, 9, low=2, high=12)
        days: int = ladder(2, 3, 3, 3, 4, 5, 5, low=2, high=6)
        busy: int = ladder(2, 2, 3, 4, 5, 6, 7, low=1, high=12)
        zones: int = ladder(0, 1, 2, 3, 4, 4, 5, low=0, high=6)
        grain: int = ladder(30, 30, 15, 15, 10, 5, 5, low=5, high=30)

    names: tuple[str, ...]
    diaries: tuple[Diary, ...]
    days: int
    length: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        grain = knobs.grain if 60 % knobs.grain == 0 else 15
        diaries = [
            random_diary(rng, knobs.days, knobs.busy, knobs.zones, grain)
            for _ in range(knobs.people)
        ]
        length = rng.choice((30, 45, 60, 75, 90)) // grain * grain or grain
        # One time is kept free for everybody, with two possible starts.
        first = max(diary.opening() for diary in diaries)
        last = min(diary.closing() for diary in diaries) - length - grain
        begin = rng.randrange(knobs.days) * DAY + rng.randrange(first, last + 1, grain)
        return cls(
            names=tuple(rng.sample(NAMES, knobs.people)),
            diaries=tuple(diary.cleared(begin, begin + length + grain) for diary in diaries),
            days=knobs.days,
            length=length,
        )

    def is_valid(self) -> bool:
        starts = self.starts()
        return starts[0] != max(diary.opening() for diary in self.diaries)

    def canonical(self) -> str:
        return repr((sorted(self.diaries), self.days, self.length))

    def sentences(self) -> Sequence[Sentence]:
        return [Sentence(as_text(*each)) for each in zip(self.diaries, self.names)]

    def prompt(self) -> str:
        lines = "\n".join(sentence.text for sentence in self.sentences())
        ask = self.phrase(
            f"They need one meeting of {self.length} minutes without interruption.",
            f"All of them must meet once, for {self.length} minutes without interruption.",
        )
        return (
            f"These people plan a meeting in the days from Monday to {DAYS[self.days - 1]}:\n\n"
            f"{lines}\n\nWorking hours and breaks are the same each day. The days and times of "
            "each person are by that person's own clock: UTC+3 is 3 hours ahead of UTC, UTC-3 is "
            f"3 hours behind it. {ask} Throughout the meeting everybody must be at work, not on a "
            "break and not busy; the meeting may begin exactly when a break or a busy time ends, "
            "and end exactly when one begins. What are the earliest and the latest time at which "
            "it can begin, in UTC? Write two lines, such as:\nearliest: "
            f"Monday 06:15\nlatest: {DAYS[self.days - 1]} 21:05"
        )

    def starts(self) -> list[int]:
        """All starts of the meeting, in minutes from the beginning of Monday in UTC."""
        return [
            start
            for begin, end in free(self.diaries, self.days)
            for start in range(begin, end - self.length + 1)
        ]

    def scene(self) -> Panels:
        return self.calendar({})

    def solved_scene(self, answer: str) -> Panels:
        return self.calendar(self.read(answer))

    def calendar(self, starts: Mapping[str, int]) -> Panels:
        """A chart of each day: a row for each person, by that person's own clock, and one in UTC
        for some starts of the meeting.
        """
        first = min(diary.begin for diary in self.diaries) // 60 * 60
        last = max(diary.end for diary in self.diaries)
        spans = {name: divmod(start, DAY) for name, start in starts.items()}
        low = min([first, *(start for _, start in spans.values())])
        high = max([last, *(start + self.length for _, start in spans.values())])
        ticks = tuple((hour * 60, str(hour)) for hour in range(-(-low // 60), high // 60 + 1))
        charts = []
        for day in range(self.days):
            rows = [diary_bars(diary, day) for diary in self.diaries]
            labels = [
                f"{name} UTC{diary.zone:+}" if diary.zone else f"{name} UTC"
                for name, diary in zip(self.names, self.diaries)
            ]
            if starts:
                rows.append(
                    tuple(
                        Bar(start, start + self.length, name, "accent")
                        for name, (own, start) in spans.items()
                        if own == day
                    )
                )
                labels.append("UTC")
            charts.append(Timeline(tuple(rows), tuple(labels), start=low, end=high, ticks=ticks))
        columns = 1 if self.days * len(self.names) <= 12 else 2
        return Panels(tuple(charts), DAYS[: self.days], columns)

    def answer(self) -> str:
        starts = self.starts()
        return f"earliest: {moment(starts[0])}\nlatest: {moment(starts[-1])}"

    def read(self, answer: str) -> dict[str, int]:
        """The two starts of an answer, in minutes from the beginning of Monday in UTC."""
        lines = pairs(answer, ("earliest", "latest"), spellings=SPELLINGS)
        return {name: _minute(text) for name, text in lines.items()}

    def verify(self, answer: str) -> Score:
        starts = self.starts()
        return matched(self.read(answer), {"earliest": starts[0], "latest": starts[-1]})

    def difficulty(self) -> float:
        return float(sum(1 + len(d.busy) + len(d.breaks) + abs(d.zone) for d in self.diaries))

    def shortcuts(self) -> Iterable[str]:
        """The common working hours of the first and the last day, without breaks and busy times."""
        begin = max(diary.opening() for diary in self.diaries)
        end = min(diary.closing() for diary in self.diaries) - self.length
        yield f"earliest: {moment(begin)}\nlatest: {moment((self.days - 1) * DAY + end)}"


def diary_bars(diary: Diary, day: int) -> tuple[Bar, ...]:
    """The working hours, breaks and busy times of a day."""
    busy = [(begin, end, "t3") for own, begin, end in diary.busy if own == day]
    breaks = [(begin, end, "muted") for begin, end in diary.breaks]
    return (
        Bar(diary.begin, diary.end, tone="t2"),
        *(Bar(begin, end, f"{clock(begin)}-{clock(end)}", tone) for begin, end, tone in breaks),
        *(Bar(begin, end, f"{clock(begin)}-{clock(end)}", tone) for begin, end, tone in busy),
    )


def _minute(text: str) -> int:
    weekday, minutes = weekday_time(text)
    if weekday >= len(DAYS):
        raise InvalidAnswer(f"nobody works on a Sunday; expected a day from Monday to {DAYS[-1]}")
    return weekday * DAY + minutes
