"""Tests of algebra/polynomial_roots."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.algebra.polynomial_roots import PolynomialRoots
from palaestra.task import InvalidAnswer
from palaestra.verifiers.algebra.polynomials import multiplicity, product, rational_roots, written

linear = st.tuples(st.integers(1, 6), st.integers(-12, 12))


@given(st.lists(linear, min_size=1, max_size=6), st.sampled_from([(1,), (1, 0, 2), (3, 1, 1)]))
def test_roots_of_a_product_are_those_of_its_factors(factors, rest):
    roots = Counter(Fraction(-b, a) for a, b in factors)
    assert rational_roots(product([*factors, rest])) == roots


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
        "2, 2, -1/2, 1": "not a root",
        "": "missing",
    }.items():
        score = task.verify(wrong)
        assert score.value == 0
        assert reason in score.reason
    with pytest.raises(InvalidAnswer):
        task.verify("2, 2, i, -i")
    with pytest.raises(InvalidAnswer):
        task.verify("2 " * 101)


@pytest.mark.parametrize("seed", range(6))
def test_numpy_finds_the_roots_too(seed):
    task = Address.of("algebra/polynomial_roots", seed, 4).task()
    near = np.roots(task.coefficients)
    for root in rational_roots(task.coefficients):
        assert min(abs(near - float(root))) < 1e-2
