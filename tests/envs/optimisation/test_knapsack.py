"""Tests of optimisation/knapsack."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.envs.optimisation.knapsack import Knapsack
from palaestra.generators.optimisation.knapsack import most_valuable, undominated


def test_an_answer_may_have_an_and():
    task = sampled("optimisation/knapsack", 1, 0)
    first, _, last = task.answer().rpartition(", ")
    assert task.verify(f"{first} and {last}").value == 1
    assert task.verify(f"[{last}, {first}]").value == 1


ITEMS = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 20)), min_size=1, max_size=8)


@given(ITEMS, st.integers(0, 50))
def test_knapsack_optimum(items, capacity):
    subsets = (chosen for size in range(len(items) + 1) for chosen in combinations(items, size))
    best = max(sum(v for _, v in s) for s in subsets if sum(w for w, _ in s) <= capacity)
    chosen = most_valuable(tuple(items), capacity)
    assert sum(items[item][1] for item in chosen) == best
    assert sum(items[item][0] for item in chosen) <= capacity
    assert undominated(items, capacity)[-1][1] == best


BAG = Knapsack(items=((6, 10), (5, 8), (5, 8), (4, 7), (3, 1)), capacity=10)


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("1, 4", 1, ""),
        ("4 1", 1, ""),
        ("[4; 1]", 1, ""),
        ("2, 3", 0, "the value is 16, and a better solution exists"),
        ("1, 2", 0, "a weight of 11 is more than 10"),
        ("4, 4, 4", 0, "an item is taken twice"),
        ("0, 4", 0, "the items have numbers from 1 to 5 only"),
        ("1, 4, 6", 0, "the items have numbers from 1 to 5 only"),
        ("-1", 0, "the items have numbers from 1 to 5 only"),
        ("9" * 399, 0, "the items have numbers from 1 to 5 only"),
    ],
)
def test_knapsack_scores(answer, value, reason, monkeypatch):
    monkeypatch.setattr(Knapsack, "baseline", lambda *_: 16)
    score = BAG.verify(answer)
    assert (score.value, score.reason) == (value, reason)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 6))
def test_knapsack_greed_does_not_pay(seed, level):
    task = Knapsack.sample(Random(seed), Knapsack.Knobs.at(level))
    assert all(task.verify(shortcut).value == 0 for shortcut in task.shortcuts())
    assert task.verify(task.answer()).value == 1
    assert task.audit(task.answer())


def test_knapsack_partial_credit():
    """Greed gets 13 and the best is 18; what lies between earns in proportion."""
    task = Knapsack(items=((6, 12), (5, 9), (5, 9), (4, 1), (5, 7)), capacity=10)
    assert (task.baseline(18), task.worth(task.search().solution)) == (13, 18)
    scores = [task.verify(answer) for answer in ("1, 4", "2, 5", "2, 3")]
    assert [score.value for score in scores] == [0, 0, 1]
    assert [score.parts["progress"] for score in scores] == [0, 0.6, 1]
