"""Random car parks, and positions of them that are far from the exit."""

from functools import lru_cache
from itertools import accumulate
from random import Random

from palaestra.generators.planning.rush_hour.parking import (
    SIZE,
    SPOTS,
    Car,
    cells,
    clears,
    parked,
    reached,
)

EXIT = 2
"""The row of the exit, counted from 0."""
POSITIONS = 2_000
"""The largest number of positions of a car park."""

COVER = [sum(1 << r * SIZE + c for r, c in cells(car)) for car in SPOTS]
"""The cells that each car takes, as bits."""
OFTEN = list(
    accumulate(
        0 if lane == EXIT else length * (2 if lane < SIZE else 4 if lane > SIZE + 1 else 1)
        for lane, _, length in SPOTS
    )
)
"""Cumulative weights of the spots; cars that block the first one are more frequent."""

Cars = tuple[Car, ...]
Drive = tuple[int, str, int]
"""A car, its way, and how many cells it goes."""


def laid_out(rng: Random, number: int) -> Cars:
    """Random cars, ``number`` of them if there is room; the first one is at the exit.

    None is in a column that could never leave its row free.
    """
    key = EXIT, SIZE - 2, 2
    cars, taken = [key], COVER[SPOTS.index(key)]
    for n in rng.choices(range(len(SPOTS)), cum_weights=OFTEN, k=80):
        if not taken & COVER[n]:
            lane = SPOTS[n][0]
            column = sorted(car for car in [*cars, SPOTS[n]] if car[0] == lane >= SIZE)
            if clears([length for _, _, length in column], EXIT):
                cars.append(SPOTS[n])
                taken |= COVER[n]
                if len(cars) >= number:
                    break
    return tuple(cars)  # in random order, so that letters reveal nothing


def sense(car: Car) -> tuple[str, str]:
    """The directions in which a car can drive, up or left first."""
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
def start_and_plan(cars: Cars, drives: int) -> tuple[Cars, tuple[Drive, ...]] | None:
    """The nearest position from which the first car needs ``drives`` drives to the edge, and these.

    >>> start_and_plan(((2, 4, 2), (9, 3, 3)), 2)
    (((2, 0, 2), (9, 0, 3)), ((1, 'down', 3), (0, 'right', 4)))
    """
    positions = reached(cars, POSITIONS)
    if positions is None:
        return None
    edge = 1 << EXIT * SIZE + SIZE - 1
    away = positions.away(lambda here: bool(here & edge))
    if drives not in away:
        return None
    index = away.index(drives)
    start = here = parked(cars, positions.known[index])
    plan = []
    while away[index]:
        index = next(n for n in positions.beside[index] if away[n] < away[index])
        after = parked(cars, positions.known[index])
        plan.append(driven(here, after))
        here = after
    return start, tuple(plan)
