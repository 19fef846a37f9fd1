"""Tests of tables that know what differs from their start."""

from random import Random

import pytest

from palaestra.generators.tools.records import PAGE, RecordWorld, new_row, page_of
from palaestra.task import InvalidAnswer

TABLES = {
    "note": {n: {"text": f"note {n}", "read": False} for n in range(1, 6)},
    "log": {},
}


def world():
    return RecordWorld((), TABLES, free=["log"])


def test_changes_are_fields_new_rows_and_rows_that_are_gone():
    records = world()
    records.update("note", 2, read=True)
    records.remove("note", 3)
    number = records.add("note", text="new", read=False)
    assert number == 6
    assert records.changes() == {
        ("note", "2", "read"): True,
        ("note", "3"): "removed",
        new_row("note", text="new", read=False): 1,
    }
    assert [n for n, _ in records.rows("note")] == [1, 2, 4, 5, 6]


def test_what_is_undone_is_no_change():
    records = world()
    records.update("note", 2, read=True)
    records.update("note", 2, read=False)
    number = records.add("note", text="new", read=False)
    records.remove("note", number)
    records.add("log", text="seen")
    assert records.changes() == {}


def test_new_rows_are_the_same_in_any_order_and_counted():
    one, other = world(), world()
    for text in ("a", "b", "a"):
        one.add("note", text=text)
    for text in ("a", "a", "b"):
        other.add("note", text=text)
    assert one.changes() == other.changes()
    assert one.changes()[new_row("note", text="a")] == 2


@pytest.mark.parametrize("number", [0, 6, -1, 10**30])
def test_rows_that_are_not_there_are_refused(number):
    records = world()
    for use in (records.row, records.update, records.remove):
        with pytest.raises(InvalidAnswer, match="there is no note"):
            use("note", number)
    assert records.changes() == {}


@pytest.mark.parametrize("seed", range(50))
def test_changes_are_the_difference_of_snapshots(seed):
    """By the definition: whole tables compared, after random work on them."""
    rng, records = Random(seed), world()
    now = {n: dict(row) for n, row in TABLES["note"].items()}
    for _ in range(rng.randrange(12)):
        number = rng.choice([*now] or [99])
        if number in now and rng.random() < 0.3:
            records.remove("note", number)
            del now[number]
        elif number in now and rng.random() < 0.7:
            value = rng.random() < 0.5
            records.update("note", number, read=value)
            now[number]["read"] = value
        else:
            row = {"text": rng.choice("ab"), "read": False}
            now[records.add("note", **row)] = dict(row)
    assert dict(records.rows("note")) == now
    changes = records.changes()
    start = TABLES["note"]
    assert {key[1] for key in changes if changes[key] == "removed"} == {
        str(n) for n in start if n not in now
    }
    fields = {key for key in changes if len(key) == 3 and key[1] != "new"}
    assert fields == {
        ("note", str(n), "read") for n in start if n in now and now[n]["read"] != start[n]["read"]
    }
    added = [new_row("note", **row) for n, row in now.items() if n not in start]
    assert {key: added.count(key) for key in added} == {
        key: value for key, value in changes.items() if key[1] == "new"
    }
    assert start == {n: {"text": f"note {n}", "read": False} for n in range(1, 6)}


def test_pages():
    lines = [str(n) for n in range(2 * PAGE + 1)]
    assert page_of(lines, 3) == f"{2 * PAGE}\n(page 3 of 3)"
    assert page_of(lines[:PAGE], 1).endswith(f"{PAGE - 1}\n(page 1 of 1)")
    assert page_of([], 1) == "none\n(page 1 of 1)"
    for page in (0, 4, -1):
        with pytest.raises(InvalidAnswer, match="pages go from 1 to 3"):
            page_of(lines, page)
