"""Tests of grids/slide_covering."""

import pytest

from palaestra.envs.grids.slide_covering import SlideCovering
from palaestra.task import InvalidAnswer


def test_slide_covering_stops_at_the_trail() -> None:
    task = SlideCovering(board=("S..", "...", "..."))
    assert task.verify("RDLUR").value == 1
    assert task.verify("DRULD").value == 1
    assert "not covered" in task.verify("RDLU").reason
    assert "blocked" in task.verify("U").reason
    with pytest.raises(InvalidAnswer):
        task.verify("RDX")
