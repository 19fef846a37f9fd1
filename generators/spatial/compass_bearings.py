"""Relative positions of places by distances and compass directions."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from random import Random

POINTS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}

Part = tuple[int, str]
"""A distance and a compass direction."""

Claim = tuple[int, tuple[Part, ...], int]
"""A place, its distances by direction, and the place that they are measured from."""

Spot = tuple[Fraction, Fraction]
"""The distances to the east and to the north."""


def bearing(rng: Random, parts: int, longest: int) -> tuple[Part, ...]:
    """Random distances in at most ``parts`` compass directions."""
    points = [rng.choice(("north", "south")), rng.choice(("east", "west")), rng.choice([*POINTS])]
    if parts < 3 and rng.random() < 0.5:
        points[:2] = points[1::-1]
    chosen = points[: rng.randint(max(1, parts - 1), parts)]
    return tuple((rng.randint(1, longest), point) for point in chosen)


def located(claims: Iterable[Claim], middles: Iterable[tuple[int, int, int]]) -> Mapping[int, Spot]:
    """The positions of all places relative to one of them.

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
    for known in waiting:
        for new, (east, north) in beside[known]:
            if new not in spots:
                spots[new] = spots[known][0] + east, spots[known][1] + north
                waiting.append(new)
    for middle, one, other in middles:  # each comes after the two that it lies between
        (x, y), (east, north) = spots[one], spots[other]
        spots[middle] = (x + east) / 2, (y + north) / 2
    return spots
