"""Tests of grids/magnets."""

from palaestra.envs.grids import magnets


def test_equal_poles_may_not_be_neighbours_and_dominoes_have_both_or_none():
    task = magnets.Magnets(slates=("AB", "AB"), poles=((1, 1, 1, 1), (1, 1, 1, 1)))
    assert task.verify("+ -\n- +").correct
    assert "beside an equal one" in task.verify("+ +\n- -").reason
    assert "neither a magnet nor plain" in task.verify("+ -\no +").reason
    assert "row 1 has 0 of the poles +" in task.verify("o o\no o").reason
