"""Tests of geometry/coordinate_areas."""

import pytest

from palaestra.address import Address
from palaestra.envs.geometry.coordinate_areas import CoordinateAreas
from palaestra.task import InvalidAnswer


def sampled_task(seed: int, level: int):
    return Address.of("geometry/coordinate_areas", seed, level).task()


def test_the_audit_agrees_with_verify() -> None:
    opinions = []
    for level in range(6):
        for seed in range(3):
            task = sampled_task(seed, level)
            other = sampled_task(seed + 50, level)
            assert task.audit(task.answer()) in (True, None)
            if len(other.answer().split(",")) == len(task.answer().split(",")):
                opinion = task.audit(other.answer())
                assert opinion is None or opinion == (task.verify(other.answer()).value == 1)
                opinions.append(opinion)
    assert False in opinions


def test_areas_may_have_spaces_or_thousands_separators() -> None:
    field = CoordinateAreas(about="area", polygons=(((0, 0), (61, 0), (61, 41), (0, 41)),))
    assert field.verify("2,501").value == field.verify("5002 / 2").value == 1
    assert field.verify("2,502").value == 0
    with pytest.raises(InvalidAnswer):
        field.verify("2, 501")
    counted = sampled_task(3, 2)
    area, sides, within = counted.values()
    assert counted.verify(f"{2 * area} / 2, {sides}, {within}").value == 1
    assert counted.verify(f"{area}, {within}, {sides}").value == 0
