"""Rectangular frames drawn one over another with characters, and the rectangles they make up."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

Box = tuple[int, int, int, int]
"""The top row, the left column, the bottom row and the right column of a rectangle."""


def random_frame(rng: Random, height: int, width: int) -> Box:
    """A random frame with room inside; one in four is a square."""
    high = rng.randint(3, max(3, min(height, 3 + height // 2)))
    wide = high if rng.random() < 0.25 else rng.randint(3, max(3, 2 * width // 3))
    wide = min(wide, width)
    top, left = rng.randint(0, height - high), rng.randint(0, width - wide)
    return top, left, top + high - 1, left + wide - 1


def picture_of(boxes: Sequence[Box], height: int, width: int) -> tuple[str, ...]:
    """The drawing of frames, as lines of text."""
    across = [[False] * width for _ in range(height)]
    down = [[False] * width for _ in range(height)]
    for top, left, bottom, right in boxes:
        for column in range(left, right + 1):
            across[top][column] = across[bottom][column] = True
        for row in range(top, bottom + 1):
            down[row][left] = down[row][right] = True
    signs = {(True, True): "+", (True, False): "-", (False, True): "|", (False, False): "."}
    return tuple("".join(signs[pair] for pair in zip(*rows)) for rows in zip(across, down))


@lru_cache(maxsize=256)
def rectangles(picture: tuple[str, ...]) -> tuple[Box, ...]:
    """All rectangles of a drawing.

    >>> rectangles(("+-+-+", "|.|.|", "+-+-+"))
    ((0, 0, 2, 2), (0, 0, 2, 4), (0, 2, 2, 4))
    """
    upright = ["".join(column) for column in zip(*picture)]
    starts = [(r, c) for r, row in enumerate(picture) for c, sign in enumerate(row) if sign == "+"]
    corners = []
    for top, left in starts:
        rights = stretch(picture[top], left, "-+")
        bottoms = stretch(upright[left], top, "|+")
        for bottom in bottoms:
            low = {*stretch(picture[bottom], left, "-+")}
            closing = (r for r in rights if r in low and bottom in stretch(upright[r], top, "|+"))
            corners += [(top, left, bottom, right) for right in closing]
    return tuple(sorted(corners))


def stretch(line: str, start: int, signs: str) -> list[int]:
    """The columns of each '+' that a line reaches from a '+' without a break.

    >>> stretch("+-+.+", 0, "-+")
    [2]
    """
    run = []
    for column in range(start + 1, len(line)):
        if line[column] not in signs:
            break
        if line[column] == "+":
            run.append(column)
    return run
