"""Where places lie from one another, told by distances and points of the compass."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from random import Random

POINTS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}

Part = tuple[int, str]
"""A distance and a point of the compass."""

Claim = tuple[int, tuple[Part, ...], int]
"""A place, how far it lies in which directions, and the place that it is seen from."""

Spot = tuple[Fraction, Fraction]
"""How far east and how far north."""


def bearing(rng: Random, parts: int, longest: int) -> tuple[Part, ...]:
    """Distances along one to so many points of the compass."""
    points = [rng.choice(("north", "south")), rng.choice(("east", "west")), rng.choice([*POINTS])]
    if parts < 3 and rng.random() < 0.5:
        points[:2] = points[1::-1]
    chosen = points[: rng.randint(max(1, parts - 1), parts)]
    return tuple((rng.randint(1, longest), point) for point in chosen)


def located(claims: Iterable[Claim], middles: Iterable[tuple[int, int, int]]) -> Mapping[int, Spot]:
    """Where all places lie, seen from one of them.

    >>> located([(1, ((3, "east"),), 0)], [(2, 0, 1)])[2]
    (Fraction(3, 2), Fraction(0, 1))
    """
    beside: dict[int, list[tuple[int, Spot]]] = {}
    start = -1
    for one, parts, other in claims:
        east = Fraction(sum(far * POINTS[point][0] for far, point in parts))
        north = Fraction(sum(far * POINTS[point][1] for far, point in parts))
        beside.setdefault(other, []).append((one, (east, north)))
        beside.setdefault(one, []).append((other, (-east, -north)))
        start = other
    spots: dict[int, Spot] = {start: (Fraction(0), Fraction(0))}
    waiting = [start]
    for here in waiting:
        for there, (east, north) in beside[here]:
            if there not in spots:
                spots[there] = spots[here][0] + east, spots[here][1] + north
                waiting.append(there)
    for place, one, other in middles:  # each is told after the two that it lies between
        (x, y), (east, north) = spots[one], spots[other]
        spots[place] = (x + east) / 2, (y + north) / 2
    return spots
