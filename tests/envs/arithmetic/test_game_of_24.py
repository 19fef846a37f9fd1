"""Tests of arithmetic/game_of_24."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.arithmetic.game_of_24 import GameOf24
from palaestra.generators.arithmetic.target_hands import NONE, expression
from palaestra.task import InvalidAnswer
from palaestra.verifiers.arithmetic.reach import values
from palaestra.verifiers.expressions import second_opinion


@given(st.lists(st.integers(1, 12), min_size=1, max_size=4), st.integers(0, 60))
@settings(max_examples=150, deadline=None)
def test_search_finds_what_brute_force_does(hand, target):
    text = expression(tuple(hand), target, "+-*/")
    assert (text is not None) == (target in values(tuple(hand), "+-*/"))
    if text:
        opinion = second_opinion(text)
        assert opinion.value == target
        assert sorted(opinion.numbers) == sorted(hand)


@pytest.mark.parametrize("hand", [(3, 3, 8, 8), (1, 5, 5, 5), (4, 4, 7, 7), (1, 3, 4, 6)])
def test_famous_hands(hand):
    assert expression(hand, 24, "+-*/")
    assert expression(hand, 24, "+-*") is None


def test_intermediate_results_may_be_zero():
    assert expression((1, 1, 5, 7, 9), 0, "*-") is not None


def test_24_needs_every_line_right():
    task = GameOf24(hands=((1, 1, 1, 1), (3, 3, 8, 8)), target=24, signs="+-*/")
    assert task.verify("2: 8/(3-8/3)\n1: Impossible").correct
    for wrong in (
        "1: impossible\n2: impossible",
        "1: 6+6+6+6\n2: 8/(3-8/3)",
        "1: impossible\n2: 3*8",
        "1: impossible\n2: 8*3*(8-3)/5",
        "1: (1+1+1+1)!\n2: 8/(3-8/3)",
        "1: impossible\n2: 33 - 8 - 8/8",
    ):
        try:
            assert task.verify(wrong).value == 0
        except InvalidAnswer:
            assert "!" in wrong


def test_hands_of_six_are_drawn_with_few_searches():
    knobs = GameOf24.Knobs.at(0, hands=8, cards=6, highest=100, target=10, spread=40)
    expression.cache_clear()
    hands = GameOf24.generate(Random(1), knobs).hands
    assert expression.cache_info().misses <= 3 * len(hands)


@given(st.integers(0, 2**31 - 1))
def test_a_hand_of_the_lowest_level_takes_more_than_a_sum(seed):
    task = Address.of("arithmetic/game_of_24", seed).task()
    (hand,) = task.hands
    assert sum(hand) != task.target
    assert task.answer() != f"1: {NONE}"
