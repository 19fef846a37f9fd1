"""Patches of equal cells on a grid, and how many steps cells are from one another."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import product

Cell = tuple[int, int]
Grid = tuple[tuple[int, ...], ...]


def beside(cell: Cell, grid: Sequence[Sequence[int]]) -> list[Cell]:
    """The cells above, below, to the left and to the right.

    >>> beside((0, 0), [[1, 2], [3, 4]])
    [(1, 0), (0, 1)]
    """
    return [*_neighbours(len(grid), len(grid[0]))[cell]]


@lru_cache(maxsize=64)
def _neighbours(rows: int, columns: int) -> dict[Cell, tuple[Cell, ...]]:
    """The cells beside each cell of a grid, in the order of :func:`beside`."""
    table = {}
    for row, column in product(range(rows), range(columns)):
        around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        inside = [(r, c) for r, c in around if 0 <= r < rows and 0 <= c < columns]
        table[row, column] = tuple(inside)
    return table


def cells(grid: Sequence[Sequence[int]], wanted: Callable[[int], bool]) -> list[Cell]:
    """The cells whose number satisfies a condition, row by row.

    >>> cells([[0, 1], [1, 0]], bool)
    [(0, 1), (1, 0)]
    """
    return [(r, c) for r, row in enumerate(grid) for c, n in enumerate(row) if wanted(n)]


def patches(grid: Sequence[Sequence[int]]) -> list[list[Cell]]:
    """The largest sets of equal cells that are connected side by side.

    >>> list(map(len, patches([[1, 1, 2], [2, 2, 2]])))
    [2, 4]
    """
    seen: set[Cell] = set()
    regions = []
    near = _neighbours(len(grid), len(grid[0]))
    for start in cells(grid, lambda n: True):
        if start in seen:
            continue
        patch, value = [start], grid[start[0]][start[1]]
        seen.add(start)
        for here in patch:
            for there in near[here]:
                if there not in seen and grid[there[0]][there[1]] == value:
                    seen.add(there)
                    patch.append(there)
        regions.append(patch)
    return regions


def distances(grid: Sequence[Sequence[int]], sources: Iterable[Cell]) -> dict[Cell, int]:
    """The fewest steps from the nearest source to each cell that can be reached; -1 is a wall.

    >>> distances([[0, -1], [0, 0]], [(0, 0)])
    {(0, 0): 0, (1, 0): 1, (1, 1): 2}
    """
    distance = dict.fromkeys(sources, 0)
    queue = [*distance]
    near = _neighbours(len(grid), len(grid[0]))
    for here in queue:
        farther = distance[here] + 1
        for there in near[here]:
            if there not in distance and grid[there[0]][there[1]] != -1:
                distance[there] = farther
                queue.append(there)
    return distance


def arrivals(grid: Sequence[Sequence[int]], sources: Iterable[Cell]) -> dict[Cell, int]:
    """When each cell is reached first, where entering one takes as many minutes as its number.

    >>> arrivals([[1, 9], [2, 3]], [(0, 0)])
    {(0, 0): 0, (1, 0): 2, (1, 1): 5, (0, 1): 9}
    """
    queue = [(0, source) for source in sources]
    arrival: dict[Cell, int] = {}
    while queue:
        time, here = heappop(queue)
        if here not in arrival:
            arrival[here] = time
            for there in beside(here, grid):
                if grid[there[0]][there[1]] != -1:
                    heappush(queue, (time + grid[there[0]][there[1]], there))
    return arrival
