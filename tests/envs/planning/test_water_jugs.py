"""Tests of planning/water_jugs."""

import pytest

from palaestra.envs.planning.water_jugs import WaterJugs
from palaestra.task import InvalidAnswer


def test_jugs():
    task = WaterJugs(sizes=(5, 3), start=(0, 0), jug=0, amount=4)
    right = "fill A\npour A into B\nempty B\npour A into B\nfill A\npour A into B"
    assert len(task.plan()) == 6
    assert task.verify(right).value == 1
    assert task.audit(right)
    assert "more than 6" in task.verify("empty A\n" + right).reason
    assert "holds 5" in task.verify("fill A").reason
    for wrong in ("pour A into A", "fill C", "fill AB", "drink A"):
        with pytest.raises(InvalidAnswer):
            task.verify(wrong)
