"""Squares cut into rectangles, and the areas from which the cut follows."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from random import Random

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.grids.marks import Sheet, exactly
from palaestra.generators.grids.pencil import SearchResult

Box = tuple[int, int]
"""The first and the last cell of a rectangle, in reading order."""


TRIES = 30
"""The number of moves of a number before a new grid is cut."""


@lru_cache(maxsize=512)
def cells_of(box: Box, size: int) -> tuple[int, ...]:
    """All cells of a rectangle.

    >>> cells_of((1, 5), size=3)
    (1, 2, 4, 5)
    """
    (top, left), (bottom, right) = (divmod(corner, size) for corner in box)
    rows, columns = range(top, bottom + 1), range(left, right + 1)
    return tuple(row * size + column for row in rows for column in columns)


@lru_cache(maxsize=16)
def rectangles(size: int) -> tuple[Box, ...]:
    """All rectangles of a square."""
    return tuple(
        (first, last)
        for first in range(size * size)
        for last in range(first, size * size)
        if last % size >= first % size
    )


def around(cell: int, area: int, size: int) -> Iterable[Box]:
    """All rectangles of an area that hold a cell."""
    row, column = divmod(cell, size)
    for height in range(1, area + 1):
        width = area // height
        if width * height == area and max(width, height) <= size:
            for top in range(max(0, row - height + 1), min(row, size - height) + 1):
                for left in range(max(0, column - width + 1), min(column, size - width) + 1):
                    yield top * size + left, (top + height - 1) * size + left + width - 1


def solve(areas: Mapping[int, int], size: int) -> tuple[list[Box], SearchResult[int]]:
    """All rectangles that may be cut out, and up to two choices of them."""
    numbers = bits(areas)
    boxes: list[Box] = []
    holding: list[list[int]] = [[] for _ in range(size * size)]
    groups = []
    for cell, area in areas.items():
        start = len(boxes)
        for box in around(cell, area, size):
            cells = cells_of(box, size)
            if bits(cells) & numbers == 1 << cell:
                for one in cells:
                    holding[one].append(len(boxes))
                boxes.append(box)
        groups.append(range(start, len(boxes)))
    counts = tuple(exactly(group, 1) for group in (*groups, *holding))
    return boxes, Sheet(len(boxes), counts).solve(most=500)


def cut_up(rng: Random, size: int, largest: int) -> list[Box]:
    """A square cut into rectangles at random, from the top."""
    free = set(range(size * size))
    boxes = []
    for cell in range(size * size):
        if cell in free:
            ways = [
                box
                for box in rectangles(size)
                if box[0] == cell
                and len(cells := cells_of(box, size)) <= largest
                and free.issuperset(cells)
            ]
            boxes.append(rng.choice([box for box in ways if box != (cell, cell)] or ways))
            free.difference_update(cells_of(boxes[-1], size))
    return boxes


def numbered(rng: Random, size: int, boxes: list[Box]) -> dict[int, int] | None:
    """The areas of rectangles at cells that allow no other way to cut; None if that fails."""
    holders = {box: rng.choice(cells_of(box, size)) for box in boxes}
    for _ in range(TRIES):
        areas = {cell: len(cells_of(box, size)) for box, cell in holders.items()}
        every, solution = solve(areas, size)
        if solution.unique:
            return areas
        kept = [{every[n] for n in ones(some)} for some in solution.solutions]
        lost = [box for box in boxes if not all(box in some for some in kept)]
        moved = rng.choice(lost or boxes)
        holders[moved] = rng.choice(cells_of(moved, size))
    return None
