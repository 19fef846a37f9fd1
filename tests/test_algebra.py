"""Linear systems and polynomial roots, held to hand-worked cases and to other methods."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.algebra.linear_system import LinearSystem
from palaestra.envs.algebra.polynomial_roots import PolynomialRoots
from palaestra.task import Unreadable
from palaestra.verifiers.algebra.polynomials import multiplicity, product, rational_roots, written
from palaestra.verifiers.linear import cramer, determinant, solved

SYSTEM = LinearSystem(left=((2, 3, 0), (4, 0, -1)), right=((0, 0, 8), (0, 1, 0)))
"""2x + 3y = 8 and 4x - 1 = y, so that x = 11/14 and y = 15/7."""


def leibniz(matrix):
    """The determinant by its definition."""
    places = range(len(matrix))
    return sum(
        (-1) ** sum(p[i] > p[j] for i in places for j in places if i < j)
        * prod(matrix[i][p[i]] for i in places)
        for p in permutations(places)
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
    ["x = 1", "x = 1\ny = 2\nz = 3", "x = 1\nx = 2", "x = nan\ny = 1", "11/14, 15/7", "x=1e3\ny=1"],
)
def test_malformed_systems(text):
    with pytest.raises(Unreadable):
        SYSTEM.verify(text)


linear = st.tuples(st.integers(1, 6), st.integers(-12, 12))


@given(st.lists(linear, min_size=1, max_size=6), st.sampled_from([(1,), (1, 0, 2), (3, 1, 1)]))
def test_roots_are_those_that_were_multiplied(factors, rest):
    wanted = Counter(Fraction(-b, a) for a, b in factors)
    assert rational_roots(product([*factors, rest])) == wanted


def test_multiplicity_and_writing():
    cube = product([(2, -1)] * 3)
    assert cube == (8, -12, 6, -1)
    assert multiplicity(cube, Fraction(1, 2)) == 3
    assert written((-1, 0, 1, -7)) == "-x^3 + x - 7"


def test_roots_with_multiplicity():
    task = PolynomialRoots(coefficients=product([(1, -2), (1, -2), (2, 1), (1, 0, 1)]))
    for right in ("2, 2, -1/2", "-0.5; 2; 4/2", "[2 -1/2 2]"):
        assert task.verify(right).correct
    for wrong, reason in {
        "2, -1/2": "multiplicity",
        "2, 2, 2, -1/2": "multiplicity",
        "2, 2": "missing",
        "2, 2, -1/2, 1": "no root",
        "": "missing",
    }.items():
        score = task.verify(wrong)
        assert score.value == 0
        assert reason in score.reason
    with pytest.raises(Unreadable):
        task.verify("2, 2, i, -i")
    with pytest.raises(Unreadable):
        task.verify("2 " * 101)


@pytest.mark.parametrize("seed", range(6))
def test_numpy_finds_the_roots_too(seed):
    task = Address.of("algebra/polynomial_roots", seed, 4).task()
    near = np.roots(task.coefficients)
    for root in rational_roots(task.coefficients):
        assert min(abs(near - float(root))) < 1e-2
