"""What stands around a move and says nothing about it."""

import pytest

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.lead_ins import LONGEST, read_move, without_lead_in


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


def reader(*moves):
    """A reader of these moves as they are, with the texts that it was called with."""
    texts = []

    def read(text):
        texts.append(text)
        if text not in moves:
            raise InvalidAnswer(f"there is no move {text!r}")
        return text

    return read, texts


@pytest.mark.parametrize(
    "text",
    ["take 2", "X: take 2", "I take 2", "I will take 2", "I choose take 2", "1. I'd play take 2",
     "My move: **take 2**", "take 2 (the best move)", '{"move": "take 2"}'],
)  # fmt: skip
def test_moves_are_read_behind_what_says_nothing_about_them(text):
    assert read_move(reader("take 2")[0], text, ["X"]) == "take 2"


def test_a_move_is_read_as_it_is_if_the_game_knows_it():
    """What looks like a bullet or a verb may be a part of the move."""
    for move in ("1. 3", "play 2", "I", "move r1c1"):
        read, texts = reader(move, "3", "2", "r1c1")
        assert read_move(read, move) == move
        assert texts == [move]


@pytest.mark.parametrize("text", ["O: take 2", "take 2 or take 3", "not take 2", "I take 3", ""])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        read_move(reader("take 2")[0], text, ["X"])


def test_the_refusal_is_about_the_move_alone():
    with pytest.raises(InvalidAnswer, match=r"^there is no move 'take 9'$"):
        read_move(reader("take 2")[0], "X: take 9", ["X"])


def test_long_texts_are_read_once():
    read, texts = reader("take 2")
    with pytest.raises(InvalidAnswer):
        read_move(read, "I play " * LONGEST)
    assert len(texts) == 1


def test_an_object_with_a_repeated_member_is_no_move():
    assert without_lead_in('{"move": "left"}') == "left"
    twice = '{"move": "left", "move": "right"}'
    assert without_lead_in(twice) == twice
