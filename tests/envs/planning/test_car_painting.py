"""Tests of planning/car_painting."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sample

from palaestra.envs.planning.car_painting import CarPainting, best_order, changes, greedy_order
from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10**6)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 2), min_size=2, max_size=7), st.integers(1, 3))
def test_cars_are_ordered_best(colours, reach):
    """Against all orders that there are."""
    colours = tuple(colours)
    legal = [
        order
        for order in permutations(range(len(colours)))
        if all(abs(car - position) <= reach for position, car in enumerate(order))
    ]
    fewest = min(changes(colours[car] for car in order) for order in legal)
    assert changes(colours[car] for car in best_order(colours, reach)) == fewest
    assert best_order(colours, reach) in legal
    assert greedy_order(colours, reach) in legal


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.data())
def test_only_the_fewest_changes_score_and_others_state_how_close_they_come(seed, data):
    """After a few swaps in the old order or in the best one."""
    task = sample(CarPainting, seed, 0)
    order = list(range(1, len(task.colours) + 1))
    if data.draw(st.booleans()):
        order = [car + 1 for car in best_order(task.colours, task.reach)]
    for position in data.draw(st.lists(st.integers(0, len(order) - 2), max_size=6)):
        order[position : position + 2] = order[position + 1], order[position]
    count = changes(task.colours[car - 1] for car in order)
    saved = max(0, task.baseline() - count) / (task.baseline() - task.best())
    far = any(abs(car - position) > task.reach for position, car in enumerate(order, 1))
    score = task.verify(", ".join(map(str, order)))
    assert score.value == (not far and count == task.best())
    assert far or score.parts["progress"] == saved
    assert ("from its old place" in score.reason) == far


def test_cars_are_all_painted_once():
    task = sample(CarPainting, 1, 0)
    assert "exactly once" in task.verify("1, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13").reason
    for answer in ("1, 2, 3", "red, blue", "0" * 300):
        with pytest.raises(InvalidAnswer):
            task.verify(answer)
