"""The classic algorithms on graphs: shortest paths, colourings, maximum flows.

The nodes are numbered from 0, as in :mod:`palaestra.generators.random_graphs`. Each search also
counts what it examines, which measures the difficulty of its graph.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from palaestra.generators.random_graphs import Arc, Edge

Path = tuple[int, ...]
Lengths = Mapping[int, Mapping[int, int]]
"""The length of the arc from one node to another."""


class Route(NamedTuple):
    """A path, its cost, and the number of arcs examined."""

    cost: tuple[int, ...]
    path: Path
    examined: int


def dijkstra(lengths: Lengths, source: int, target: int, per_arc: Sequence[int] = (0, 1)) -> Route:
    """A path of least cost, where an arc costs ``per_arc[0]`` and ``per_arc[1]`` for each unit.

    The first is counted before the second, so ``(1, 1)`` finds the shortest of the paths with
    the fewest arcs.

    >>> dijkstra({0: {1: 1, 2: 5}, 1: {2: 1}, 2: {}}, 0, 2).path
    (0, 1, 2)
    """
    queue: list[tuple[tuple[int, int], Path]] = [((0, 0), (source,))]
    settled: set[int] = set()
    examined = 0
    while queue:
        (arcs, length), path = heappop(queue)
        if path[-1] == target:
            return Route((arcs, length), path, examined)
        if path[-1] in settled:
            continue
        settled.add(path[-1])
        for node, extra in lengths[path[-1]].items():
            examined += 1
            if node not in settled:
                cost = arcs + per_arc[0], length + per_arc[1] * extra
                heappush(queue, (cost, (*path, node)))
    raise ValueError("the target cannot be reached")


def distance(lengths: Lengths, source: int, target: int, per_arc: int = 0) -> int:
    """The least cost of a path, where each arc costs its length and ``per_arc`` more.

    >>> distance({0: {1: 1, 2: 5}, 1: {2: 1}, 2: {}}, 0, 2)
    2
    """
    queue, costs = [(0, source)], {source: 0}
    while queue:
        cost, node = heappop(queue)
        if node == target:
            return cost
        if cost == costs[node]:
            for other, length in lengths[node].items():
                total = cost + length + per_arc
                if other not in costs or total < costs[other]:
                    costs[other] = total
                    heappush(queue, (total, other))
    raise ValueError("the target cannot be reached")


def nearest_neighbour(lengths: Lengths, source: int, target: int) -> Path:
    """The walk that always takes the shortest arc to a new node; it may end in a dead end."""
    path, here = [source], source
    while here != target:
        ways = [(length, node) for node, length in lengths[here].items() if node not in path]
        if not ways:
            break
        _, here = min(ways)
        path.append(here)
    return tuple(path)


Coloring = tuple[int, ...]


class Colored(NamedTuple):
    """A proper colouring, if there is one, and the number of nodes that the search coloured."""

    coloring: Coloring | None
    examined: int


def neighbours(nodes: int, edges: Iterable[Sequence[int]]) -> list[list[int]]:
    """The neighbours of each node."""
    beside: list[list[int]] = [[] for _ in range(nodes)]
    for u, v in edges:
        beside[u].append(v)
        beside[v].append(u)
    return beside


@lru_cache(maxsize=256)
def dsatur(nodes: int, edges: tuple[Edge, ...], colors: int) -> Colored:
    """Colour the node with the most colours among its neighbours first, and backtrack.

    >>> dsatur(3, ((0, 1), (1, 2)), 2).coloring
    (1, 0, 1)
    """
    beside = neighbours(nodes, edges)
    degrees = list(map(len, beside))
    color = [0] * nodes
    """A bit for the colour of each node; 0 if it has none yet."""
    examined = 0

    def extend(blank: list[int], used: int) -> bool:
        nonlocal examined
        if not blank:
            return True
        node, most, shut = -1, -1, 0
        for other in blank:
            seen = 0
            for near in beside[other]:
                seen |= color[near]
            if (rank := seen.bit_count() * nodes + degrees[other]) > most:
                node, most, shut = other, rank, seen
        rest = [other for other in blank if other != node]
        for choice in range(min(colors, used + 1)):  # all unused colours are equivalent
            if not shut >> choice & 1:
                color[node] = 1 << choice
                examined += 1
                if extend(rest, max(used, choice + 1)):
                    return True
        color[node] = 0
        return False

    done = extend(list(range(nodes)), 0)
    return Colored(tuple([bit.bit_length() - 1 for bit in color]) if done else None, examined)


def has_clique(masks: Sequence[int], size: int) -> bool:
    """Whether so many nodes are all joined, where masks have the neighbours of each as bits.

    >>> has_clique([6, 5, 3], 3), has_clique([2, 5, 2], 3)
    (True, False)
    """

    def extend(among: int, wanted: int) -> bool:
        if not wanted:
            return True
        while among.bit_count() >= wanted:
            node = among.bit_length() - 1
            among ^= 1 << node
            if extend(among & masks[node], wanted - 1):
                return True
        return False

    return extend((1 << len(masks)) - 1, size)


def first_fit(order: Sequence[int], beside: Sequence[Sequence[int]], colors: int) -> Coloring:
    """Each node in turn gets the first colour that none of its neighbours has, or the last one."""
    color = [-1] * len(beside)
    for node in order:
        shut = {color[near] for near in beside[node]}
        color[node] = next((c for c in range(colors) if c not in shut), colors - 1)
    return tuple(color)


def bipartite(beside: Sequence[Sequence[int]]) -> bool:
    """Whether two colours are enough for the graph with these neighbours of each node.

    >>> bipartite([[1], [0, 2], [1]]), bipartite([[1, 2], [0, 2], [0, 1]])
    (True, False)
    """
    side = [0] * len(beside)
    for start in range(len(beside)):
        if side[start]:
            continue
        side[start] = 1
        queue = [start]
        for node in queue:
            for near in beside[node]:
                if not side[near]:
                    side[near] = -side[node]
                    queue.append(near)
                elif side[near] == side[node]:
                    return False
    return True


def first_fit_fails(order: Iterable[int], beside: Sequence[Sequence[int]], colors: int) -> bool:
    """Whether :func:`first_fit` reaches a node whose neighbours have all the colours.

    >>> first_fit_fails([0, 3, 1, 2], [[1], [0, 2], [1, 3], [2]], 2)
    True
    """
    color, every = [0] * len(beside), (1 << colors) - 1
    for node in order:
        seen = 0
        for near in beside[node]:
            seen |= color[near]
        if seen == every:
            return True
        color[node] = ~seen & (seen + 1)
    return False


Flow = Mapping[Edge, int]


class FlowResult(NamedTuple):
    """A flow, its value, and the number of arcs examined."""

    flow: Flow
    value: int
    examined: int


def augmenting_path(residual: Mapping[Edge, int], source: int, sink: int) -> tuple[list[int], int]:
    """A path of the fewest arcs with residual capacity, if any, and the number of arcs examined."""
    ways: dict[int, list[int]] = {}
    for (u, v), left in residual.items():
        if left > 0:
            ways.setdefault(u, []).append(v)
    previous, queue, examined = {source: source}, deque([source]), 0
    while queue and sink not in previous:
        here = queue.popleft()
        for there in ways.get(here, ()):
            examined += 1
            if there not in previous:
                previous[there] = here
                queue.append(there)
    path = [sink] if sink in previous else []
    while path and path[-1] != source:
        path.append(previous[path[-1]])
    return path[::-1], examined


@lru_cache(maxsize=256)
def edmonds_karp(arcs: tuple[Arc, ...], source: int, sink: int, undo: bool = True) -> FlowResult:
    """A maximum flow; without ``undo``, a greedy one that never sends any flow back.

    >>> edmonds_karp(((0, 1, 3), (1, 2, 2)), 0, 2).value
    2
    """
    residual = {(u, v): capacity for u, v, capacity in arcs}
    if undo:
        residual |= {(v, u): 0 for u, v, _ in arcs if (v, u) not in residual}
    value = examined = 0
    while True:
        path, more = augmenting_path(residual, source, sink)
        examined += more
        if not path:
            break
        extra = min(residual[step] for step in pairwise(path))
        value += extra
        for u, v in pairwise(path):
            residual[u, v] -= extra
            if undo:
                residual[v, u] += extra
    return FlowResult({(u, v): max(0, c - residual[u, v]) for u, v, c in arcs}, value, examined)
