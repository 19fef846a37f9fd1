"""A cat on a board of hexagons, which runs for the edge by a fixed rule, and how to wall it in.

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
    """How many steps each cell is from the edge, where it can be reached."""
    queue = sorted(edge(size) - walls)
    away = dict.fromkeys(queue, 0)
    for cell in queue:
        for there in around(size)[cell]:
            if there not in away and there not in walls:
                away[there] = away[cell] + 1
                queue.append(there)
    return away


def step(size: int, walls: Walls, cat: int) -> int | None:
    """Where the cat goes: the first neighbour on a shortest way to the edge; none if walled in.

    >>> step(3, frozenset({3}), 4), step(3, frozenset({1, 2, 3, 5, 7, 8}), 4)
    (5, None)
    """
    away = distances(size, walls)
    return _stepped(size, away, cat) if cat in away else None


def _stepped(size: int, away: dict[int, int], cat: int) -> int:
    return next(n for n in around(size)[cat] if away.get(n) == away[cat] - 1)


def route(size: int, walls: Walls, cat: int) -> list[int]:
    """The cells that the cat goes to if nothing more is built; none if it is walled in.

    >>> route(5, frozenset({11}), 12)
    [13, 14]
    """
    away, cells = distances(size, walls), [cat]
    while away.get(cells[-1]):
        cells.append(_stepped(size, away, cells[-1]))
    return cells[1:]


def caught_on_the_way(size: int, walls: Walls, cat: int, place: int) -> bool:
    """Whether the cat is caught by always building at one place of its route, 0 for the next cell.

    >>> caught_on_the_way(3, frozenset({1, 2, 3, 7, 8}), 4, 0)
    True
    """
    while ahead := route(size, walls, cat):
        walls |= {ahead[place]}
        there = step(size, walls, cat)
        if there is None:
            return True
        cat = there
    return False


def trapped(size: int, walls: Walls, cat: int, width: int = 3) -> Plan[int] | None:
    """Walls, one a turn, that shut the cat in: a search that keeps the best few states a turn."""
    beam: list[tuple[Walls, int, tuple[int, ...]]] = [(walls, cat, ())]
    looked = 0
    for _ in range(size * 2):
        grown: dict[tuple[Walls, int], tuple[float, tuple[int, ...]]] = {}
        for built, here, plan in beam:
            away = distances(size, built)
            # A wall helps where the cat could be soon, or at the edge it could run to.
            near = sorted(cell for cell in away if cell != here and _close(size, away, here, cell))
            for cell in near:
                after = built | {cell}
                looked += 1
                now = distances(size, after)
                if here not in now:
                    return Plan((*plan, cell), looked)
                if now[here] > 1:
                    there = _stepped(size, now, here)
                    grown[after, there] = _worth(size, now, there), (*plan, cell)
        best = sorted(grown.items(), key=lambda each: (-each[1][0], each[1][1]))[:width]
        beam = [(built, here, plan) for (built, here), (_, plan) in best]
    return None


def _close(size: int, away: dict[int, int], cat: int, cell: int) -> bool:
    """Whether a cell lies on a shortest way from the cat to the edge, or next to the cat."""
    rows = abs(cell // size - cat // size)
    return away[cell] < away[cat] and rows + abs(cell % size - cat % size) <= away[cat] + 1


def _worth(size: int, away: dict[int, int], cat: int) -> float:
    """How well the cat is held: how far the edge is, and in how few places it is so near."""
    layer = {cat}
    for left in range(away[cat] - 1, -1, -1):
        layer = {n for here in layer for n in around(size)[here] if away.get(n) == left}
    return 10 * away[cat] - len(layer)
