"""Durations, dates and weekdays in every form, and what may be read in two ways."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hostile_texts import on_hostile_texts

from palaestra import InvalidAnswer
from palaestra.verifiers.reading.times import MONTHS, WEEKDAYS, dated_weekday, duration


@given(st.integers(0, 999), st.integers(0, 59))
def test_forms_of_a_duration(hours, minutes):
    total = hours * 3600 + minutes * 60
    for text in (
        *(f"{hours}:{minutes:02}", f"{hours}:{minutes:02}:00", f"{hours}:{minutes:02} hours"),
        *(f"{hours} hours {minutes} minutes", f"{hours} hours and {minutes} minutes"),
        *(f"{hours} h {minutes} min", f"{hours}h{minutes}m", f"{hours} hrs, {minutes} mins"),
        *(f"{60 * hours + minutes} minutes", f"**{hours}** hours **{minutes}** minutes"),
        *(
            f"{hours // 24} days {hours % 24} hours {minutes} min",
            f"{hours}\\text{{ h }}{minutes}m",
        ),
    ):
        assert duration(text) == total, text
    assert duration(f"{hours} h {minutes} min 7 s", seconds=True) == total + 7
    assert duration(f"{hours} h {minutes} min", seconds=True) == total


@pytest.mark.parametrize(
    "text",
    [
        *("", "40", "40:60", "40:5", "-40:39", "40.39", "40 h 60 min", "39 min 40 h", "40 h 2 h"),
        *("40 hours or 39 minutes", "not 40:39", "40:39 40:39", "40 h 39", "1 week", "40:39 am"),
    ],
)
def test_no_duration(text):
    with pytest.raises(InvalidAnswer, match="207:05"):
        duration(text)


def test_two_numbers_are_no_hours_minutes_and_seconds():
    with pytest.raises(InvalidAnswer, match="207:05:09"):
        duration("40:39", seconds=True)


DAYS = st.dates(date(500, 1, 1), date(9000, 1, 1))


@given(DAYS)
def test_forms_of_a_date(day):
    weekday, month = WEEKDAYS[day.weekday()], MONTHS[day.month - 1]
    year = f"{day.year:04}"
    for text in (
        *(f"{weekday} {day.isoformat()}", f"{day.isoformat()} ({weekday})"),
        *(f"{day.isoformat()}, {weekday}", f"{weekday}, {day.day} {month} {year}"),
        *(f"{weekday}, {month} {day.day}, {year}", f"{day.day}th {month} {year} ({weekday[:3]})"),
        *(f"Date: {day.isoformat()}\nWeekday: {weekday}", f"{weekday.upper()} {day.isoformat()}"),
        *(f"{weekday} the {day.day}th of {month} {year}", f"**{weekday}**, {day.isoformat()}"),
        *(f"{weekday[:3]} {day.day} {month[:3]} {year}", f"{weekday} {day.isoformat()}"),
        f"{weekday} {day.isoformat().replace('-', '/')}",
    ):
        assert dated_weekday(text) == (day, weekday), text


@given(DAYS)
def test_the_order_of_day_and_month_is_not_guessed(day):
    for mark in "/.-":
        text = f"Friday {day.day}{mark}{day.month}{mark}{day.year:04}"
        with pytest.raises(InvalidAnswer, match="either order"):
            dated_weekday(text)


@pytest.mark.parametrize(
    "text",
    [
        *("2013-10-28", "Monday", "Monday 2013-10", "Monday Tuesday 2013-10-28", "Mo 2013-10-28"),
        *("not Monday 2013-10-28", "Monday 13-10-28", "Monday 2013-10-28 2013-10-29"),
        *("Monday 28 October", "Monday October 2013 28", "Monday 28 Octobre 2013", "28 Oct 2013"),
    ],
)
def test_no_date(text):
    with pytest.raises(InvalidAnswer):
        dated_weekday(text)


def test_dates_that_do_not_exist():
    assert dated_weekday("Monday 2013-02-30") == (None, "Monday")
    other = date(2013, 10, 28) + timedelta(days=1)
    assert dated_weekday(f"Monday {other.isoformat()}") == (other, "Monday")


@on_hostile_texts
def test_anything_is_refused(text):
    for reader in (duration, dated_weekday):
        with pytest.raises(InvalidAnswer):
            reader(text)
