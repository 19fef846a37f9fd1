"""Tests of geometry/triangle_centres."""

from fractions import Fraction

import pytest

from palaestra.address import Address
from palaestra.envs.geometry.triangle_centres import TriangleCentres


@pytest.mark.parametrize("level", range(7))
def test_the_points_have_their_defining_properties(level: int) -> None:
    task = Address.of("geometry/triangle_centres", 3, level).task()
    corners = [(Fraction(x), Fraction(y)) for x, y in task.corners]
    values = task.values()

    def squared_distance(p, q):
        return (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2

    def dot(p, q, r, s):
        return (q[0] - p[0]) * (s[0] - r[0]) + (q[1] - p[1]) * (s[1] - r[1])

    a, b, c = corners
    if "circumcentre" in values:
        assert len({squared_distance(values["circumcentre"], corner) for corner in corners}) == 1
    if "orthocentre" in values:
        assert dot(a, values["orthocentre"], b, c) == dot(b, values["orthocentre"], a, c) == 0
    if "nine" in values:
        middles = [((p[0] + q[0]) / 2, (p[1] + q[1]) / 2) for p, q in ((a, b), (b, c), (a, c))]
        assert len({squared_distance(values["nine"], middle) for middle in middles}) == 1
    if "mirror" in values:
        assert squared_distance(values["mirror"], b) == squared_distance(a, b)
        assert squared_distance(values["mirror"], c) == squared_distance(a, c)
        assert values["mirror"] != a


def test_the_canonical_form_does_not_depend_on_which_corner_is_b() -> None:
    a, b, c = (0, 0), (5, 1), (2, 7)
    for names in (("foot",), ("centroid", "incentre")):
        one = TriangleCentres(corners=(a, b, c), centres=names)
        assert one.canonical() == TriangleCentres(corners=(a, c, b), centres=names).canonical()
        moved = tuple((x + 3, y - 8) for x, y in (b, a, c))
        other = TriangleCentres(corners=moved, centres=names)
        assert (one.canonical() == other.canonical()) == (names != ("foot",))
