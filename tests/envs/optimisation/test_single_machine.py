"""Tests of optimisation/single_machine."""

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.optimisation.single_machine import SingleMachine
from palaestra.generators.optimisation.single_machine import Job, best_order, penalty

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
