"""Labelled values: every layout is read, and what is ambiguous is refused."""

import pytest

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import pairs

RIGHT = {"Ada": "knight", "Bo": "knave"}


@pytest.mark.parametrize(
    "text",
    [
        "Ada: knight\nBo: knave",
        "Here is the result:\nAda: knight\nBo: knave",
        "**Result:**\n- Ada: knight\n- Bo: knave",
        "Ada is knight\nBo is knave.",
        "Ada - knight\nBo \u2013 knave",
        "{'Ada': 'knight', 'Bo': 'knave'}",
        "{Ada: knight, Bo: knave}",
        "| name | value |\n| --- | :-: |\n| Ada | knight |\n| **Bo** | knave |",
        "| Ada | knight |\n| Bo | knave |",
        "| Ada | knight |\n|---|---|\n| Bo | knave |",
    ],
)
def test_each_layout_of_names_and_values(text):
    assert pairs(text, list(RIGHT), ["knight", "knave"]) == RIGHT


@pytest.mark.parametrize(
    "text",
    [
        "Ada: knight\nBo: knave\nBo: knight",
        "Ada: knight\nCleo: knave",
        "Ada is knight or Bo is knave",
        "| Ada | knight | knave |\n| Bo | knave | knight |",
        "| Ada | knight |\n| Cleo | knave |",
        "Ada: knight:\nBo: knave",
        "{'Ada': 'knight', 'Bo': 'knave'",
        "Ada:\nknight\nBo:\nknave",
    ],
)
def test_other_texts_are_refused(text):
    with pytest.raises(InvalidAnswer):
        pairs(text, list(RIGHT), ["knight", "knave"])


def test_a_dash_before_a_digit_may_be_a_minus_sign():
    assert pairs("x is 3\ny is -2", "xy") == {"x": "3", "y": "-2"}
    for text in ("x - 3\ny - 2", "x -3\ny -2"):
        with pytest.raises(InvalidAnswer):
            pairs(text, "xy")


def test_a_time_is_no_label():
    names = ["earliest", "latest"]
    right = {"earliest": "Monday 06:15", "latest": "Tuesday 21:05"}
    for text in (
        "earliest is Monday 06:15\nlatest is Tuesday 21:05",
        "\n".join(map(": ".join, right.items())),
    ):
        assert pairs(text, names) == right
