"""Tests of matrices/matrix_moves."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.matrices.matrix_moves import MOVES, spiral

grids = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.lists(st.integers(1, 3), min_size=n, max_size=n), min_size=n, max_size=n)
)


@settings(max_examples=30)
@given(grids, st.integers(0, 1))
def test_moves_of_a_matrix(rows, i):
    array = np.array(rows)
    expected = {
        "right": np.rot90(array, -1),
        "left": np.rot90(array),
        "mirror": np.fliplr(array),
        "flip": np.flipud(array),
        "transpose": array.T,
        "down": np.roll(array, i + 1, 0),
        "along": np.roll(array, i + 1, 1),
    }
    for name, right in expected.items():
        assert MOVES[name][1](rows, i, i) == right.tolist(), name
    assert MOVES["columns"][1](rows, 0, 1)[0][:2] == rows[0][:2][::-1]
    assert sorted(spiral(rows)) == sorted(array.ravel().tolist())
