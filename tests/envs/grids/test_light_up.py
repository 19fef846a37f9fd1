"""Tests of grids/light_up."""

from palaestra.envs.grids import light_up


def test_lamps_may_not_see_each_other_and_leave_nothing_dark():
    task = light_up.LightUp(board=("..#", "2..", "..."))
    assert task.verify("*-#\n#-*\n*--").correct
    assert "is lit by another" in task.verify("**#\n#--\n---").reason
    assert "is dark" in task.verify("*-#\n#--\n*--").reason
    three = task.model_copy(update={"board": ("..#", "3..", "...")})
    assert "has 2 lamps" in three.verify("*-#\n#-*\n*--").reason
