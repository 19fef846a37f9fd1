"""Tests of geometry/coordinate_areas."""

import pytest

from palaestra.address import Address
from palaestra.envs.geometry.coordinate_areas import CoordinateAreas
from palaestra.task import InvalidAnswer


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


def test_the_second_opinion_on_areas_agrees_and_can_disagree() -> None:
    opinions = []
    for level in range(6):
        for seed in range(3):
            drawn = task("geometry/coordinate_areas", seed, level)
            other = task("geometry/coordinate_areas", seed + 50, level)
            assert drawn.audit(drawn.answer()) in (True, None)
            if len(other.answer().split(",")) == len(drawn.answer().split(",")):
                opinion = drawn.audit(other.answer())
                assert opinion is None or opinion == (drawn.verify(other.answer()).value == 1)
                opinions.append(opinion)
    assert False in opinions


def test_areas_may_be_written_with_blanks_or_thousands() -> None:
    field = CoordinateAreas(about="area", polygons=(((0, 0), (61, 0), (61, 41), (0, 41)),))
    assert field.verify("2,501").value == field.verify("5002 / 2").value == 1
    assert field.verify("2,502").value == 0
    with pytest.raises(InvalidAnswer):
        field.verify("2, 501")
    counted = task("geometry/coordinate_areas", 3, 2)
    area, sides, within = counted.values()
    assert counted.verify(f"{2 * area} / 2, {sides}, {within}").value == 1
    assert counted.verify(f"{area}, {within}, {sides}").value == 0
