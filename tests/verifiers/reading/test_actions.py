"""Readers of single actions."""

import pytest

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import LONGEST, action, phrase

NAMES = {"hit": ("take a card",), "stand": ("stay",)}


@pytest.mark.parametrize(
    "text",
    [
        "hit",
        "I'd like to hit",
        "I would like to hit.",
        "I'm going to hit",
        "I am going to take a card",
        "Let's hit!",
        "Let us hit",
        "Let me hit",
        "please hit",
        "Hit, please.",
        "I'll take a card",
        "The best move is hit",
        "Answer: hit",
    ],
)
def test_usual_ways_to_say_a_move_are_read(text):
    assert action(text, NAMES) == "hit"


@pytest.mark.parametrize(
    "text",
    [
        "I'm not going to hit",
        "I wouldn't like to hit",
        "let's not hit",
        "please do not hit",
        "hit or stand",
        "I'd like to hit or stand",
        "never hit",
        "please",
        "I'd like to",
    ],
)
def test_negations_and_two_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        action(text, NAMES)


@pytest.mark.parametrize("gap", [" ", "*", "\u200b", "\n", "!"])
def test_what_follows_after_many_characters_counts(gap):
    with pytest.raises(InvalidAnswer, match="at most"):
        action(f"hit{gap * 250}or rather stand", NAMES)


@pytest.mark.parametrize("text", ["hit " * 250_000, "i " * 500_000, "*" * 500_000 + "hit"])
def test_long_texts_are_refused(text):
    with pytest.raises(InvalidAnswer, match=f"at most {LONGEST}"):
        phrase(text)
