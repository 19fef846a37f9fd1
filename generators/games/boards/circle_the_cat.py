"""A cat that runs to the edge of a hexagonal board by a fixed rule, and a solver that traps it.

Every second row is shifted to the right by half a cell. Cells are numbered row by row.
"""

from functools import lru_cache

from palaestra.generators.search import Plan

Walls = frozenset[int]


@lru_cache(maxsize=16)
def around(size: int) -> tuple[tuple[int, ...], ...]:
    """The neighbours of each cell: left, right, upper left, upper right, lower left, lower right.

    >>> around(3)[4]
    (3, 5, 1, 2, 7, 8)
    """
    neighbours = []
    for row in range(size):
        for column in range(size):
            shift = row % 2
            spots = [(row, column - 1), (row, column + 1)]
            spots += [(row + r, column + shift - 1 + c) for r in (-1, 1) for c in (0, 1)]
            inside = [(r, c) for r, c in spots if 0 <= r < size and 0 <= c < size]
            neighbours.append(tuple(r * size + c for r, c in inside))
    return tuple(neighbours)


@lru_cache(maxsize=16)
def edge(size: int) -> Walls:
    """The cells at the edge of the board."""
    return frozenset(n for n in range(size * size) if {0, size - 1} & {n // size, n % size})


def distances(size: int, walls: Walls) -> dict[int, int]:
    """The distance of each cell from the edge; cells without a path to it are missing."""
    queue = sorted(edge(size) - walls)
    distance = dict.fromkeys(queue, 0)
    for cell in queue:
        for neighbour in around(size)[cell]:
            if neighbour not in distance and neighbour not in walls:
                distance[neighbour] = distance[cell] + 1
                queue.append(neighbour)
    return distance


def step(size: int, walls: Walls, cat: int) -> int | None:
    """The next cell of the cat: the first neighbour on a shortest path; ``None`` if it is trapped.

    >>> step(3, frozenset({3}), 4), step(3, frozenset({1, 2, 3, 5, 7, 8}), 4)
    (5, None)
    """
    distance = distances(size, walls)
    return _stepped(size, distance, cat) if cat in distance else None


def _stepped(size: int, distance: dict[int, int], cat: int) -> int:
    return next(n for n in around(size)[cat] if distance.get(n) == distance[cat] - 1)


def route(size: int, walls: Walls, cat: int) -> list[int]:
    """The path of the cat if no more walls are built; empty if it is trapped.

    >>> route(5, frozenset({11}), 12)
    [13, 14]
    """
    distance, cells = distances(size, walls), [cat]
    while distance.get(cells[-1]):
        cells.append(_stepped(size, distance, cells[-1]))
    return cells[1:]


def caught_by_blocking(size: int, walls: Walls, cat: int, index: int) -> bool:
    """Whether the cat is caught by always building on one cell of its path, 0 for the next one.

    >>> caught_by_blocking(3, frozenset({1, 2, 3, 7, 8}), 4, 0)
    True
    """
    while ahead := route(size, walls, cat):
        walls |= {ahead[index]}
        next_cell = step(size, walls, cat)
        if next_cell is None:
            return True
        cat = next_cell
    return False


def trapped(size: int, walls: Walls, cat: int, width: int = 3) -> Plan[int] | None:
    """Walls, one in each turn, that trap the cat, by beam search with ``width`` states."""
    beam: list[tuple[Walls, int, tuple[int, ...]]] = [(walls, cat, ())]
    nodes = 0
    for _ in range(size * 2):
        children: dict[tuple[Walls, int], tuple[float, tuple[int, ...]]] = {}
        for built, here, plan in beam:
            distance = distances(size, built)
            # Only walls near the cat's shortest paths matter.
            near = sorted(
                cell for cell in distance if cell != here and _close(size, distance, here, cell)
            )
            for cell in near:
                after = built | {cell}
                nodes += 1
                now = distances(size, after)
                if here not in now:
                    return Plan((*plan, cell), nodes)
                if now[here] > 1:
                    following = _stepped(size, now, here)
                    children[after, following] = _value(size, now, following), (*plan, cell)
        best = sorted(children.items(), key=lambda each: (-each[1][0], each[1][1]))[:width]
        beam = [(built, here, plan) for (built, here), (_, plan) in best]
    return None


def _close(size: int, distance: dict[int, int], cat: int, cell: int) -> bool:
    """Whether a cell is nearer to the edge than the cat, and about within its reach."""
    rows = abs(cell // size - cat // size)
    return (
        distance[cell] < distance[cat] and rows + abs(cell % size - cat % size) <= distance[cat] + 1
    )


def _value(size: int, distance: dict[int, int], cat: int) -> float:
    """The value of a state: ten times the cat's distance from the edge, minus its nearest exits."""
    layer = {cat}
    for rest in range(distance[cat] - 1, -1, -1):
        layer = {n for here in layer for n in around(size)[here] if distance.get(n) == rest}
    return 10 * distance[cat] - len(layer)
