"""Tests of grids/shikaku."""

import pytest

from palaestra.envs.grids import shikaku
from palaestra.task import InvalidAnswer


def test_rectangles_must_hold_their_area_and_leave_nothing_out():
    task = shikaku.Shikaku(numbers=((2, 0), (0, 2)))
    assert task.verify("r2c1-r2c2, r1c1-r1c2").correct
    assert task.verify("r1c1-r2c1\nr1c2-r2c2").correct
    assert "overlaps" in task.verify("r1c1-r1c2\nr1c2-r2c2").reason
    assert "2 cells are in no rectangle" in task.verify("r1c1-r1c2").reason
    assert "area" in task.verify("r1c1-r2c2").reason
    for text in ("r1c2-r1c1", "r1c1", "r1c1-r3c1", "r1c1-r1c2-r2c2"):
        with pytest.raises(InvalidAnswer):
            task.verify(text)
