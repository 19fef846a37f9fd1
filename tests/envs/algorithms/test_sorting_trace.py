"""Tests of algorithms/sorting_trace."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.generators.algorithms.sorting_trace import METHODS, trace
from palaestra.task import InvalidAnswer

LISTS = st.lists(st.integers(0, 20), min_size=2, max_size=14).map(tuple)
BY_HAND = {
    "insertion": [(3, 5, 1, 4, 2), (1, 3, 5, 4, 2), (1, 3, 4, 5, 2), (1, 2, 3, 4, 5)],
    "selection": [(1, 3, 5, 4, 2), (1, 2, 5, 4, 3), (1, 2, 3, 4, 5), (1, 2, 3, 4, 5)],
    "bubble": [(3, 1, 4, 2, 5), (1, 3, 2, 4, 5), (1, 2, 3, 4, 5), (1, 2, 3, 4, 5)],
    "shell": [(1, 3, 2, 4, 5), (1, 2, 3, 4, 5)],
    "merge": [(3, 5, 1, 4, 2), (1, 3, 4, 5, 2), (1, 2, 3, 4, 5)],
    "quick": [(1, 2, 5, 4, 3), (1, 2, 3, 4, 5), (1, 2, 3, 4, 5)],
    "heap": [(5, 4, 1, 3, 2), (4, 3, 1, 2, 5), (3, 2, 1, 4, 5), (2, 1, 3, 4, 5), (1, 2, 3, 4, 5)],
}
"""The passes over 5 3 1 4 2, worked out with pencil and paper."""


@pytest.mark.parametrize("method", METHODS)
def test_passes_by_hand(method):
    assert trace(method, (5, 3, 1, 4, 2)) == BY_HAND[method]


@pytest.mark.parametrize("method", METHODS)
@given(numbers=LISTS)
def test_every_method_sorts_and_keeps_the_numbers(method, numbers):
    rows = trace(method, numbers)
    assert rows[-1] == tuple(sorted(numbers))
    assert all(Counter(row) == Counter(numbers) for row in rows)


@given(numbers=LISTS)
def test_passes_keep_what_the_methods_are_known_for(numbers):
    whole, n = sorted(numbers), len(numbers)
    for k, row in enumerate(trace("insertion", numbers), 2):
        assert row == (*sorted(numbers[:k]), *numbers[k:])
    for k, row in enumerate(trace("selection", numbers), 1):
        assert list(row[:k]) == whole[:k]
    for k, row in enumerate(trace("bubble", numbers), 1):
        assert list(row[max(0, n - k) :]) == whole[max(0, n - k) :]
    for k, row in enumerate(trace("heap", numbers)):
        heap = row[: n - k]
        assert all(heap[(i - 1) // 2] >= heap[i] for i in range(1, len(heap)))
        assert list(row[n - k :]) == whole[n - k :]
    gap = n // 2
    for row in trace("shell", numbers):
        assert all(row[i] <= row[i + gap] for i in range(n - gap))
        gap //= 2


def trace_task(seed=0, level=2):
    return Address.of("algorithms/sorting_trace", seed, level).task()


def test_the_first_wrong_row_is_named():
    task = trace_task()
    lines = task.answer().splitlines()
    lines[1] = " ".join(reversed(lines[1].split()))
    score = task.verify("\n".join(lines))
    assert score.value == 0
    assert score.reason == "line 2 is the first wrong one"
    assert score.parts["progress"] == 1 / len(lines)


def test_rows_too_few_and_too_many():
    task = trace_task()
    answer = task.answer()
    assert "missing" in task.verify(answer.rpartition("\n")[0]).reason
    assert "more lines" in task.verify(answer + "\n" + answer.splitlines()[-1]).reason
    with pytest.raises(InvalidAnswer):
        task.verify(answer + "\n1 2")


@pytest.mark.parametrize("method", METHODS)
def test_each_method_can_be_chosen(method):
    task = Address.of("algorithms/sorting_trace", 5, method=method).task()
    assert task.method == method
    assert METHODS[method].rule in task.prompt()
