"""Tests of arithmetic/calendar_arithmetic."""

import calendar
from datetime import date, timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.arithmetic.calendar_arithmetic import CalendarArithmetic
from palaestra.task import InvalidAnswer


@given(st.integers(0, 10**6), st.integers(0, 6))
@settings(max_examples=60, deadline=None)
def test_days_are_counted_one_by_one(seed, level):
    knobs = CalendarArithmetic.Knobs.at(level, years=3)
    task = CalendarArithmetic.sample(Random(seed), knobs)
    span = [task.first + timedelta(n) for n in range((task.second - task.first).days + 1)]
    if task.what == "between":
        assert task.answer() == str(len(span) - 1)
    elif task.what == "working":
        assert task.answer() == str(sum(day.weekday() < 5 for day in span))
    elif task.what == "after":
        assert task.answer() == span[-1].strftime("%A %Y-%m-%d")
    else:
        month = calendar.monthcalendar(task.second.year, task.second.month)
        those = [week[task.weekday] for week in month if week[task.weekday]]
        day = those[(task.second.day - 1) // 7]
        assert task.answer() == str((task.second.replace(day=day) - task.first).days)


def test_famous_dates():
    fields = {"what": "after", "weekday": 0, "second": date(1969, 7, 20)}
    task = CalendarArithmetic(first=date(1900, 3, 1), **fields)
    for right in (
        "sunday 1969-07-20",
        "Sunday 1969-7-20",
        "Sunday, 20 July 1969",
        "1969-07-20 (Sun)",
    ):
        assert task.verify(right).correct
    assert "weekday" in task.verify("Monday 1969-07-20").reason
    assert "date" in task.verify("Sunday 1969-07-21").reason
    for text in ("1969-07-20", "Sunday", "Sunday 20.7.1969", "Sunday 7/20/1969"):
        with pytest.raises(InvalidAnswer):
            task.verify(text)


def test_a_weekday_may_precede_or_follow_its_date():
    first, second = date(2026, 1, 1), date(2026, 2, 13)
    task = CalendarArithmetic(what="after", first=first, second=second, weekday=0)
    for right in ("Friday 2026-02-13", "friday, 2026-02-13", "2026-02-13, Friday"):
        assert task.verify(right).correct
    for wrong in (
        "2026-02-13 Monday",
        "Friday 2026-02-12",
        "Friday 2026-02-30",
        "Friday 0000-00-00",
    ):
        assert task.verify(wrong).value == 0
    for text in (
        "2026-02-13",
        "Friday",
        "Friday Friday",
        "2026-02-13 2026-02-13",
        "Friday 26-2-13",
    ):
        with pytest.raises(InvalidAnswer):
            task.verify(text)
