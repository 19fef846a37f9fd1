"""Tests of grids/hitori."""

from palaestra.envs.grids import hitori


def test_the_rules_of_hitori():
    task = hitori.Hitori(numbers=((1, 1, 2), (3, 2, 2), (2, 3, 1)))
    assert "still shows" in task.verify("---\n---\n---").reason
    assert "side by side" in task.verify("##-\n---\n---").reason
    task = hitori.Hitori(numbers=((1, 1, 2), (1, 2, 3), (2, 3, 1)))
    assert "connected" in task.verify("-#-\n#--\n---").reason
