"""Tests of algorithms/sort_six."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.algorithms.sort_six import ORDERS, SortSix
from palaestra.envs.algorithms.sorting_trace import SortingTrace
from palaestra.task import InvalidAnswer

LISTS = st.lists(st.integers(0, 20), min_size=2, max_size=14).map(tuple)


def trace_task(seed=0, level=2):
    return Address.of("algorithms/sorting_trace", seed, level).task()


def test_the_first_lesson_is_short_and_regular():
    prompts = [Address.of("algorithms/sort_six", seed).task().prompt() for seed in range(50)]
    assert all(len(prompt) == len("Sort, such as '1 2 3 4 5 6': 5 3 9 1 0 7") for prompt in prompts)


def sort_six(order, *numbers):
    return SortSix(numbers=numbers, order=order)


@pytest.mark.parametrize(
    ("order", "right"),
    [
        ("ascending", "5 12 21 30 120"),
        ("descending", "120 30 21 12 5"),
        ("last digit", "30 120 21 12 5"),
        ("digit sum", "21 30 12 120 5"),
        ("parity", "12 30 120 21 5"),
        ("backwards", "30 5 21 12 120"),  # 3, 5, 12, and a tie at 21
    ],
)
def test_orders_by_hand(order, right):
    assert sort_six(order, 21, 30, 12, 5, 120).answer() == right


@pytest.mark.parametrize("order", ORDERS)
@given(numbers=LISTS)
def test_only_stable_order_is_right(order, numbers):
    task = sort_six(order, *numbers)
    row = task.sorted()
    assert task.verify(task.answer()).value == 1
    for index in range(len(row) - 1):
        other = [*row]
        other[index], other[index + 1] = other[index + 1], other[index]
        score = task.verify(" ".join(map(str, other)))
        assert score.value == (other == row)
        assert score.parts["progress"] == pytest.approx(1 if other == row else 1 - 2 / len(row))


def test_other_numbers_are_refused():
    task = sort_six("ascending", 3, 1, 2)
    assert task.verify("1 2 2").reason == "these are not the numbers to be sorted"
    for text in ("1 2", "1 2 3 3", "1 2 x", "one two three"):
        with pytest.raises(InvalidAnswer):
            task.verify(text)
    assert isinstance(trace_task(), SortingTrace)
