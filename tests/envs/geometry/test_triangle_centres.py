"""Tests of geometry/triangle_centres."""

from fractions import Fraction

import pytest

from palaestra.address import Address
from palaestra.envs.geometry.triangle_centres import TriangleCentres


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


@pytest.mark.parametrize("level", range(7))
def test_the_points_of_a_triangle_have_what_defines_them(level: int) -> None:
    drawn = task("geometry/triangle_centres", 3, level)
    corners = [(Fraction(x), Fraction(y)) for x, y in drawn.corners]
    values = drawn.values()

    def far(p, q):
        return (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2

    def dot(p, q, r, s):
        return (q[0] - p[0]) * (s[0] - r[0]) + (q[1] - p[1]) * (s[1] - r[1])

    a, b, c = corners
    if "circumcentre" in values:
        assert len({far(values["circumcentre"], corner) for corner in corners}) == 1
    if "orthocentre" in values:
        assert dot(a, values["orthocentre"], b, c) == dot(b, values["orthocentre"], a, c) == 0
    if "nine" in values:
        middles = [((p[0] + q[0]) / 2, (p[1] + q[1]) / 2) for p, q in ((a, b), (b, c), (a, c))]
        assert len({far(values["nine"], middle) for middle in middles}) == 1
    if "mirror" in values:
        assert far(values["mirror"], b) == far(a, b)
        assert far(values["mirror"], c) == far(a, c)
        assert values["mirror"] != a


def test_triangles_are_the_same_problem_whichever_corner_is_b() -> None:
    a, b, c = (0, 0), (5, 1), (2, 7)
    for asked in (("foot",), ("centroid", "incentre")):
        one = TriangleCentres(corners=(a, b, c), asked=asked)
        assert one.canonical() == TriangleCentres(corners=(a, c, b), asked=asked).canonical()
        moved = tuple((x + 3, y - 8) for x, y in (b, a, c))
        other = TriangleCentres(corners=moved, asked=asked)
        assert (one.canonical() == other.canonical()) == (asked != ("foot",))
