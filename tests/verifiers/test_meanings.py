"""What answers say, and votes among answers in other words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.registry import load
from palaestra.verifiers.meanings import is_order_free, meaning, same_meaning, say_same
from palaestra.verifiers.votes import Majority, vote_rewards


def task(name, seed=3):
    return Address.of(name, 1, seed).task()


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("arithmetic/fraction_arithmetic", "1/2", "0.5"),
        ("counting/dice_probability", "$\\frac{2}{4}$", " 1/2."),
        ("graphs/maximum_clique", "A, B, C", "C, A, B"),
        ("graphs/minimum_vertex_cover", "{A, B}", "B, A"),
        ("language/fact_retrieval", "Ada, Bo", "Bo, Ada"),
        ("logic/knights_and_knaves", "Ada: knight\nBo: knave", "Bo: knave\nAda: knight"),
        ("algorithms/sort_six", "1 2 3", "**1 2 3**"),
    ],
)
def test_answers_that_are_equal_in_other_words(name, one, other):
    assert meaning(task(name), one) == meaning(task(name), other)
    assert same_meaning(task(name))(one, other)


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("arithmetic/fraction_arithmetic", "1/2", "1/3"),
        ("algorithms/sort_six", "1 2 3", "3 2 1"),
        ("graphs/shortest_path", "A, B, C", "C, B, A"),
        ("algebra/linear_system", "x = 1, y = 2", "x = 2, y = 1"),
        ("strings/ab_rewriting", "0101", "101"),
        ("logic/knights_and_knaves", "Ada: knight\nBo: knave", "Bo: knight\nAda: knave"),
        ("graphs/maximum_clique", "A, B, C", "A, B"),
    ],
)
def test_answers_that_say_different_things(name, one, other):
    assert meaning(task(name), one) != meaning(task(name), other)


@pytest.mark.parametrize(
    ("name", "free"),
    [
        ("graphs/maximum_clique", True), ("optimisation/knapsack", True),
        ("graphs/shortest_path", False), ("algorithms/sort_six", False),
        ("planning/blocksworld", False), ("programs/repair_the_bug", False),
    ],
)  # fmt: skip
def test_the_order_is_free_where_right_answers_stay_right(name, free):
    assert is_order_free(load(name)) is free


def test_right_answers_of_the_oracle_agree_with_themselves():
    for name in ("graphs/steiner_tree", "algebra/matrix_product", "games/chess_mate"):
        sample = task(name)
        assert same_meaning(sample)(sample.answer(), f"  {sample.answer()}\n")


def test_a_majority_among_answers_in_other_words():
    equal = same_meaning(task("arithmetic/fraction_arithmetic"))
    answers = ["1/2", "0.5", "$\\frac{1}{2}$", "1/3", "1/3"]
    assert vote_rewards(answers, equal) == [1, 1, 1, 0, 0]
    assert Majority(answers, equal).tally.agreement == 0.6
    assert vote_rewards(answers) == [None] * 5, "as text, two wrong ones have most votes"


@given(st.lists(st.text("ab1/2, .\n", max_size=6), min_size=1, max_size=4), st.booleans())
def test_saying_the_same_is_an_equivalence(texts, ordered):
    for one in texts:
        assert say_same(one, one, ordered)
        for other in texts:
            assert say_same(one, other, ordered) == say_same(other, one, ordered)
            if say_same(one, other, ordered=True):
                assert say_same(one, other, ordered=False)


@pytest.mark.parametrize(
    "text", ["1" * 100_000, ",\n" * 50_000, "(" * 90_000, "\ud800", "", "9" * 1999]
)
def test_any_text_says_something(text):
    for name in ("graphs/maximum_clique", "arithmetic/fraction_arithmetic", "algorithms/sort_six"):
        assert meaning(task(name), text) == meaning(task(name), text)
