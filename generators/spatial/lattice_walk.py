"""Walks on squares, triangles, honeycombs, rings and trees."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random

Spot = tuple[int, int]

STEPS: Mapping[str, Mapping[str, Spot]] = {
    "square": {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)},
    "triangular": {
        "east": (1, 0), "west": (-1, 0), "north-east": (0, 1),
        "south-west": (0, -1), "north-west": (-1, 1), "south-east": (1, -1),
    },
    "hexagonal": {
        "east": (1, 0), "west": (-1, 0), "north-east": (0, 1),
        "south-west": (0, -1), "north-west": (-1, 1), "south-east": (1, -1),
    },
    "ring": {"clockwise": (1, 0), "anticlockwise": (-1, 0), "inward": (0, -1), "outward": (0, 1)},
    "tree": {},
}  # fmt: skip
"""What each step adds to a spot. A triangular lattice is a sheared square one."""

RINGS, AROUND = 3, 7


@lru_cache(maxsize=4096)
def ways(shape: str, spot: Spot) -> Mapping[str, Spot]:
    """Where each step leads from a spot.

    >>> ways("tree", (0, 0)), ways("ring", (6, 0))["clockwise"]
    ({'left': (0, 1), 'right': (0, 2)}, (0, 0))
    """
    x, y = spot
    if shape == "tree":  # rooms numbered as in a heap
        up = {"up": (0, (y - 1) // 2)} if y else {}
        return {"left": (0, 2 * y + 1), "right": (0, 2 * y + 2), **up}
    ends = {step: (x + by[0], y + by[1]) for step, by in STEPS[shape].items()}
    if shape == "ring":
        ends = {step: (to[0] % AROUND, to[1]) for step, to in ends.items()}
        return {step: to for step, to in ends.items() if 0 <= to[1] < RINGS}
    return ends


def visited(shape: str, steps: Sequence[str], start: Spot) -> list[Spot]:
    """The spots of a walk, its start included."""
    spots = [start]
    for step in steps:
        spots.append(ways(shape, spots[-1])[step])
    return spots


def wander(rng: Random, shape: str, steps: int) -> tuple[tuple[str, ...], list[Spot]]:
    """A random walk that reaches a new spot with most of its steps."""
    walk: list[str] = []
    spots: list[Spot] = [(0, 0)]
    for _ in range(steps):
        options = ways(shape, spots[-1])
        fresh = [step for step, to in options.items() if to not in spots]
        walk.append(rng.choice(fresh if fresh and rng.random() < 0.7 else [*options]))
        spots.append(options[walk[-1]])
    return tuple(walk), spots


def roam(
    rng: Random, shape: str, known: set[Spot], start: Spot, steps: int
) -> tuple[tuple[str, ...], Spot]:
    """A random walk over known spots, which rarely turns back."""
    path: list[str] = []
    spot, before = start, start
    for _ in range(steps):
        options = {step: to for step, to in ways(shape, spot).items() if to in known}
        on = [step for step, to in options.items() if to != before] or [*options]
        path.append(rng.choice(on))
        before, spot = spot, options[path[-1]]
    return tuple(path), spot
