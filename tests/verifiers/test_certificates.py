"""Paths and values on arcs, read from answers."""

import pytest

from palaestra.task import InvalidAnswer
from palaestra.verifiers.certificates import gap
from palaestra.verifiers.reading.nodes import arc_values, node_path


def test_readers():
    assert node_path("10 -> 2", ["2", "10"]) == [1, 0]
    assert arc_values("1 -> 2: 3", ["1", "2"]) == {(0, 1): 3}
    assert gap(3, baseline=3, best=9) == 0
    assert gap(8, baseline=3, best=9) < 1
    for text in ("", "A ->", "A -> Q", "A to B", "->" * 5_000):
        with pytest.raises(InvalidAnswer):
            node_path(text, "AB")
