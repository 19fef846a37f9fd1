"""Tests of optimisation/array_levelling: steps are carried out, and all rows are tried."""

from heapq import heappop, heappush
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.optimisation.array_levelling import ArrayLevelling
from palaestra.generators.optimisation.array_levelling import (
    Goal,
    Price,
    broken,
    cheapest,
    cost,
    fits,
    least_cost,
)

NAME = "optimisation/array_levelling"
LOW, HIGH = -5, 9
"""Between these numbers, steps of the search by hand stay."""


def spans(steps, size):
    """The positions that a step may change."""
    return {
        "single": [(n, n + 1) for n in range(size)],
        "runs": [(a, b) for a in range(size) for b in range(a + 1, size + 1)],
        "ends": [(n, size) for n in range(size)],
    }[steps]


def by_steps(steps, price, start):
    """The cost of every row that steps from a row lead to, by carrying them out."""
    costs, heap = {}, [(0, tuple(start))]
    factors = price.factors or (1,) * (len(start) + 1)
    amounts = range(LOW - HIGH, HIGH - LOW + 1) if price.base else (-1, 1)
    while heap:
        spent, row = heappop(heap)
        if row in costs:
            continue
        costs[row] = spent
        for (first, end), by in product(spans(steps, len(row)), amounts):
            new = tuple(n + by if first <= k < end else n for k, n in enumerate(row))
            if not by or min(new) < LOW or max(new) > HIGH or new in costs:
                continue
            if steps == "runs":
                price_of_step = factors[first] + factors[end]
            else:
                size = price.up * by if by > 0 else -price.down * by
                price_of_step = price.base + size * factors[first]
            heappush(heap, (spent + price_of_step, new))
    return costs


PRICES = [
    ("single", Price(1, 1)), ("single", Price(2, 1, 3, (1, 2, 1))), ("single", Price(1, 3)),
    ("runs", Price(1, 1)), ("runs", Price(1, 1, 0, (3, 1, 2, 1))),
    ("ends", Price(1, 2)), ("ends", Price(2, 1, 2, (1, 3, 2))),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "price"), PRICES)
def test_costs_are_those_of_the_cheapest_steps(steps, price):
    for start in ((1, 3, 0), (2, 2, 4)):
        for row, spent in by_steps(steps, price, start).items():
            if all(0 <= number <= 4 for number in row):
                assert cost(steps, price, start, row) == spent, row


def holds(goal, row):
    """Whether a row satisfies a goal, from the sentences that state it."""
    steps = [b - a for a, b in pairwise(row)]
    up, down = [s >= 0 for s in steps], [s <= 0 for s in steps]
    shape = {
        "": True,
        "rising": all(up),
        "falling": all(down),
        "hill": any(all(up[:n]) and all(down[n:]) for n in range(len(row))),
        "valley": any(all(down[:n]) and all(up[n:]) for n in range(len(row))),
        "zigzag": all(steps) and all(a * b < 0 for a, b in pairwise(steps)),
    }[goal.shape]
    gap = {
        "": True,
        "gentle": max(map(abs, steps)) <= goal.step,
        "apart": min(map(abs, steps)) >= goal.step,
    }[goal.gap]
    extra = {
        "": True,
        "levels": sum(a != b for a, b in pairwise(row)) <= goal.number - 1,
        "multiples": goal.number == 0 or all(n % goal.number == 0 for n in row),
        "divisible": goal.number == 0 or sum(row) % goal.number == 0,
    }[goal.extra]
    return shape and gap and extra


GOALS = st.builds(
    Goal,
    st.sampled_from(["", "rising", "falling", "hill", "valley", "zigzag"]),
    st.sampled_from(["", "gentle", "apart"]),
    st.integers(1, 3),
    st.sampled_from(["", "levels", "multiples", "divisible"]),
    st.integers(2, 4),
)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.integers(0, 5), min_size=2, max_size=4), GOALS, st.sampled_from(PRICES))
def test_no_row_is_cheaper(row, goal, prices):
    steps, price = prices
    if price.factors:
        price = price._replace(factors=(*price.factors, 2, 1)[: len(row) + (steps == "runs")])
    rows = [*product(range(6), repeat=len(row))]
    assert {each for each in rows if not broken(goal, each)} == {
        each for each in rows if holds(goal, each)
    }
    costs = [cost(steps, price, row, each) for each in rows if holds(goal, each)]
    best = min(costs, default=None)
    changed, _ = cheapest(steps, price, row, goal, 5)
    assert bool(changed) == (best is not None)
    assert not changed or cost(steps, price, row, changed) == best
    assert least_cost(steps, price, tuple(row), goal, 5) == best
    assert not changed or holds(goal, changed)


@pytest.mark.parametrize("level", range(7))
def test_oracle_and_audit_agree(level):
    for seed in range(3):
        task = Address.of(NAME, seed, level).task()
        assert fits(task.goal, len(task.row), task.high)
        assert task.verify(task.answer()).value == 1
        assert task.audit(task.answer())
        for player in task.baselines(Random(seed)).values():
            assert task.audit(player) == (task.verify(player).value == 1)


TASK = ArrayLevelling(
    steps="runs", row=(3, 1, 1, 4), goal=Goal("rising"), price=Price(1, 1), high=5
)


def test_scores():
    assert TASK.verify("1, 1, 1, 4").value == 1
    assert TASK.verify("[3, 3, 3, 4]").value == 1
    assert TASK.verify("2, 2, 2, 4").value == 1
    assert TASK.verify("4, 4, 4, 4").reason == "the cost is 6, and a better solution exists"
    assert TASK.verify("3, 1, 1, 4").reason == "condition 1 is broken"
    assert TASK.verify("1, 1, 4").reason == "the row has 3 numbers, not 4"
    assert TASK.verify("1, 1, 1, 6").reason == "not every number is from 0 to 5"


def test_the_prompt_states_costs_and_conditions():
    task = TASK.model_copy(update={"price": Price(1, 1, 0, (1, 2, 3, 4, 5))})
    assert "with these tolls: 1, 2, 3, 4, 5." in task.prompt()
    scene = task.solved_scene("1, 1, 1, 4")
    assert [[cell.text for cell in row] for row in scene.cells] == [
        ["3", "1", "1", "4", ""], ["1", "2", "3", "4", "5"], ["1", "1", "1", "4", ""],
    ]  # fmt: skip
    goal = Goal("hill", "gentle", 2, "levels", 2)
    assert goal.texts()[1:] == [
        "Neighbours differ by at most 2.",
        "At most 1 number differs from the number before it.",
    ]
