"""Tests of grids/kakurasu."""

from palaestra.envs.grids.kakurasu import Kakurasu


def test_the_sums_of_kakurasu_are_those_of_places():
    task = Kakurasu(givens=("...",) * 3, rows=(4, 2, 0), columns=(1, 2, 1))
    assert task.verify("#-#\n-#-\n---").correct
    assert "row 1 has the sum 3" in task.verify("##-\n-#-\n---").reason
