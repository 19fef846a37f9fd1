"""Positions for the nodes of graphs, and for the texts of edges.

The distances in the picture follow the number of edges between two nodes: stress is minimised by
stochastic gradient descent (Jonathan Zheng, Samraat Pawar and Dan Goodman, "Graph drawing by
stochastic gradient descent", 2018), from several starts if the graph is small, of which the one
with the fewest crossings counts. Nodes then move away from edges of others. Everything depends on
the graph alone: the generator has a fixed seed, and only operations are used that every platform
rounds alike.
"""

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, islice
from math import sqrt
from random import Random

from palaestra.scenes.elements import Graph

XY = tuple[float, float]
Pairs = tuple[tuple[int, int], ...]
Pins = tuple[tuple[float | None, float | None], ...]
"""The coordinates that are stated for each node."""

SWEEPS = 15
"""How often each pair of nodes is moved, at most; after that, the stress hardly decreases."""

UPDATES = 6_500
"""The number of moves of pairs for which there is time; small graphs use it for more starts."""

SWEPT = 4_500
"""The number of moves of pairs from one start; larger graphs have fewer sweeps."""

MANY = 1_400
"""Pairs of nodes from which on there is time for the fewest sweeps."""

STARTS = 6
"""The number of starts, at most."""

PILES = 11
"""The number of piles into which the pairs of nodes are dealt before each sweep."""

ROUNDS = 14
"""How often nodes move away from what they are too close to, at most."""

CLEARANCE = 0.62
"""The distance between a node and the edges of others, in units of :func:`side`."""

SHARES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73)
"""Where on its edge a text may stand, from the start."""


def side(nodes: int) -> float:
    """The side of the square in which so many nodes are laid out, in units of a cell."""
    return max(3.2, 1.5 * sqrt(nodes) + 1)


def positions(graph: Graph) -> list[XY]:
    """A position in [0, 1] by [0, 1] for each node; coordinates that are stated stay as they are.

    Nodes with one coordinate stated move along the other axis only.
    """
    stated = tuple((node.x, node.y) for node in graph.nodes)
    if all(x is not None and y is not None for x, y in stated):
        return [(x or 0.0, y or 0.0) for x, y in stated]
    pairs = {(min(e.start, e.end), max(e.start, e.end)) for e in graph.edges if e.start != e.end}
    return list(laid_out(len(stated), tuple(sorted(pairs)), stated))


@lru_cache(maxsize=256)
def laid_out(nodes: int, pairs: Pairs, pins: Pins) -> tuple[XY, ...]:
    """Positions for nodes joined by some pairs, rounded to three places."""
    if nodes == 1:
        return tuple((0.5 if x is None else x, 0.5 if y is None else y) for x, y in pins)
    goals = _goals(nodes, pairs)
    fewest = 7 if len(goals) <= MANY else 5
    sweeps = max(fewest, min(SWEEPS, SWEPT // len(goals)))
    starts = max(1, min(STARTS, UPDATES // (sweeps * len(goals))))
    layouts = [_settled(goals, pins, Random(seed), sweeps) for seed in range(starts)]
    best = layouts[0] if starts == 1 else min(layouts, key=lambda spots: _clutter(spots, pairs))
    return tuple((round(x, 3), round(y, 3)) for x, y in _cleared(best, pairs, pins))


Goal = tuple[int, int, float, float]
"""Two nodes, the distance that they should have, and the weight of its error."""


def _goals(nodes: int, pairs: Pairs) -> list[Goal]:
    """The number of edges between any two nodes, in parts of the greatest."""
    ways: list[list[int]] = [[] for _ in range(nodes)]
    for u, v in pairs:
        ways[u].append(v)
        ways[v].append(u)
    away = [_edges_away(ways, node) for node in range(nodes)]
    most = max(1, *(max(row.values()) for row in away))
    apart = 0.6 * most + 1  # for nodes that no path joins
    goals = ((u, v, away[u].get(v, apart)) for u, v in combinations(range(nodes), 2))
    return [(u, v, far / most, (most / far) ** 2) for u, v, far in goals]


def _edges_away(ways: Sequence[Sequence[int]], start: int) -> dict[int, int]:
    away, queue = {start: 0}, deque([start])
    while queue:
        node = queue.popleft()
        for near in ways[node]:
            if near not in away:
                away[near] = away[node] + 1
                queue.append(near)
    return away


def _settled(goals: list[Goal], pins: Pins, rng: Random, sweeps: int) -> list[XY]:
    """Positions of little stress, from random ones."""
    xs, ys = ([rng.random() for _ in pins] for _ in range(2))
    order = rng.sample(goals, len(goals))
    least, most = min(goal[3] for goal in goals), max(goal[3] for goal in goals)
    for sweep in range(sweeps):
        for n, (x, y) in enumerate(pins):
            xs[n], ys[n] = xs[n] if x is None else x, ys[n] if y is None else y
        # From a rate that meets every goal at once to one that hardly moves the nearest nodes.
        half_rate = 0.5 * (0.1 * least / most) ** (sweep / (sweeps - 1)) / least
        # Cut and dealt into piles: as random as is needed, in a fraction of the time of a shuffle.
        cut = rng.randrange(len(order))
        order = order[cut:] + order[:cut]
        order = [goal for pile in range(PILES) for goal in order[pile::PILES]]
        for u, v, goal, weight in order:
            dx, dy = xs[u] - xs[v], ys[u] - ys[v]
            share = half_rate * weight
            length = sqrt(dx * dx + dy * dy) or 1e-6
            share = share if share < 0.5 else 0.5  # noqa: FURB136  a call takes longer
            move = (goal / length - 1) * share
            dx *= move
            dy *= move
            xs[u] += dx
            ys[u] += dy
            xs[v] -= dx
            ys[v] -= dy
    for n, (x, y) in enumerate(pins):
        xs[n], ys[n] = xs[n] if x is None else x, ys[n] if y is None else y
    return _fitted(list(zip(xs, ys, strict=True)), pins)


def _cleared(spots: list[XY], pairs: Pairs, pins: Pins) -> list[XY]:
    """Positions with some space between nodes, and between nodes and the edges of others."""
    count = len(spots)
    room = CLEARANCE / side(count)
    rounds = max(3, min(ROUNDS, UPDATES // (1 + count * len(pairs))))
    for left in reversed(range(ROUNDS)):
        pushes = [[0.0, 0.0] for _ in spots]
        close = _push_off_nodes(spots, pushes, 1.7 * room)
        if left < rounds:  # the edges of large graphs take more time
            close |= _push_off_edges(spots, pairs, pushes, room)
        elif not close:
            continue
        if not close:
            break
        spots = [
            (x + (px if pin[0] is None else 0), y + (py if pin[1] is None else 0))
            for (x, y), (px, py), pin in zip(spots, pushes, pins, strict=True)
        ]
    return _fitted(spots, pins)


def _push_off_nodes(spots: list[XY], pushes: list[list[float]], room: float) -> bool:
    """Push nodes apart that are closer than ``room``; whether there are any."""
    close = False
    from_the_left = sorted((x, n, y) for n, (x, y) in enumerate(spots))
    for number, (ax, a, ay) in enumerate(from_the_left, 1):
        for bx, b, by in islice(from_the_left, number, None):
            dx, dy = ax - bx, ay - by
            if dx <= -room:
                break
            length = sqrt(dx * dx + dy * dy)
            if length < room:
                close = True
                share = 0.5 * (room - length) / (length or 1)
                dx, dy = (dx * share, dy * share) if length else (0.0, room / 2)
                pushes[a][0] += dx
                pushes[a][1] += dy
                pushes[b][0] -= dx
                pushes[b][1] -= dy
    return close


def _push_off_edges(spots: list[XY], pairs: Pairs, pushes: list[list[float]], room: float) -> bool:
    """Push nodes off the edges of others that are closer than ``room``; whether there are any."""
    close = False
    for u, v in pairs:
        ax, ay = spots[u]
        bx, by = spots[v]
        wide, high = bx - ax, by - ay
        square = wide * wide + high * high or 1e-12
        low_x, high_x = (ax, bx) if ax < bx else (bx, ax)
        low_y, high_y = (ay, by) if ay < by else (by, ay)
        for n, (x, y) in enumerate(spots):
            if not (low_x - room < x < high_x + room and low_y - room < y < high_y + room):
                continue
            share = ((x - ax) * wide + (y - ay) * high) / square
            if n in (u, v) or not 0 < share < 1:
                continue
            dx, dy = x - ax - share * wide, y - ay - share * high
            length = sqrt(dx * dx + dy * dy)
            if length < room:
                close = True
                if length < 1e-9:
                    dx, dy, length = -high, wide, sqrt(square)
                push = 0.4 * (room - min(room, sqrt(dx * dx + dy * dy))) / length
                pushes[n][0] += dx * push
                pushes[n][1] += dy * push
                for end, part in ((u, 1 - share), (v, share)):
                    pushes[end][0] -= dx * push * part
                    pushes[end][1] -= dy * push * part
    return close


def _clutter(spots: list[XY], pairs: Pairs) -> float:
    """The number of crossings, and more for each node that an edge of others almost meets."""
    pushes = [[0.0, 0.0] for _ in spots]
    room = 0.7 * CLEARANCE / side(len(spots))
    _push_off_edges(spots, pairs, pushes, room)
    met = sum(abs(x) + abs(y) > 1e-9 for x, y in pushes)
    return 2 * met + sum(_cross(spots, one, other) for one, other in combinations(pairs, 2))


def _cross(spots: list[XY], one: tuple[int, int], other: tuple[int, int]) -> bool:
    a, b = one
    c, d = other
    if a in other or b in other:
        return False
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = spots[a], spots[b], spots[c], spots[d]
    wide, high = bx - ax, by - ay
    if (wide * (cy - ay) > high * (cx - ax)) == (wide * (dy - ay) > high * (dx - ax)):
        return False
    wide, high = dx - cx, dy - cy
    return (wide * (ay - cy) > high * (ax - cx)) != (wide * (by - cy) > high * (bx - cx))


def _fitted(spots: list[XY], pins: Pins) -> list[XY]:
    """Positions that fill [0, 1] on each axis; on an axis with stated ones, they are only cut."""
    axes = []
    for axis in (0, 1):
        values = [spot[axis] for spot in spots]
        low, span = min(values), max(values) - min(values)
        if any(pin[axis] is not None for pin in pins):
            axes.append([min(1.0, max(0.0, value)) for value in values])
        else:
            axes.append([(value - low) / span if span > 1e-6 else 0.5 for value in values])
    return list(zip(*axes, strict=True))


Box = tuple[float, float, float, float]
"""The centre of a rectangle, and half its width and height."""


@lru_cache(maxsize=256)
def text_spots(
    lines: tuple[tuple[XY, XY, float], ...], nodes: tuple[Box, ...], high: float
) -> tuple[XY, ...]:
    """Where the texts of lines stand: on their lines, away from nodes and from one another.

    Each line has a start, an end, and half the width of its text; ``high`` is half the height of
    all texts.
    """
    taken = list(nodes)
    spots: dict[int, XY] = {}
    # Texts on short lines have the fewest spots.
    for n in sorted(range(len(lines)), key=lambda n: _square(lines[n][0], lines[n][1])):
        (ax, ay), (bx, by), wide = lines[n]
        least = -1
        for share in SHARES:
            x, y = ax + share * (bx - ax), ay + share * (by - ay)
            met = overlaps(x, y, wide, high, taken)
            if least < 0 or met < least:
                least, spots[n] = met, (x, y)
            if not met:
                break
        taken.append((*spots[n], wide, high))
    return tuple(spots[n] for n in range(len(lines)))


def _square(one: XY, other: XY) -> float:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def overlaps(x: float, y: float, wide: float, high: float, boxes: Sequence[Box]) -> int:
    """How many boxes a text meets."""
    return sum(abs(bx - x) < bw + wide and abs(by - y) < bh + high for bx, by, bw, bh in boxes)
