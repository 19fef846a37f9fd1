"""Tests of algebra/linear_system."""

from itertools import permutations
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.algebra.linear_system import LinearSystem
from palaestra.task import InvalidAnswer
from palaestra.verifiers.linear import cramer, determinant, solved

SYSTEM = LinearSystem(left=((2, 3, 0), (4, 0, -1)), right=((0, 0, 8), (0, 1, 0)))
"""2x + 3y = 8 and 4x - 1 = y, so that x = 11/14 and y = 15/7."""


def leibniz(matrix):
    """The determinant by its definition."""
    indices = range(len(matrix))
    return sum(
        (-1) ** sum(p[i] > p[j] for i in indices for j in indices if i < j)
        * prod(matrix[i][p[i]] for i in indices)
        for p in permutations(indices)
    )  # fmt: skip


@given(st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(st.integers(-5, 5), min_size=n, max_size=n), min_size=n, max_size=n)
))  # fmt: skip
def test_determinant(matrix):
    assert determinant(matrix) == leibniz(matrix)


@pytest.mark.parametrize("level", range(7))
def test_elimination_cramer_and_numpy_agree(level):
    task = Address.of("algebra/linear_system", 3, level).task()
    rows = task.rows()
    assert solved(rows) == cramer(rows)
    near = np.linalg.solve([row[:-1] for row in rows], [row[-1] for row in rows])
    assert np.allclose(near, [float(value) for value in solved(rows)])


def test_both_sides_count():
    assert SYSTEM.verify("x = 11/14\ny = 15/7").correct
    assert SYSTEM.verify("y: 30/14\nX: 11/14").correct
    score = SYSTEM.verify("x = 1\ny = 2")
    assert score.value == 0
    assert score.reason == "equation 2 does not hold"
    assert SYSTEM.verify("x = 0.7857142857\ny = 2.142857143").value == 0


@pytest.mark.parametrize(
    "text",
    [
        "x = 1",
        "x = 1\ny = 2\nz = 3",
        "x = 1\nx = 2",
        "x = nan\ny = 1",
        "11/14, 15/7",
        "x=1e999\ny=1",
    ],
)
def test_malformed_systems(text):
    with pytest.raises(InvalidAnswer):
        SYSTEM.verify(text)
