"""Tests of grids/lights_out."""

from palaestra.envs.grids import lights_out


def test_all_boards_of_five_by_five_lights_need_the_rank_that_is_known():
    assert len(lights_out.eliminated(5, 5)) == 23
    assert len(lights_out.eliminated(4, 4)) == 12
    task = lights_out.LightsOut(lamps=("##-", "#--", "---"))
    assert task.verify("x--\n---\n---").correct
    assert "3 of the lamps" in task.verify("---\n---\n---").reason
