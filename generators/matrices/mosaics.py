"""Patches of equal cells on a grid, and how many steps cells are from one another."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush

Cell = tuple[int, int]
Grid = tuple[tuple[int, ...], ...]


def beside(cell: Cell, grid: Sequence[Sequence[int]]) -> list[Cell]:
    """The cells above, below, to the left and to the right.

    >>> beside((0, 0), [[1, 2], [3, 4]])
    [(1, 0), (0, 1)]
    """
    row, column = cell
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [(r, c) for r, c in around if 0 <= r < len(grid) and 0 <= c < len(grid[0])]


def cells(grid: Sequence[Sequence[int]], wanted: Callable[[int], bool]) -> list[Cell]:
    """The cells whose number is wanted, row by row.

    >>> cells([[0, 1], [1, 0]], bool)
    [(0, 1), (1, 0)]
    """
    return [(r, c) for r, row in enumerate(grid) for c, n in enumerate(row) if wanted(n)]


def patches(grid: Sequence[Sequence[int]]) -> list[list[Cell]]:
    """The largest sets of equal cells that hang together side by side.

    >>> list(map(len, patches([[1, 1, 2], [2, 2, 2]])))
    [2, 4]
    """
    seen: set[Cell] = set()
    regions = []
    for start in cells(grid, lambda n: True):
        if start in seen:
            continue
        patch, value = [start], grid[start[0]][start[1]]
        seen.add(start)
        for here in patch:
            for there in beside(here, grid):
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
    queue = deque(distance)
    while queue:
        here = queue.popleft()
        for there in beside(here, grid):
            if there not in distance and grid[there[0]][there[1]] != -1:
                distance[there] = distance[here] + 1
                queue.append(there)
    return distance


def arrivals(grid: Sequence[Sequence[int]], sources: Iterable[Cell]) -> dict[Cell, int]:
    """When each cell is reached first, where entering one takes as long as its number says.

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
