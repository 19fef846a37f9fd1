"""Tests of grids/pattern_copying."""

import pytest

from palaestra.envs.grids.pattern_copying import PatternCopying
from palaestra.task import InvalidAnswer


def test_pattern_copying_later_strokes_cover() -> None:
    task = PatternCopying(board=(".#.", ".##", ".#."), diagonals=False)
    assert task.verify("row 2 black\ncolumn 1 white\ncolumn 2 black").value == 1
    assert task.verify("column 1 white\ncolumn 2 black\nrow 2 black").value == 0
    assert "allowed" in task.verify("row 1 white\n" * 4).reason
    for bad in ("row 4 black", "falling 1 black", "row two black", "row 2", "row 1 red"):
        with pytest.raises(InvalidAnswer):
            task.verify(bad)
