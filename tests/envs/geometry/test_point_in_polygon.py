"""Tests of geometry/point_in_polygon."""

import pytest

from palaestra.address import Address
from palaestra.task import InvalidAnswer


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


def test_points_are_in_a_polygon_as_the_angles_seen_from_them_say() -> None:
    for seed in range(8):
        drawn = task("geometry/point_in_polygon", seed, 3)
        assert drawn.audit(drawn.answer())
        names = drawn.answer().split(", ")
        assert drawn.verify(" ".join(reversed(names)).lower()).value == 1
        assert drawn.verify(", ".join(names[1:])).value == 0
        with pytest.raises(InvalidAnswer):
            drawn.verify(", ".join([*names, names[0]]))
