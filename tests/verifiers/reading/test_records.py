"""Tests of palaestra.verifiers.reading.records."""

import pytest

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.records import records

ROWS = [("ada", 3), ("bo", None)]


@pytest.mark.parametrize(
    "text",
    [
        "ada, 3\nbo, NULL",
        "name, n\nada, 3\nbo, NULL",
        "1. Ada, 3\n2. Bo, null",
        "- ada | 3\n- bo | None",
        "| name | n |\n| --- | ---: |\n| ada | 3 |\n| bo | NULL |",
        '[["ada", 3], ["bo", null]]',
        "('ada', 3),\n('bo', NULL)",
        "ada\t\uff13\nbo\tNULL",
        "ada, 3; bo, NULL",
    ],
)
def test_layouts(text):
    assert records(text, ["name", "n"]) == ROWS


@pytest.mark.parametrize("text", ["", "ada", "ada, 3, 4", "name, n", "ada, 3\nbo"])
def test_refused(text):
    with pytest.raises(InvalidAnswer, match="expected rows of 2 cells"):
        records(text, ["name", "n"])


def test_texts_that_are_no_whole_numbers_stay_texts():
    assert records("3.0, 1e3", ["x", "y"]) == [("3.0", "1e3")]
    assert records("0, -7", ["x", "y"]) == [(0, -7)]


def test_objects():
    text = '[{"n": 3, "name": "Ada"}, {"name": null, "n": 2}]'
    assert records(text, ["name", "n"]) == [("ada", 3), (None, 2)]
    other = '[{"n": 3, "other": "Ada"}]'
    assert records(other, ["name", "n"]) != [("ada", 3)]


def test_a_key_with_two_values_is_refused():
    with pytest.raises(InvalidAnswer, match="'n' has two values"):
        records('[{"name": "ada", "n": 2, "n": 3}, {"name": "bo", "n": null}]', ["name", "n"])
