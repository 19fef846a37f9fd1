"""Square tiles with pipes, and what turning them in place makes of them.

A tile is written as the sides on which its pipe is open, in alphabetical order: U for up, R for
right, D for down, L for left.
"""

from functools import cache

TURNS = dict(zip("URDL", "RDLU"))
"""What a quarter turn clockwise makes of each side."""

FACING = {"U": "D", "D": "U", "L": "R", "R": "L"}
"""The side of the next tile that a side touches."""


def turned(tile: str, quarters: int) -> str:
    """A tile after so many quarter turns clockwise.

    >>> turned("LU", 1)
    'RU'
    """
    for _ in range(quarters):
        tile = "".join(TURNS[side] for side in tile)
    return "".join(sorted(tile))


@cache
def turnings(tile: str) -> tuple[str, ...]:
    """All tiles that one can be turned to, each once.

    >>> turnings("LR")
    ('DU', 'LR')
    """
    return tuple(sorted({turned(tile, quarters) for quarters in range(4)}))
