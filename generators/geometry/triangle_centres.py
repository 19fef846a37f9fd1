"""Triangles with integer coordinates, and their centres by barycentric coordinates."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import gcd, isqrt
from random import Random

Point = tuple[int, int]


Exact = tuple[Fraction, Fraction]


def lattice_point(rng: Random, largest: int) -> Point:
    """A random point near the origin."""
    return rng.randint(-largest, largest), rng.randint(-largest, largest)


def with_whole_sides(rng: Random) -> tuple[Point, Point, Point]:
    """A random triangle with integer sides and coordinates, from two right-angled triangles."""
    orthocentre = rng.choice((12, 24, 36, 40, 60))
    legs = [
        n
        for n in range(5, 91)
        if isqrt(n * n + orthocentre * orthocentre) ** 2 == n * n + orthocentre * orthocentre
    ]
    left, right = rng.sample(legs, 2)
    left = rng.choice((left, -left))
    shared = gcd(gcd(left, right), orthocentre)
    corners = [(-left // shared, 0), (right // shared, 0), (0, orthocentre // shared)]
    dx, dy = lattice_point(rng, 9)
    side, flip = rng.choice((1, -1)), rng.random() < 0.5
    moved = [(y * side + dx, x + dy) if flip else (x + dx, y * side + dy) for x, y in corners]
    a, b, c = rng.sample(moved, 3)
    return a, b, c


def squares(corners: tuple[Point, Point, Point]) -> tuple[int, int, int]:
    """The squares of the sides opposite A, B and C.

    >>> squares(((0, 0), (3, 0), (0, 4)))
    (25, 16, 9)
    """
    a, b, c = corners

    def squared_distance(p: Point, q: Point) -> int:
        return (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2

    return squared_distance(b, c), squared_distance(c, a), squared_distance(a, b)


@lru_cache(maxsize=256)
def points(corners: tuple[Point, Point, Point]) -> dict[str, Exact]:
    """All points of a triangle by name, from their barycentric coordinates.

    >>> centres = points(((0, 0), (3, 0), (0, 4)))
    >>> [str(n) for name in ("centroid", "incentre") for n in centres[name]]
    ['1', '4/3', '1', '1']
    """
    return dict(_points(corners))


def _points(corners: tuple[Point, Point, Point]) -> Iterator[tuple[str, Exact]]:
    a, b, c = squares(corners)

    def weighted(*weights: int) -> Exact:
        total = sum(weights)
        x, y = (sum(w * p[axis] for w, p in zip(weights, corners)) for axis in (0, 1))
        return Fraction(x, total), Fraction(y, total)

    yield "centroid", weighted(1, 1, 1)
    yield "symmedian", weighted(a, b, c)
    circumcentre = weighted(a * (b + c - a), b * (c + a - b), c * (a + b - c))
    yield "circumcentre", circumcentre
    ends = [sum(corner[axis] for corner in corners) for axis in (0, 1)]
    orthocentre = ends[0] - 2 * circumcentre[0], ends[1] - 2 * circumcentre[1]
    yield "orthocentre", orthocentre
    yield "nine", ((circumcentre[0] + orthocentre[0]) / 2, (circumcentre[1] + orthocentre[1]) / 2)
    foot = weighted(0, a + b - c, a + c - b)
    yield "foot", foot
    yield "mirror", (2 * foot[0] - corners[0][0], 2 * foot[1] - corners[0][1])
    yield "incentre", weighted(isqrt(a), isqrt(b), isqrt(c))
