"""Tests of grids/kropki."""

from palaestra.envs.grids import kropki


def test_relations_that_are_not_listed_do_not_hold():
    task = kropki.Kropki(variant="consecutive", related=((),), givens=((0, 0),) * 2)
    assert "not listed" in task.verify("1 2\n2 1").reason
    pairs = ((0, 1), (0, 2), (1, 3), (2, 3))
    assert task.model_copy(update={"related": (pairs,)}).verify("1 2\n2 1").correct
