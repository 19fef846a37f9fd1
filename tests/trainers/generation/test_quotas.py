"""How the rows of a data set are divided among the cells of a mixture."""

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.trainers.generation.quotas import Cell, allocated, cells_of
from palaestra.trainers.mixtures import Mixture

WEIGHTS = st.lists(st.floats(0.01, 100), min_size=1, max_size=9)


def cells(weights):
    return [Cell(f"a/b{n}", 0, weight) for n, weight in enumerate(weights)]


@given(WEIGHTS, st.integers(0, 300), st.integers(0, 300))
def test_a_longer_data_set_begins_with_a_shorter_one(weights, first, more):
    nothing = [0] * len(weights)
    short = allocated(cells(weights), nothing, first)
    rest = allocated(cells(weights), short, more)
    assert sum(short) == first
    assert min(rest) >= 0
    assert [a + b for a, b in zip(short, rest)] == allocated(cells(weights), nothing, first + more)


@given(WEIGHTS, st.integers(1, 400))
def test_no_row_would_be_fairer_elsewhere(weights, rows):
    """Webster's rule: no cell could have had its last row later than another one its next row."""
    number = allocated(cells(weights), [0] * len(weights), rows)
    last = max((n - 0.5) / weight for n, weight in zip(number, weights))
    following = min((n + 0.5) / weight for n, weight in zip(number, weights))
    assert last <= following * (1 + 1e-9)


def test_the_weight_of_an_environment_is_divided_among_its_levels():
    mixture = Mixture(
        {"a/b": 3.0, "c/d": 1.0, "e/f": 0.0}, {"a/b": (0, 2), "c/d": (1,), "e/f": (0,)}
    )
    assert cells_of(mixture) == [Cell("a/b", 0, 1.5), Cell("a/b", 2, 1.5), Cell("c/d", 1, 1.0)]


@pytest.mark.parametrize("weight", [-1.0, nan, 0.0, inf, 5e-324])
def test_weights_that_are_none(weight):
    with pytest.raises(ValueError, match="weights"):
        cells_of(Mixture({"a/b": weight}, {"a/b": (0, 1)}))
