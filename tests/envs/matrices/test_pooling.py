"""Tests of matrices/pooling."""

from palaestra.envs.matrices.pooling import pooled


def test_windows():
    matrix = ((1, 5, 2), (7, 3, 9), (4, 8, 6))
    assert pooled(matrix, "largest", 2, 1) == ((7, 9), (8, 9))
    assert pooled(matrix, "median", 2, 1) == ((3, 3), (4, 6))
    assert pooled(matrix, "range", 3, 2) == ((8,),)
