"""Tests of arithmetic/playing_cards_24."""

from itertools import permutations, product

import pytest

from palaestra.address import Address
from palaestra.envs.arithmetic.playing_cards_24 import RANKS, SUITS, WORDS, PlayingCards24, value
from palaestra.task import InvalidAnswer
from palaestra.verifiers.expressions import second_opinion

NAME = "arithmetic/playing_cards_24"


def task_of(*cards, rule, target=24):
    hands = tuple(tuple(value(card, rule) for card in hand) for hand in cards)
    return PlayingCards24(cards=cards, rule=rule, hands=hands, target=target)


def test_what_cards_count_as():
    numbers = {
        "ranks": [1, *range(2, 11), 11, 12, 13],
        "high aces": [14, *range(2, 11), 11, 12, 13],
        "tens": [1, *range(2, 11), 10, 10, 10],
    }
    for rule, own in numbers.items():
        for suit in SUITS:
            assert [value(rank + suit, rule) for rank in RANKS] == own
    for suit, factor in zip(SUITS, (1, 2, 2, 1)):
        doubled = [value(rank + suit, "red doubled") for rank in RANKS]
        assert doubled == [factor * number for number in numbers["ranks"]]
    assert {*numbers, "red doubled"} == {*WORDS}


def test_the_rule_decides():
    hand = ("K♠", "J♥", "A♣")
    assert task_of(hand, rule="ranks").verify("1: 13 + 11 * 1").value == 1
    assert task_of(hand, rule="tens").verify("1: 13 + 11 * 1").value == 0
    assert task_of(hand, rule="tens", target=21).verify("1: 10 + 10 + 1").value == 1
    assert task_of(hand, rule="red doubled", target=36).verify("1: 13 + 22 + 1").value == 1
    assert task_of(hand, rule="high aces", target=38).verify("1: 13 + 11 + 14").value == 1


@pytest.mark.parametrize("level", range(2))
def test_hands_called_impossible_are(level):
    """All orders of the numbers, signs and places of brackets, with three cards."""
    for seed in range(12):
        task = Address.of(NAME, seed, level).task()
        for hand, line in zip(task.hands, task.answer().splitlines()):
            ways = (
                text
                for a, b, c in permutations(hand)
                for p, q in product("+-*/", repeat=2)
                for text in (f"({a} {p} {b}) {q} {c}", f"{a} {p} ({b} {q} {c})")
            )
            opinions = filter(None, map(second_opinion, ways))
            possible = any(each.value == task.target for each in opinions)
            assert possible == (not line.endswith("impossible"))


def test_the_rule_for_evaluation_is_in_no_level():
    rules = {PlayingCards24.Knobs.at(n).rule for n in range(PlayingCards24.Knobs.levels())}
    assert rules == {*WORDS} - {"tens"}
    task = Address.of(NAME, 0, 2, rule="tens").task()
    assert "as 10 each" in task.prompt()
    assert task.verify(task.answer()).value == 1


def test_no_card_is_twice_in_a_hand():
    for seed in range(30):
        for hand in Address.of(NAME, seed, 6).task().cards:
            assert len({*hand}) == len(hand)


def test_lines_with_several_equals_signs_and_other_words_for_none():
    task = PlayingCards24(
        cards=(("Q♠", "10♠", "4♠", "3♠"), ("A♠", "A♥", "A♦", "A♣")),
        rule="ranks",
        hands=((12, 10, 4, 3), (1, 1, 1, 1)),
        target=24,
    )
    first = "12 * (10 - 4) / 3"
    for line in (first, f"{first} = 24", f"{first} = 12 * 6 / 3 = 72 / 3 = 24"):
        for none in ("impossible", "Not possible.", "none", "no solution"):
            for text in (f"1: {line}\n2: {none}", f"Hand 1: {line}\nHand 2: {none}"):
                assert task.verify(text).value == 1, text
                assert task.audit(text)
    assert task.verify("1: 24 = 12 * 6 / 3 = 24\n2: none").value == 0
    for line in (f"{first} = 12 * 5 / 3 = 24", f"{first} = 24 = 25"):
        with pytest.raises(InvalidAnswer):
            task.verify(f"1: {line}\n2: none")
