"""Tests of numbers/continued_fractions."""

from fractions import Fraction

import pytest

from palaestra.envs.numbers.continued_fractions import ContinuedFractions


@pytest.mark.parametrize(("above", "below", "most"), [(649, 52, 14), (233, 52, 14), (77, 52, 13)])
def test_no_closest_fraction_is_asked_for_where_two_are(above: int, below: int, most: int) -> None:
    share = Fraction(above, below)
    near = {Fraction(round(share * n), n) for n in range(1, most + 1)}
    off = sorted(abs(share - other) for other in near)
    assert off[0] == off[1]
    assert not ContinuedFractions(about="best", numbers=(above, below, most)).is_valid()
