"""Tests of optimisation/ordering_by_exchange: costs by the rules, and all orders."""

from itertools import accumulate, combinations, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.optimisation.ordering_by_exchange import OrderingByExchange
from palaestra.generators.optimisation.ordering_by_exchange import (
    COSTS,
    available_first,
    best_cost,
    best_order,
    cost_of,
    random_items,
    random_waits,
)

NAME = "optimisation/ordering_by_exchange"
SENSES = [(cost, False) for cost in COSTS] + [("growth", True), ("digits", True)]


def by_the_rules(cost, items):
    """The cost of items in their order, from the rule in the prompt."""
    a, b = ([item[n] for item in items] for n in (0, 1))
    match cost:
        case "waiting":
            return sum(loss * end for loss, end in zip(b, accumulate(a)))
        case "pairs":
            return sum(blue * red for (blue, _), (_, red) in combinations(items, 2))
        case "unloading":
            return sum(effort * sum(b[n:]) for n, effort in enumerate(a))
        case "capital":
            return min(fund for fund in range(sum(a) + 1) if lasts(fund, items))
        case "stack":
            return max(sum(a[:n]) - strength for n, strength in enumerate(b))
        case "machines":
            return last_dry(items)
        case "growth":
            number = 1
            for factor, more in items:
                number = number * factor + more
            return number
        case "digits":
            return int("".join(map(str, a)))


def lasts(fund, items):
    for price, back in items:
        if fund < price:
            return False
        fund += back - price
    return True


def last_dry(items):
    """The end of the last load, minute by minute."""
    washed = dict(enumerate(accumulate(washing for washing, _ in items)))
    minute = load = 0
    while load < len(items):
        if washed[load] <= minute:
            minute += items[load][1]
            load += 1
        else:
            minute += 1
    return minute


ITEMS = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=2, max_size=6)


@settings(deadline=None, max_examples=150)
@given(ITEMS, st.sampled_from(SENSES), st.integers(1, 4), st.integers(0, 10**6))
def test_no_order_is_better(items, sense, chains, seed):
    cost, greatest = sense
    items = [(a, 0) for a, _ in items] if cost == "digits" else items
    after = random_waits(Random(seed), len(items), min(chains, len(items)))
    allowed = [
        order
        for order in permutations(range(len(items)))
        if all(before < 0 or order.index(before) < order.index(n) for n, before in enumerate(after))
    ]
    costs = {order: by_the_rules(cost, [items[n] for n in order]) for order in allowed}
    assert all(cost_of(cost, items, order) == costs[order] for order in allowed[:50])
    best = max(costs.values()) if greatest else min(costs.values())
    order, _ = best_order(cost, items, after, greatest)
    assert costs[tuple(order)] == best
    assert best_cost(cost, items, after, greatest) == best


@pytest.mark.parametrize("cost", COSTS)
def test_sampled_tasks_agree_with_the_table(cost):
    for level in (2, 4):
        task = Address.of(NAME, 5, level, cost=cost).task()
        assert task.verify(task.answer()).value == 1
        assert task.audit(task.answer())
        listed = ", ".join(str(n + 1) for n in available_first(task.after, lambda n: n))
        assert task.verify(listed).value == 0
        assert not task.audit(listed)


def test_the_numbers_of_items_are_positive():
    for cost in COSTS:
        for seed in range(20):
            items = random_items(Random(seed), cost, 12, 20)
            assert len(items) == 12
            assert all(a > 0 and (b > 0 or cost == "digits") for a, b in items)


TASK = OrderingByExchange(
    cost="waiting", greatest=False, items=((9, 1), (1, 9), (2, 1)), after=(-1, 0, -1)
)


def test_scores():
    assert TASK.verify("1, 2, 3").value == 1
    assert TASK.verify("1 and 2 and 3").value == 1
    assert TASK.verify("repair 1 -> repair 2 -> repair 3").value == 1
    assert TASK.verify("3, 1, 2").reason == "the value is 121, and a better solution exists"
    assert TASK.verify("2, 1, 3").reason == "2 comes before 1"
    assert TASK.verify("1, 2").reason == "the order has 2 of 3 numbers"
    assert TASK.verify("1, 2, 2").reason == "a number is listed twice"
    assert TASK.verify("1, 2, 4").reason == "the numbers are from 1 to 3"


def test_tables_have_the_items_of_the_prompt():
    for level in range(7):
        task = Address.of(NAME, 1, level).task()
        rows = [", ".join(c.text for c in row if c.text) for row in task.scene().rows]
        listed = task.prompt().splitlines()[1 : 1 + len(rows)]
        assert [line.partition(": ")[2].replace("; ", ", ") for line in listed] == rows
        solved = task.solved_scene(task.answer())
        assert ", ".join(solved.left) == task.answer()


def test_stacks_are_asked_for_by_their_knob_alone():
    costs = {Address.of(NAME, seed, 3).task().cost for seed in range(60)}
    assert costs == {*COSTS} - {"stack"}
    assert Address.of(NAME, 1, 3, cost="stack").task().cost == "stack"
