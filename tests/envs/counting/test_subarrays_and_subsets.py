"""Tests of counting/subarrays_and_subsets."""

from random import Random

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.counting.subarrays_and_subsets import (
    ALL_PARTS,
    MEASURES,
    SubarraysAndSubsets,
)
from palaestra.generators.counting.subarrays_and_subsets import (
    Condition,
    count,
    fitting_condition,
    parts,
    total,
)

ROWS = st.integers(1, 3).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(1, 12), min_size=width + 2, max_size=width + 2),
        min_size=1,
        max_size=3,
    )
)


@settings(deadline=None)
@given(ROWS, st.sampled_from(ALL_PARTS), st.integers(0, 10**9))
def test_counts_are_those_of_all_parts_one_by_one(rows, which, seed):
    rng = Random(seed)
    every = [*parts(which, rows)]
    conditions = [
        fitting_condition(rng, measure, every, 0.6) for measure in rng.sample(MEASURES, 2)
    ]
    number = sum(all(c.holds(part) for c in conditions) for part in every)
    assert count(which, rows, conditions) == number
    assert total(which, rows) == len(every)


@pytest.mark.parametrize("measure", MEASURES)
def test_measures_of_windows_are_those_of_numpy(measure):
    numbers = [12, 18, 6, 9, 9, 30]
    condition = Condition(measure, 3, 12, 7)
    by_numpy = {
        "sum": numpy.sum,
        "remainder": lambda part: numpy.sum(part) % 7,
        "spread": numpy.ptp,
        "values": lambda part: len(numpy.unique(part)),
        "xor": numpy.bitwise_xor.reduce,
        "gcd": numpy.gcd.reduce,
        "least": numpy.min,
        "greatest": numpy.max,
        "or": numpy.bitwise_or.reduce,
    }[measure]
    windows = (numpy.array(numbers[a:b]) for a in range(6) for b in range(a + 1, 7))
    assert count("windows", [numbers], [condition]) == sum(
        3 <= by_numpy(part) <= 12 for part in windows
    )


def test_scores():
    task = SubarraysAndSubsets(
        parts="windows", rows=((3, 1, 2),), conditions=(Condition("sum", 3, 4),)
    )
    assert task.verify("3").value == 1  # 3; 3, 1; 1, 2
    assert task.verify("6").reason == "the number is wrong"
    subsets = task.model_copy(update={"parts": "subsets"})
    assert subsets.verify("3").value == 1
    pairs = SubarraysAndSubsets(
        parts="pairs", rows=((2, 2, 5),), conditions=(Condition("spread", 1, 9),)
    )
    assert pairs.verify("2").value == 1
