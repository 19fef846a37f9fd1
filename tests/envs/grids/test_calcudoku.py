"""Tests of grids/calcudoku."""

from random import Random

import pytest

from palaestra.envs.grids import calcudoku


@pytest.mark.parametrize(
    ("sign", "numbers", "result"),
    [("-", (2, 5), 3), ("/", (6, 3), 2), ("/", (3, 2), 0), ("x", (2, 3, 4), 24), ("", (4,), 4)],
)
def test_operations_of_cages(sign, numbers, result):
    assert calcudoku.result(sign, numbers) == result


def test_hard_arithmetic_is_not_searched_for_long():
    # Without multiplication a square of seven may have solutions in thousands of corners.
    knobs = calcudoku.Calcudoku.Knobs(size=7, cage=4, times=False, givens=0)
    for seed in range(4):
        task = calcudoku.Calcudoku.sample(Random(seed), knobs)
        assert task.solved().nodes <= calcudoku.Calcudoku.max_nodes
        assert task.verify(task.answer()).correct
