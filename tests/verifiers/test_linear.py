"""Systems of linear equations, beside elimination with fractions."""

from fractions import Fraction
from itertools import count
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from palaestra.verifiers.linear import cramer, determinant, holds, solved


def by_fractions(system):
    """Gauss and Jordan's elimination, a fraction at a time."""
    rows = [[Fraction(number) for number in row] for row in system]
    for k in range(len(rows)):
        pivot = next(i for i in range(k, len(rows)) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [number / rows[k][k] for number in rows[k]]
        for i, row in enumerate(rows):
            if i != k and row[k]:
                rows[i] = [a - row[k] * b for a, b in zip(row, rows[k])]
    return tuple(row[-1] for row in rows)


def systems(bound):
    numbers = st.integers(-bound, bound)
    return st.integers(1, 6).flatmap(
        lambda size: st.lists(st.tuples(*[numbers] * (size + 1)), min_size=size, max_size=size)
    )


@given(systems(2) | systems(100) | systems(10**30))
def test_solutions_are_those_of_elimination_with_fractions(system):
    assume(determinant([row[:-1] for row in system]))
    values = solved(system)
    assert values == by_fractions(system) == cramer(system)
    assert all(type(value) is Fraction for value in values)
    assert all(holds(row, values) for row in system)


@pytest.mark.parametrize("size", [10, 20, 40])
def test_large_systems(size):
    for seed in count():
        rng = Random(seed)
        system = [tuple(rng.randint(-9, 9) for _ in range(size + 1)) for _ in range(size)]
        if determinant([row[:-1] for row in system]):
            values = solved(system)
            assert all(holds(row, values) for row in system)
            return


def test_empty_systems():
    assert solved([]) == ()
