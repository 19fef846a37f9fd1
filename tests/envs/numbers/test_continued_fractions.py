"""Tests of numbers/continued_fractions."""

from fractions import Fraction

import pytest

from palaestra.envs.numbers.continued_fractions import ContinuedFractions


@pytest.mark.parametrize(("above", "below", "most"), [(649, 52, 14), (233, 52, 14), (77, 52, 13)])
def test_the_closest_fraction_is_unique(above: int, below: int, most: int) -> None:
    fraction = Fraction(above, below)
    near = {Fraction(round(fraction * n), n) for n in range(1, most + 1)}
    distances = sorted(abs(fraction - other) for other in near)
    assert distances[0] == distances[1]
    assert not ContinuedFractions(about="best", numbers=(above, below, most)).is_valid()
