"""Tests of optimisation/assignment."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.optimisation.assignment import Assignment
from palaestra.generators.optimisation.assignment import cheapest_assignment
from palaestra.task import InvalidAnswer

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


@pytest.mark.parametrize(
    "reply",
    [
        "worker 1: task 2\nworker 2: task 1\nworker 3: task 3", "1: 2\n2: 1\n3: 3",
        "Worker 1 -> Task 2\nWorker 2 -> Task 1\nWorker 3 -> Task 3", '{"1": 2, "2": 1, "3": 3}',
        "task 2, task 1, task 3", "tasks 2, 1 and 3", "Tasks: 2, 1, 3", "1 -> 2, 2 -> 1, 3 -> 3",
        "worker 1 does task 2, worker 2 does task 1, worker 3 does task 3", "#2, #1, #3",
        "- Worker 1: Task 2\n- Worker 2: Task 1\n- Worker 3: Task 3",
        "1. task 2\n2. task 1\n3. task 3",
        "worker 3: task 3, worker 1: task 2 and worker 2: task 1", "1 = 2; 2 = 1; 3 = 3",
        "Worker 1 \u2192 2, Worker 2 \u2192 1, Worker 3 \u2192 3",
        '{"worker 1": "task 2", "worker 2": 1, "worker 3": 3}',
    ],
)  # fmt: skip
def test_pairs_in_words(reply):
    assert TABLE.read(reply) == [1, 0, 2]
    assert TABLE.verify(reply).value == 1


def test_labels_of_tasks_are_not_those_of_workers():
    cycle = "task 1: worker 2\ntask 2: worker 3\ntask 3: worker 1"
    assert TABLE.read(cycle) == [2, 0, 1]
    assert TABLE.read(cycle.replace("worker ", "")) == [2, 0, 1]
    assert TABLE.read("worker 1: task 3\nworker 2: task 1\nworker 3: task 2") == [2, 0, 1]
    assert TABLE.read("task 1 is done by worker 2, task 2 -> worker 3, task 3: 1") == [2, 0, 1]


@pytest.mark.parametrize(
    "reply",
    [
        "1: 2\n2: 1", "1: 2\n1: 1\n3: 3", "task 1: 2\ntask 2: 2\ntask 3: 1", "2, 1", "2, 1, 3, 3",
        "not task 2, 1, 3", "1: x\n2: 1\n3: 3", "9" * 100_000, "",
    ],
)  # fmt: skip
def test_what_is_no_assignment(reply):
    with pytest.raises(InvalidAnswer):
        TABLE.read(reply)


def test_rules_without_search_do_not_find_the_cheapest_assignment():
    for level in range(7):
        for seed in range(10):
            task = Address.of("optimisation/assignment", seed, level).task()
            for rounds in (1, 4):
                assert task.verify(task.as_text(task.centred(rounds))).value == 0
            assert task.verify(task.as_text(task.reduced())).value == 0
