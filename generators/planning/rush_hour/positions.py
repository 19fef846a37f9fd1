"""Car parks that a car wants to get out of: laying them out, and posing them far from the exit."""

from functools import lru_cache
from itertools import accumulate
from random import Random

from palaestra.generators.planning.rush_hour.parking import (
    PLACES,
    SIZE,
    Car,
    cells,
    clears,
    parked,
    reached,
)

EXIT = 2
"""The row of the exit, counted from 0."""
POSITIONS = 2_000
"""How many positions a car park may have."""

COVER = [sum(1 << r * SIZE + c for r, c in cells(car)) for car in PLACES]
"""The cells that each car takes, as bits."""
OFTEN = list(
    accumulate(
        0 if lane == EXIT else length * (2 if lane < SIZE else 4 if lane > SIZE + 1 else 1)
        for lane, _, length in PLACES
    )
)
"""How often each car is tried, summed up: cars across the way of the first one are wanted."""

Cars = tuple[Car, ...]
Drive = tuple[int, str, int]
"""A car, its way, and how many cells it goes."""


def laid_out(rng: Random, number: int) -> Cars:
    """Cars at random, so many if there is room, of which the first one has got to the exit.

    None is in a column that could never leave its row free.
    """
    key = EXIT, SIZE - 2, 2
    cars, taken = [key], COVER[PLACES.index(key)]
    for n in rng.choices(range(len(PLACES)), cum_weights=OFTEN, k=80):
        if not taken & COVER[n]:
            lane = PLACES[n][0]
            column = sorted(car for car in [*cars, PLACES[n]] if car[0] == lane >= SIZE)
            if clears([length for _, _, length in column], EXIT):
                cars.append(PLACES[n])
                taken |= COVER[n]
                if len(cars) >= number:
                    break
    return tuple(cars)  # in an order that says nothing, so that the letters say nothing either


def sense(car: Car) -> tuple[str, str]:
    """The ways in which a car can drive, the one towards the top left first."""
    return ("left", "right") if car[0] < SIZE else ("up", "down")


def driven(before: Cars, after: Cars) -> Drive:
    """The drive that leads from one position to another.

    >>> driven(((2, 0, 2), (9, 0, 2)), ((2, 0, 2), (9, 3, 2)))
    (1, 'down', 3)
    """
    car = next(n for n, (here, there) in enumerate(zip(before, after)) if here != there)
    way = after[car][1] - before[car][1]
    return car, sense(before[car])[way > 0], abs(way)


@lru_cache(maxsize=256)
def posed(cars: Cars, drives: int) -> tuple[Cars, tuple[Drive, ...]] | None:
    """The nearest position from which the first car needs so many drives to the edge, and these.

    >>> posed(((2, 4, 2), (9, 3, 3)), 2)
    (((2, 0, 2), (9, 0, 3)), ((1, 'down', 3), (0, 'right', 4)))
    """
    positions = reached(cars, POSITIONS)
    if positions is None:
        return None
    edge = 1 << EXIT * SIZE + SIZE - 1
    away = positions.away(lambda here: bool(here & edge))
    if drives not in away:
        return None
    place = away.index(drives)
    start = here = parked(cars, positions.known[place])
    plan = []
    while away[place]:
        place = next(n for n in positions.beside[place] if away[n] < away[place])
        after = parked(cars, positions.known[place])
        plan.append(driven(here, after))
        here = after
    return start, tuple(plan)
