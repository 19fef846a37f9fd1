"""Tests of counting/words_with_pattern."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.counting.words_with_pattern import RULES, WordsWithPattern
from palaestra.generators.counting.puzzle import read_count
from palaestra.generators.counting.words_with_pattern import (
    Condition,
    automaton,
    counts,
    far_term,
    number_of_words,
    power_count,
    random_condition,
    recurrence,
)
from palaestra.task import InvalidAnswer


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("letters", [2, 3])
def test_automata_accept_the_words_that_satisfy_the_condition(rule, letters):
    for seed in range(4):
        rng = Random(seed)
        for condition in (random_condition(rng, rule, letters, length) for length in (6, 12)):
            numbers = counts(automaton((condition,), letters), 7, 0)
            for length in range(1, 8):
                words = map("".join, product("ABC"[:letters], repeat=length))
                assert numbers[length] == sum(map(condition.holds, words)), condition


def test_two_conditions_hold_at_once():
    pair = (Condition("times", "AA", 2), Condition("remainder", "B", 1, 2))
    words = map("".join, product("ABC", repeat=7))
    number = sum(all(c.holds(word) for c in pair) for word in words)
    assert number_of_words(pair, 3, 7, 0) == number > 0


@settings(deadline=None)
@given(st.integers(0, 10**9), st.integers(50, 3_000))
def test_long_words_are_counted_like_short_ones(seed, length):
    rng = Random(seed)
    conditions = [random_condition(rng, rule, 2, 12) for rule in rng.sample(RULES, 2)]
    machine = automaton(conditions, 2)
    number = number_of_words(conditions, 2, length, 10_007)
    assert number == power_count(machine, length, 10_007)
    assert number == counts(machine, length, 10_007)[length]


def test_recurrences_continue_their_terms():
    terms = [1, 2, 4]
    while len(terms) < 60:
        terms.append((terms[-1] + 3 * terms[-2] + 5 * terms[-3]) % 10_007)
    rule = recurrence(terms[:12], 10_007)
    assert rule == [1, 3, 5]
    assert far_term(terms[:6], rule, 59, 10_007) == terms[59]
    assert recurrence([0, 0, 0], 10_007) == []
    assert far_term([0, 0, 0], [], 9, 10_007) == 0


def test_fibonacci_numbers_count_words_without_two_equal_letters_in_a_row():
    avoided = Condition("avoids", "AA")
    assert [number_of_words((avoided,), 2, n, 0) for n in range(1, 7)] == [2, 3, 5, 8, 13, 21]
    assert number_of_words((avoided,), 2, 10**18, 10_007) == power_count(
        automaton((avoided,), 2), 10**18, 10_007
    )


def test_scores():
    task = WordsWithPattern(letters=2, length=6, conditions=(Condition("avoids", "AA"),))
    assert task.verify("21").value == 1
    assert task.verify("64").reason == "the number is wrong"
    assert task.verify("-21").reason == "the number is negative"
    long = task.model_copy(update={"modulus": 13})
    assert long.verify("8").value == 1
    assert long.verify("21").reason == "a remainder after division by 13 is less than that"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("8269 words", 8269), ("Count: 8269", 8269), ("**Total:** 8,269", 8269), ("= 5", 5),
        ("Remainder: 5", 5), ("85 (mod 10069)", 85), ("85 mod 10069", 85), ('{"answer": 85}', 85),
        ("The remainder is 85.", 85), (r"85 \pmod{10069}", 85),
    ],
)  # fmt: skip
def test_counts_behind_headings_and_before_units(text, number):
    assert read_count(text, 10069) == number


@pytest.mark.parametrize("text", ["85 (mod 10067)", "85 letters", "Other: 85", "85 words or 86"])
def test_what_is_no_count(text):
    with pytest.raises(InvalidAnswer):
        read_count(text, 10069)
