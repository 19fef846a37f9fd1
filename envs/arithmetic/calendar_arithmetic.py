"""The proleptic calendar of Pope Gregory XIII (1582); Zeller's congruence."""

from collections.abc import Iterable
from datetime import date, timedelta
from random import Random
from typing import Literal, Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import integer
from palaestra.verifiers.reading.times import MONTHS, WEEKDAYS, dated_weekday

NTH = ("first", "second", "third", "fourth")
CALENDAR = (
    "All dates are in the Gregorian calendar, which also counts for the years before it was "
    "introduced: every year divisible by 4 is a leap year, except those divisible by 100 but not "
    "by 400. Dates are written year-month-day."
)
KNOWN = "2000-01-01 is a Saturday."


class CalendarArithmetic(Puzzle):
    """Count days, working days and weekdays between dates, and find dates and their weekdays."""

    tags = {"calculation", "calendar", "unique-solution"}
    calculation = True
    answer_type = "date"

    class Knobs(Puzzle.Knobs):
        what: Literal["between", "after", "working", "nth"] = ladder(
            "between", "between", "after", "after", "working", "nth", "nth"
        )
        years: int = ladder(1, 10, 2, 30, 60, 150, 1500, low=1, high=3000)

    what: str
    first: date
    second: date
    """The later date."""

    weekday: int
    """For 'nth': the weekday to find, from 0 for Monday."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        year = rng.randint(2000 - knobs.years // 2, 2030 - knobs.years // 2)
        start = date(year, 1, 1).toordinal()
        days = sorted(rng.sample(range(start, start + 365 * knobs.years), 2))
        first, second = (date.fromordinal(day) for day in days)
        return cls(what=knobs.what, first=first, second=second, weekday=rng.randrange(7))

    def is_valid(self) -> bool:
        apart = (self.second - self.first).days
        if self.what == "nth":  # at most the fourth such weekday, and in a later month
            same = (self.first.year, self.first.month) == (self.second.year, self.second.month)
            return self.second.day <= 28 and not same
        return apart > 20

    def canonical(self) -> str:
        if self.what == "nth":
            return f"nth {self.first} {self.target()}"
        return f"{self.what} {self.first} {self.second}"

    def target(self) -> date:
        """For 'nth': the n-th such weekday in the month of the second date."""
        start = self.second.replace(day=1)
        offset = (self.weekday - start.weekday()) % 7 + 7 * ((self.second.day - 1) // 7)
        return start + timedelta(days=offset)

    def prompt(self) -> str:
        number = "Give a whole number, such as '1234'."
        first, second = self.first.isoformat(), self.second.isoformat()
        match self.what:
            case "between":
                ask = self.phrase(
                    f"How many days after {first} is {second}?",
                    f"How many days is it from {first} to {second}, if only the second of the two "
                    "days is counted?",
                )
                return f"{CALENDAR}\n\n{ask} {number}"
            case "after":
                apart = (self.second - self.first).days
                shape = "Give both, the date as year-month-day, such as 'Friday 1987-06-05'."
                ask = self.phrase(
                    f"Which weekday and date are {apart} days after {first}?",
                    f"What are the weekday and the date {apart} days later than {first}?",
                )
                return f"{CALENDAR} {KNOWN}\n\n{ask} {shape}"
            case "working":
                ask = self.phrase(
                    f"How many days from {first} to {second}, both included, are neither a "
                    "Saturday nor a Sunday?",
                    f"How many of the days from {first} to {second}, both included, are one of "
                    "Monday, Tuesday, Wednesday, Thursday and Friday?",
                )
                return f"{CALENDAR} {KNOWN}\n\n{ask} {number}"
        which = f"{NTH[(self.second.day - 1) // 7]} {WEEKDAYS[self.weekday]}"
        month = f"{MONTHS[self.second.month - 1]} {self.second.year}"
        ask = self.phrase(
            f"How many days after {first} is the {which} of {month}?",
            f"How many days is it from {first} to the {which} of {month}, if the latter day is "
            "counted and the former is not?",
        )
        return f"{CALENDAR} {KNOWN}\n\n{ask} {number}"

    def value(self) -> int:
        """The number of days to give, for all tasks but 'after'."""
        if self.what == "nth":
            return (self.target() - self.first).days
        apart = (self.second - self.first).days
        if self.what == "working":
            weeks, rest = divmod(apart + 1, 7)
            return 5 * weeks + sum((self.first.weekday() + n) % 7 < 5 for n in range(rest))
        return apart

    def answer(self) -> str:
        if self.what == "after":
            return f"{WEEKDAYS[self.second.weekday()]} {self.second.isoformat()}"
        return str(self.value())

    def verify(self, answer: str) -> Score:
        if self.what != "after":
            right = integer(answer, units=("day", "days", "working days")) == self.value()
            return Score(1) if right else Score(0, "the number of days is wrong")
        day, weekday = dated_weekday(answer)
        if day != self.second:
            return Score(0, "the date is wrong")
        right = weekday == WEEKDAYS[self.second.weekday()]
        return Score(1) if right else Score(0, "the weekday is wrong")

    def difficulty(self) -> float:
        years = 1 + (self.second - self.first).days // 365
        return {"between": 1, "after": 12, "working": 16, "nth": 18}[self.what] * len(bin(years))

    def shortcuts(self) -> Iterable[str]:
        apart = (self.second - self.first).days
        years = self.second.year - self.first.year
        yield from map(str, (365 * years, round(365.25 * years), apart * 5 // 7, 30, 365))
