"""Polygons with exact coordinates: random simple ones, areas, points inside, intersections."""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd
from random import Random

Point = tuple[int, int]
Exact = tuple[Fraction, Fraction]


def turn(a: Sequence[int], b: Sequence[int], c: Sequence[int]) -> int:
    """Twice the signed area of a triangle, negative if its corners are clockwise.

    >>> turn((0, 0), (2, 0), (0, 1)), turn((0, 0), (1, 1), (2, 2))
    (2, 0)
    """
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def doubled(polygon: Sequence[Point]) -> int:
    """Twice the signed area of a polygon by the shoelace formula, negative if it is clockwise.

    >>> doubled([(0, 0), (2, 0), (2, 2), (0, 2)])
    8
    """
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(polygon, [*polygon[1:], polygon[0]]))


def boundary(polygon: Sequence[Point]) -> int:
    """The number of lattice points on the sides.

    >>> boundary([(0, 0), (2, 0), (2, 2), (0, 2)])
    8
    """
    sides = zip(polygon, [*polygon[1:], polygon[0]])
    return sum(gcd(a[0] - b[0], a[1] - b[1]) for a, b in sides)


def on_side(point: Point, a: Point, b: Point) -> bool:
    """Whether a point lies on a segment."""
    if turn(a, b, point):
        return False
    return min(a[0], b[0]) <= point[0] <= max(a[0], b[0]) and (
        min(a[1], b[1]) <= point[1] <= max(a[1], b[1])
    )


def meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments have a point in common.

    >>> meet((0, 0), (2, 2), (0, 2), (2, 0)), meet((0, 0), (1, 1), (2, 2), (3, 3))
    (True, False)
    """
    turns = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)]
    if all(turns):
        return (turns[0] > 0) != (turns[1] > 0) and (turns[2] > 0) != (turns[3] > 0)
    return on_side(c, a, b) or on_side(d, a, b) or on_side(a, c, d) or on_side(b, c, d)


def simple(polygon: Sequence[Point]) -> bool:
    """Whether the sides of a polygon meet only at their ends, and no angle is straight."""
    size = len(polygon)
    ends = [*polygon, *polygon[:2]]
    if not all(turn(*ends[n : n + 3]) for n in range(size)):
        return False
    return not any(
        meet(ends[i], ends[i + 1], ends[j], ends[j + 1])
        for i in range(size)
        for j in range(i + 2, size - (i == 0))
    )


def random_polygon(rng: Random, corners: int, largest: int) -> tuple[Point, ...]:
    """A polygon through random points, whose crossing sides are exchanged until none cross (2-opt).

    The polygon may still not be simple if points are collinear; check with :func:`simple`.
    """
    points: dict[Point, None] = {}
    while len(points) < corners:
        points[rng.randint(-largest, largest), rng.randint(-largest, largest)] = None
    polygon = list(points)
    for _ in range(4 * corners):
        crossing = next(
            (
                (i, j)
                for i in range(corners)
                for j in range(i + 2, corners - (i == 0))
                if meet(polygon[i], polygon[i + 1], polygon[j], polygon[(j + 1) % corners])
            ),
            None,
        )
        if crossing is None:
            break
        i, j = crossing
        polygon[i + 1 : j + 1] = polygon[i + 1 : j + 1][::-1]
    return tuple(polygon)


def inside(point: Point, polygon: Sequence[Point]) -> bool | None:
    """Whether a point is inside, by the parity of crossings; ``None`` on the boundary.

    >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> [inside(point, square) for point in ((1, 1), (3, 1), (2, 1))]
    [True, False, None]
    """
    is_inside = False
    for a, b in zip(polygon, [*polygon[1:], polygon[0]]):
        if on_side(point, a, b):
            return None
        if (a[1] > point[1]) != (b[1] > point[1]):
            is_inside ^= (turn(a, b, point) > 0) == (b[1] > a[1])
    return is_inside


def hull(points: Sequence[Point]) -> tuple[Point, ...]:
    """The corners of the convex hull, anticlockwise (Andrew's monotone chain, 1979).

    >>> hull([(0, 0), (1, 1), (2, 0), (2, 2), (0, 2)])
    ((0, 0), (2, 0), (2, 2), (0, 2))
    """

    def half(row: Sequence[Point]) -> list[Point]:
        corners: list[Point] = []
        for point in row:
            while len(corners) > 1 and turn(corners[-2], corners[-1], point) <= 0:
                corners.pop()
            corners.append(point)
        return corners[:-1]

    row = sorted(set(points))
    return (*half(row), *half(row[::-1]))


def common(one: Sequence[Point], other: Sequence[Point]) -> list[Exact]:
    """The intersection of two anticlockwise convex polygons (Sutherland and Hodgman, 1974).

    >>> common([(0, 0), (4, 0), (0, 4)], [(9, 9), (9, 10), (8, 9)])
    []
    """
    part = [(Fraction(x), Fraction(y)) for x, y in one]
    for a, b in zip(other, [*other[1:], other[0]]):
        sides = [(b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) for x, y in part]
        kept: list[Exact] = []
        for n, (p, s) in enumerate(zip(part, sides)):
            q, t = part[(n + 1) % len(part)], sides[(n + 1) % len(part)]
            if s >= 0:
                kept.append(p)
            if (s > 0 > t) or (s < 0 < t):
                share = s / (s - t)
                kept.append((p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])))
        part = kept
    return part


def area(polygon: Sequence[Exact]) -> Fraction:
    """The area of a polygon with rational coordinates."""
    sides = zip(polygon, [*polygon[1:], *polygon[:1]])
    return abs(sum((a[0] * b[1] - a[1] * b[0] for a, b in sides), Fraction(0))) / 2
