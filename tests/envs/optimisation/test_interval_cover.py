"""Tests of optimisation/interval_cover."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.optimisation.interval_cover import PROBLEMS, IntervalCover
from palaestra.generators.optimisation.interval_cover import (
    cheapest_dominating,
    cheapest_layers,
    cheapest_stabbing,
    dearest_packing,
    flow_cost,
)

DAYS = 7
ITEMS = st.lists(
    st.tuples(st.integers(1, DAYS), st.integers(1, DAYS), st.integers(1, 9)).map(
        lambda t: ((min(t[:2]), max(t[:2])), t[2])
    ),
    min_size=1,
    max_size=7,
)


def choices(size):
    for choice in product((False, True), repeat=size):
        yield [n for n, taken in enumerate(choice) if taken]


def layers(intervals, chosen):
    return [sum(intervals[n][0] <= d <= intervals[n][1] for n in chosen) for d in range(1, 8)]


def best(costs, allowed, choose=min):
    return choose(sum(costs[n] for n in c) for c in choices(len(costs)) if allowed(c))


@settings(deadline=None)
@given(ITEMS, st.integers(1, 3))
def test_no_packing_is_worth_more(items, limit):
    intervals, values = zip(*items)
    most = best(values, lambda c: max(layers(intervals, c)) <= limit, max)
    chosen, _ = dearest_packing(intervals, values, limit)
    assert max(layers(intervals, chosen)) <= limit
    assert sum(values[n] for n in chosen) == most
    losses = [-value for value in values]
    assert flow_cost(intervals, losses, [limit] * DAYS, limit) == -most


@settings(deadline=None)
@given(ITEMS, st.lists(st.integers(0, 2), min_size=DAYS, max_size=DAYS))
def test_no_cover_costs_less(items, wanted):
    intervals, costs = zip(*items)
    every = layers(intervals, range(len(items)))
    needs = [min(pair) for pair in zip(wanted, every)]
    if not any(needs):
        return

    def enough(chosen):
        return all(a >= b for a, b in zip(layers(intervals, chosen), needs))

    least = best(costs, enough)
    chosen, _ = cheapest_layers(intervals, costs, needs)
    assert enough(chosen)
    assert sum(costs[n] for n in chosen) == least
    units = max(needs)
    assert flow_cost(intervals, costs, [units - need for need in needs], units) == least


@settings(deadline=None)
@given(ITEMS, st.lists(st.integers(1, 9), min_size=DAYS, max_size=DAYS))
def test_no_days_that_meet_all_intervals_cost_less(items, costs):
    intervals, _ = zip(*items)

    def meets_all(days):
        return all(any(a <= day + 1 <= b for day in days) for a, b in intervals)

    chosen, _ = cheapest_stabbing(intervals, costs)
    assert meets_all(chosen)
    assert sum(costs[n] for n in chosen) == best(costs, meets_all)


@settings(deadline=None)
@given(ITEMS)
def test_no_dominating_intervals_cost_less(items):
    intervals, costs = zip(*items)

    def dominates(chosen):
        return all(
            any(a <= intervals[n][1] and intervals[n][0] <= b for n in chosen) for a, b in intervals
        )

    chosen, _ = cheapest_dominating(intervals, costs)
    assert dominates(chosen)
    assert sum(costs[n] for n in chosen) == best(costs, dominates)


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("level", [1, 3, 6])
def test_oracle_and_audit_agree(problem, level):
    knobs = IntervalCover.Knobs.at(level, problem=problem)
    task = IntervalCover.sample(Random(level), knobs)
    assert task.verify(task.answer()).value == 1
    assert task.audit(task.answer())


def a_task(problem, costs, **more):
    intervals = ((1, 3), (3, 5), (4, 6), (6, 7))
    return IntervalCover(problem=problem, intervals=intervals, costs=costs, **more)


def test_scores_of_covers_and_packings():
    cover = a_task("cover", (5, 4, 4, 3), needs=(1,) * 7)
    assert cover.verify("1, 3, 4").value == 1
    assert cover.verify("4, 3 and 1").value == 1
    assert cover.verify("1, 2, 3, 4").reason == "the total is 16, and a better solution exists"
    assert cover.verify("1, 2").reason == "day 6 is in too few of them"
    pack = a_task("pack", (5, 7, 4, 1), limit=1)
    assert pack.verify("1, 3").value == 1
    assert pack.verify("1, 2").reason == "day 3 is in more than 1 of them"
    assert pack.verify("1, 1").reason == "one of the intervals is listed twice"


def test_scores_of_days_and_dominating_intervals():
    stab = a_task("stab", (1, 1, 3, 2, 3, 4, 1))
    assert stab.verify("3, 6").reason == "the total is 7, and a better solution exists"
    assert stab.verify("1, 4, 7").value == 1
    assert stab.verify("1, 4").reason == "interval 4 contains no chosen day"
    assert stab.verify("8").reason == "the days are numbered from 1 to 7"
    dominate = a_task("dominate", (2, 6, 5, 2))
    assert dominate.verify("1, 4").value == 1
    assert dominate.verify("1").reason == "interval 3 meets no chosen interval"
