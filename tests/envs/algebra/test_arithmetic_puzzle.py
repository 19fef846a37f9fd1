"""Tests of algebra/arithmetic_puzzle."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.algebra.arithmetic_puzzle import ArithmeticPuzzle, solutions, value
from palaestra.task import InvalidAnswer


@given(st.lists(st.integers(1, 9), min_size=2, max_size=5).map(tuple), st.integers(-5, 40))
@settings(max_examples=50, deadline=None)
def test_solutions_are_counted(numbers, target):
    task = ArithmeticPuzzle(numbers=numbers, target=target)
    right = [c for c in task.candidates() if value(numbers, c.split()) == target]
    assert solutions(numbers, target)[1] == len(right)
    assert all(task.audit(c) for c in right)


def test_signs_in_any_row_but_no_others():
    task = ArithmeticPuzzle(numbers=(2, 9, 5), target=23)
    for right in ("* +", "*+", "[*, +]", "\u00d7 +", "\\times +", "\u00b7, +", '["*", "+"]'):
        assert task.verify(right).correct
        assert task.audit(right)
    assert "remainder" in task.verify("/ +").reason
    for text in ("* + +", "* ^", "2 * 9 + 5 = 23", "**+", ""):
        with pytest.raises(InvalidAnswer):
            task.verify(text)
