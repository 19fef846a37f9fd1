"""Tests of physics/dimensionless_groups."""

import pytest
import sympy

from palaestra.address import Address
from palaestra.envs.physics.dimensionless_groups import DimensionlessGroups
from palaestra.generators.physics.dimensions import Measure

PENDULUM = DimensionlessGroups(
    bases=("kg", "m", "s"),
    derived=(),
    quantities=(
        Measure("g", (("m", 1), ("s", -2))),
        Measure("h", (("m", 1),)),
        Measure("p", (("s", 1),)),
        Measure("w", (("kg", 1),)),
        Measure("z", (("kg", 1), ("m", 1))),
    ),
)


def test_pendulum():
    assert PENDULUM.answer() == "g h^-1 p^2\nh^-1 w^-1 z"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("p^2 g/h\nw h/z", ""),
        ("h g^-1 p^-2\n(w h)/z", ""),
        ("p^4 g^2/h^2\nw h z^-1", ""),
        ("p^2 g z/(h^2 w)\nw h/z", ""),
        ("p^2 g/h\nh/(p^2 g)", "the groups are not independent"),
        ("p^2 g/h", "there are more independent groups"),
        ("p^2 g/h\nw", "group 2 has a dimension"),
        ("p p^-1\nw h/z", "all powers of group 1 are 0"),
    ],
)
def test_scores(answer, reason):
    score = PENDULUM.verify(answer)
    assert score.reason == reason
    assert score.value == (not reason)
    assert PENDULUM.audit(answer) == (not reason)


def test_sympy_finds_as_many_groups():
    for level in range(DimensionlessGroups.Knobs.levels()):
        for seed in range(5):
            task = Address.of("physics/dimensionless_groups", seed, level).task()
            assert isinstance(task, DimensionlessGroups)
            matrix = sympy.Matrix(task.vectors()).T
            groups = sympy.Matrix(task.read(task.answer()))
            assert groups.rank() == groups.rows == len(matrix.nullspace())
            assert not any(matrix * groups.T)


def test_there_are_tasks_with_more_groups_than_quantities_above_bases():
    """Buckingham's number is not the number of bases, but their rank."""
    for seed in range(200):
        task = Address.of("physics/dimensionless_groups", seed, 3).task()
        assert isinstance(task, DimensionlessGroups)
        groups = len(task.read(task.answer()))
        if groups > len(task.quantities) - len(task.bases):
            break
    else:
        pytest.fail("the rank is never below the number of bases")
