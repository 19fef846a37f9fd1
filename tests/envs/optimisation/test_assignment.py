"""Tests of optimisation/assignment."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from palaestra.envs.optimisation.assignment import Assignment
from palaestra.generators.optimisation.assignment import cheapest_assignment

COSTS = st.integers(1, 5).flatmap(
    lambda size: st.lists(
        st.lists(st.none() | st.integers(0, 20), min_size=size, max_size=size),
        min_size=size,
        max_size=size,
    )
)


@given(COSTS)
def test_no_permutation_costs_less(costs):
    size = range(len(costs))
    sums = [
        sum(costs[row][column] for row, column in enumerate(each))
        for each in permutations(size)
        if all(costs[row][column] is not None for row, column in enumerate(each))
    ]
    columns, _ = cheapest_assignment(costs)
    assert (columns is None) == (not sums)
    if columns is not None:
        assert sorted(columns) == [*size]
        assert sum(costs[row][column] for row, column in enumerate(columns)) == min(sums)


TABLE = Assignment(costs=((4, 1, 3), (2, None, 5), (3, 2, 2)))


def test_scores():
    assert TABLE.verify("2, 1, 3").value == 1
    assert TABLE.verify("worker 1: 2\nworker 2: 1\nworker 3: 3").value == 1
    assert TABLE.verify("2, 1 and 3").value == 1
    assert TABLE.verify("3, 1, 2").reason == "the cost is 7, and a better solution exists"
    assert TABLE.verify("1, 2, 3").reason == "worker 2 cannot do task 2"
    assert TABLE.verify("1, 1, 3").reason == "a task is assigned to two workers"
    assert TABLE.verify("1, 4, 3").reason == "the tasks have numbers from 1 to 3 only"


def test_prices_of_workers_and_tasks_do_not_matter():
    """Adding to a row or a column changes every assignment by the same."""
    raised = [
        [None if c is None else c + 10 * row for c in line] for row, line in enumerate(TABLE.costs)
    ]
    assert cheapest_assignment(raised)[0] == cheapest_assignment(TABLE.costs)[0]
