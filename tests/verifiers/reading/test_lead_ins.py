"""What stands around a move and says nothing about it."""

import pytest

from palaestra.verifiers.reading.lead_ins import LONGEST, without_lead_in


@pytest.mark.parametrize(
    "text",
    ["left", "- left", "* left", "1. left", "2) left", "**left**", "`left`", "X: left",
     "**X:** left", "x: left", "Move: left", "My next move is: left", "**Answer:** left",
     "X: Next move: **left**", "left (because it is free)", "left (since X is near).",
     '{"move": "left"}', "- **Move:** `left`"],
)  # fmt: skip
def test_nothing_but_the_move_is_left(text):
    assert without_lead_in(text, ["X"]) == "left"


@pytest.mark.parametrize(
    "text",
    ["O: left", "left (not right)", "left or right", "- left\n- right", '{"move": 3}', "{left}",
     '{"move": "left", "to": "right"}', "not left", "1.left", "X:", "(because)", "[" * 90,
     "{" * 90 + "}", "left (because (it) is free)"],
)  # fmt: skip
def test_all_else_stays(text):
    assert without_lead_in(text, ["X"]) == text


def test_long_texts_stay():
    text = "- " * LONGEST + "left"
    assert without_lead_in(text) == text


def test_both_ends_of_a_move_may_be_named():
    assert without_lead_in('{"from": "a1", "to": "a4"}') == "a1-a4"
