"""Tests of planning/car_painting."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.planning.car_painting import CarPainting, best_order, changes, greedy_order
from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10**6)


def drawn(kind, seed, level, **chosen):
    return kind.sample(Random(seed), kind.Knobs.at(level, **chosen))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 2), min_size=2, max_size=7), st.integers(1, 3))
def test_cars_are_ordered_best(colours, reach):
    """Against all orders that there are."""
    colours = tuple(colours)
    legal = [
        order
        for order in permutations(range(len(colours)))
        if all(abs(car - place) <= reach for place, car in enumerate(order))
    ]
    fewest = min(changes(colours[car] for car in order) for order in legal)
    assert changes(colours[car] for car in best_order(colours, reach)) == fewest
    assert best_order(colours, reach) in legal
    assert greedy_order(colours, reach) in legal


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.data())
def test_cars_earn_what_they_save(seed, data):
    """Of the changes that a careless painter makes, after a few swaps in the old order."""
    task = drawn(CarPainting, seed, 0)
    order = list(range(1, len(task.colours) + 1))
    for place in data.draw(st.lists(st.integers(0, len(order) - 2), max_size=6)):
        order[place : place + 2] = order[place + 1], order[place]
    found = changes(task.colours[car - 1] for car in order)
    saved = max(0, task.baseline() - found) / (task.baseline() - task.best())
    far = any(abs(car - place) > task.reach for place, car in enumerate(order, 1))
    score = task.verify(", ".join(map(str, order)))
    assert score.value == (0 if far else saved)
    assert ("from its old place" in score.reason) == far


def test_cars_are_all_painted_once():
    task = drawn(CarPainting, 1, 0)
    assert "exactly once" in task.verify("1, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13").reason
    for told in ("1, 2, 3", "red, blue", "0" * 300):
        with pytest.raises(InvalidAnswer):
            task.verify(told)
