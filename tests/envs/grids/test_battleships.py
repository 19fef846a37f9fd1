"""Tests of grids/battleships."""

from palaestra.envs.grids import battleships


def test_ships_that_touch_or_have_the_wrong_length_are_refused():
    task = battleships.Battleships(
        fleet=(2, 1), board=("....",) * 4, counts=(2, 0, 0, 1, 1, 1, 0, 1)
    )
    assert task.verify("##--\n----\n----\n---#").correct
    assert (
        "lengths" in task.model_copy(update={"fleet": (3,)}).verify("##--\n----\n----\n---#").reason
    )
    corner = task.model_copy(update={"counts": (1, 1, 0, 1, 1, 1, 0, 1)})
    assert "corner" in corner.verify("#---\n-#--\n----\n---#").reason
