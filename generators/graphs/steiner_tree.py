"""Steiner trees by dynamic programming."""

from collections.abc import Mapping, Sequence

from palaestra.generators.graphs.algorithms import distances
from palaestra.generators.random_graphs import Edge
from palaestra.generators.solutions import SearchResult


def steiner_tree(weights: Mapping[Edge, int], nodes: int, ends: Sequence[int]) -> SearchResult:
    """The edges of a lightest tree that joins some nodes, after Stuart Dreyfus and Robert Wagner.

    Dynamic programming (1971) over the lightest trees that join a set of ends and one more node.

    >>> steiner_tree({(0, 1): 1, (1, 0): 1, (1, 2): 1, (2, 1): 1}, 3, [0, 2]).solution
    ((0, 1), (1, 2))
    """
    away = distances(nodes, weights)
    everyone = range(nodes)
    cost: dict[int, list[float]] = {1 << n: list(away[end]) for n, end in enumerate(ends)}
    examined = 0
    for group in range(1, 1 << len(ends)):
        if group in cost:
            continue
        examined += nodes
        halves = [part for part in range(1, group) if part & group == part and 2 * part > group]
        met = [min(cost[part][n] + cost[group ^ part][n] for part in halves) for n in everyone]
        cost[group] = [min(met[m] + away[m][n] for m in everyone) for n in everyone]
    edges: set[Edge] = set()

    def build(group: int, node: int) -> None:
        parts = [part for part in range(1, group) if part & group == part and 2 * part > group]
        for middle in everyone:
            if not parts and middle == ends[group.bit_length() - 1]:
                edges.update(_way(middle, node, away, weights))
                return
            for part in parts:
                both = cost[part][middle] + cost[group ^ part][middle]
                if both + away[middle][node] == cost[group][node]:
                    edges.update(_way(middle, node, away, weights))
                    build(part, middle)
                    build(group ^ part, middle)
                    return

    build((1 << len(ends)) - 1, ends[0])
    return SearchResult(tuple(sorted(edges)), examined)


def _way(
    start: int, end: int, away: Sequence[Sequence[float]], weights: Mapping[Edge, int]
) -> list[Edge]:
    """The edges of a shortest path, the lower node first in each."""
    way = []
    while start != end:
        step = next(
            v
            for v in range(len(away))
            if (start, v) in weights and weights[start, v] + away[v][end] == away[start][end]
        )
        way.append((min(start, step), max(start, step)))
        start = step
    return way
