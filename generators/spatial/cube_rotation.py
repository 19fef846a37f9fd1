"""A cube that is rolled and spun by quarter turns, with a colour on each face."""

from functools import lru_cache

FACES = ("top", "bottom", "front", "back", "left", "right")

CYCLES: dict[str, tuple[str, ...]] = {
    "forward": ("top", "front", "bottom", "back"),
    "backward": ("top", "back", "bottom", "front"),
    "left": ("top", "left", "bottom", "right"),
    "right": ("top", "right", "bottom", "left"),
    "clockwise": ("front", "left", "back", "right"),
    "anticlockwise": ("front", "right", "back", "left"),
}
"""The faces that each turn moves, each to the position of the next one."""

Cube = tuple[str, ...]
"""The colours of the faces, in the order of :data:`FACES`."""

ORIGINS = {
    turn: tuple(
        FACES.index(cycle[cycle.index(face) - 1] if face in cycle else face) for face in FACES
    )
    for turn, cycle in CYCLES.items()
}
"""For each turn and face, the face from which its colour comes."""

Step = tuple[tuple[str, ...], int]
"""Turns, and how often they are repeated in this order."""


def rolled(cube: Cube, turn: str) -> Cube:
    """The cube after a quarter turn.

    >>> rolled(("T", "B", "F", "K", "L", "R"), "left")
    ('R', 'L', 'F', 'K', 'T', 'B')
    """
    return tuple(cube[face] for face in ORIGINS[turn])


@lru_cache(maxsize=256)
def ended(cube: Cube, steps: tuple[Step, ...]) -> Cube:
    """The cube after some steps."""
    for turns, times in steps:
        for turn in turns * (times % 12):  # twelve repetitions of any turns change nothing
            cube = rolled(cube, turn)
    return cube


def turnings(cube: Cube) -> list[Cube]:
    """The 24 ways in which a cube can lie."""
    cubes = [cube]
    for seen in cubes:
        cubes += [after for turn in CYCLES if (after := rolled(seen, turn)) not in cubes]
    return cubes
