"""Tests of geometry/polygon_angles."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.geometry.polygon_angles import PolygonAngles
from palaestra.generators.geometry import polygon_angles
from palaestra.verifiers.linear import solved


def test_facts_add_angles_in_whole_degrees() -> None:
    for kind in polygon_angles.WORDS:
        for seed in range(30):
            fact, more = polygon_angles.continued(Random(seed), kind, [70, 40], 1)
            sizes = dict(enumerate([70, 40, *more], 1))
            if more:
                for terms, total in polygon_angles.equations(fact):
                    assert sum(times * sizes[angle] for angle, times in terms) == total


def test_the_canonical_form_does_not_depend_on_the_numbers() -> None:
    fact = polygon_angles.Fact
    one = PolygonAngles(
        facts=(fact("line", (1, 2)), fact("apex", (2, 3))), sizes=((1, 80),), target=3
    )
    two = PolygonAngles(
        facts=(fact("base", (1, 4)), fact("line", (4, 7))), sizes=((7, 80),), target=1
    )
    assert one.answer() == two.answer() == "40"
    assert one.canonical() == two.canonical()
    assert one.canonical() != one.model_copy(update={"sizes": ((1, 70),)}).canonical()


@pytest.mark.parametrize(
    "text", ["{}°", "{} Degrees", "{}^\\circ", "{}^{{\\circ}}", " {}.0 ", "{} °"]
)
def test_the_unit_may_be_stated(text: str) -> None:
    task = Address.of("geometry/polygon_angles", 3, 2).task()
    assert task.verify(text.format(task.answer())).value == 1
    assert task.verify(text.format("17")).value == 0


@pytest.mark.parametrize("level", range(7))
def test_all_angles_follow_and_are_within_bounds(level: int) -> None:
    task = Address.of("geometry/polygon_angles", 1, level).task()
    sums = [e for fact in task.facts for e in polygon_angles.equations(fact)]
    sums += [polygon_angles.Equation(((angle, 1),), size) for angle, size in task.sizes]
    angles = sorted({angle for terms, _ in sums for angle, _ in terms})
    rows = [(*(dict(terms).get(a, 0) for a in angles), total) for terms, total in sums]
    sizes = dict(zip(angles, solved(rows), strict=True))  # there are as many sums as angles
    assert all(size.denominator == 1 and 0 < size < 180 for size in sizes.values())
    assert str(sizes[task.target]) == task.answer()
