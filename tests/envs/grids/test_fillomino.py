"""Tests of grids/fillomino."""

import pytest

from palaestra.envs.grids.fillomino import Fillomino
from palaestra.generators.grids.fillomino import region
from palaestra.task import InvalidAnswer


def test_fillomino_regions_merge() -> None:
    assert sorted(region([2, 2, 2, 1], 0, 2)) == [0, 1, 2]
    task = Fillomino(givens=((3, 0), (0, 1)), largest=3)
    assert task.verify("3 3\n3 1").value == 1
    assert task.verify("3 3\n2 1").value == 0
    with pytest.raises(InvalidAnswer):
        task.verify("3 3\n4 1")
