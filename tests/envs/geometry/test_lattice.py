"""Polygons whose corners have whole coordinates."""

from itertools import product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.generators.geometry import lattice

SEEDS = st.integers(0, 10_000)


@given(SEEDS, st.integers(3, 9))
@settings(max_examples=40, deadline=None)
def test_picks_theorem_holds_for_random_polygons(seed: int, corners: int) -> None:
    polygon = lattice.random_polygon(Random(seed), corners, 6)
    if not lattice.simple(polygon):
        return
    plane = product(range(-6, 7), repeat=2)
    positions = [lattice.inside(point, polygon) for point in plane]
    assert positions.count(None) == lattice.boundary(polygon)
    twice = 2 * positions.count(True) + positions.count(None) - 2
    assert abs(lattice.doubled(polygon)) == twice


def test_intersections_by_hand() -> None:
    one = ((0, 0), (4, 0), (4, 4), (0, 4))
    rotated = ((2, -2), (6, 2), (2, 6), (-2, 2))
    assert lattice.area(lattice.common(one, rotated)) == 16
    moved = ((1, 1), (9, 1), (9, 2), (1, 2))
    assert lattice.area(lattice.common(one, moved)) == 3
