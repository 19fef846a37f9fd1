"""Polygons whose corners have whole coordinates."""

from itertools import product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.generators.geometry import lattice

SEEDS = st.integers(0, 10_000)


@given(SEEDS, st.integers(3, 9))
@settings(max_examples=40, deadline=None)
def test_picks_theorem_holds_of_polygons_drawn(seed: int, corners: int) -> None:
    polygon = lattice.drawn(Random(seed), corners, 6)
    if not lattice.simple(polygon):
        return
    plane = product(range(-6, 7), repeat=2)
    found = [lattice.inside(point, polygon) for point in plane]
    assert found.count(None) == lattice.boundary(polygon)
    twice = 2 * found.count(True) + found.count(None) - 2
    assert abs(lattice.doubled(polygon)) == twice


def test_two_squares_share_what_is_seen() -> None:
    one = ((0, 0), (4, 0), (4, 4), (0, 4))
    turned = ((2, -2), (6, 2), (2, 6), (-2, 2))
    assert lattice.area(lattice.common(one, turned)) == 16
    moved = ((1, 1), (9, 1), (9, 2), (1, 2))
    assert lattice.area(lattice.common(one, moved)) == 3
