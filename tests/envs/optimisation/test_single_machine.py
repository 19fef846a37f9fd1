"""Tests of optimisation/single_machine."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.optimisation.single_machine import SingleMachine
from palaestra.generators.optimisation.single_machine import Job, best_order, penalty
from palaestra.task import InvalidAnswer

JOBS = st.lists(
    st.builds(
        Job, st.sampled_from("abc"), st.integers(1, 9), st.integers(1, 30), st.integers(1, 5)
    ),
    min_size=1,
    max_size=6,
)


@settings(deadline=None)
@given(JOBS, st.integers(0, 5))
def test_no_other_order_costs_less(jobs, cleaning):
    order, _ = best_order(jobs, cleaning)
    assert sorted(order) == [*range(len(jobs))]
    orders = permutations(range(len(jobs)))
    assert penalty(jobs, cleaning, order) == min(penalty(jobs, cleaning, each) for each in orders)


def test_cleaning_takes_time_between_materials_only():
    jobs = [Job("steel", 3, 3, 1), Job("steel", 2, 5, 1), Job("brass", 4, 9, 2)]
    assert penalty(jobs, 2, [0, 1, 2]) == 2 * (3 + 2 + 2 + 4 - 9)
    assert penalty(jobs, 0, [0, 1, 2]) == 0


TASK = SingleMachine(
    jobs=(Job("steel", 3, 3, 1), Job("brass", 4, 9, 2), Job("steel", 2, 5, 1)), cleaning=2
)


def test_scores():
    assert TASK.verify("1, 3, 2").value == 1
    assert TASK.verify("1 → 3 → 2").value == 1
    assert TASK.verify("1, 2, 3").reason == "the penalty is 8, and a better solution exists"
    assert TASK.verify("1, 3").reason == "the order has 2 of 3 jobs"
    assert TASK.verify("1, 3, 3").reason == "a job runs twice"


@pytest.mark.parametrize(
    "reply",
    [
        "job 1, job 3, job 2", "Order: 1, 3, 2", "1 - 3 - 2", "1 > 3 > 2", "1-3-2", "#1, #3, #2",
        "1. job 1\n2. job 3\n3. job 2", "- job 1\n- job 3\n- job 2", "job 1 -> job 3 -> job 2",
        "Jobs: 1, 3 and 2", "The order is 1, 3, 2.", "1 \u2013 3 \u2013 2", "1, then 3, then 2",
        r"$1 \to 3 \to 2$", "The optimal order is: job 1, job 3, job 2",
        "- 1\n- 3\n- 2",
    ],
)  # fmt: skip
def test_orders_in_words(reply):
    assert TASK.verify(reply).value == 1


@pytest.mark.parametrize(
    "reply", ["1 < 3 < 2", "1, -3, 2", "job 1: 3, 2", "2 - 3 - 1", "1 = 3 = 2"]
)
def test_other_orders_are_not_right(reply):
    try:
        score = TASK.verify(reply)
    except InvalidAnswer:
        score = None
    assert score is None or score.value == 0


def test_dispatching_rules_do_not_find_the_best_order():
    for level in range(7):
        for seed in range(6):
            task = Address.of("optimisation/single_machine", seed, level).task()
            rules = task.dispatching()
            assert len({*map(tuple, rules.values())}) > 1
            for order in rules.values():
                assert sorted(order) == [*range(len(task.jobs))]
                assert task.verify(task.as_text(order)).value == 0


def test_apparent_tardiness_cost_by_hand():
    """At time 0 all jobs are late but the first, which can wait."""
    jobs = (Job("steel", 4, 30, 8), Job("steel", 2, 2, 3), Job("brass", 3, 3, 6))
    task = SingleMachine(jobs=jobs, cleaning=2)
    assert task.dispatched(task.urgency(1)) == [2, 1, 0]
    assert task.dispatched(task.urgency(1), care=9) == [2, 1, 0]
