"""Tests of grids/bridges."""

import pytest

from palaestra.envs.grids import bridges
from palaestra.task import InvalidAnswer


def test_bridges_that_cross_or_leave_islands_alone_are_refused():
    task = bridges.Bridges(sea=(".1.", "1.1", ".1."), known=())
    assert "cross" in task.verify("r1c2-r3c2: 1\nr2c1-r2c3: 1").reason
    task = bridges.Bridges(sea=("1.1", "...", "1.1"), known=())
    assert "connected" in task.verify("r1c1-r1c3: 1\nr3c1-r3c3: 1").reason
    for text in ("r1c1-r3c3: 1", "r1c1-r1c3: 3", "r1c1: 1", "r1c1-r1c3: 1\nr1c3-r1c1: 1"):
        with pytest.raises(InvalidAnswer):
            task.verify(text)
