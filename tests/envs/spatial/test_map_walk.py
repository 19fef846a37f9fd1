"""Tests of spatial/map_walk."""

import pytest

from palaestra.envs.spatial.map_walk import MapWalk
from palaestra.generators.spatial.map_walk import moved
from palaestra.task import InvalidAnswer


def test_map_walk_by_hand() -> None:
    assert moved(("S~~.", "...."), (0, 0), "right") == [(0, 1), (0, 2), (0, 3)]
    assert moved(("S~~#", "...."), (0, 0), "right") == [(0, 1), (0, 2)]
    assert moved(("S>v.", "..*."), (0, 0), "right") == [(0, 1), (0, 2), (1, 2)]
    assert moved(("SA..", "..A."), (0, 0), "right") == [(0, 1), (1, 2)]
    assert len(moved(("S><.", "....", "....", "...."), (0, 0), "right")) == 16
    assert moved(("S#", ".."), (0, 0), "up") == []
    task = MapWalk(board=("..*", "#.~", ".*."), start=(0, 0), moves=("down", "right", "right"))
    assert task.answer() == "end: r1c3\ncoins: 1\nblocked: 1"
    with pytest.raises(InvalidAnswer):
        task.verify("end: r9c9\ncoins: 1\nblocked: 1")
