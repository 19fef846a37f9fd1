"""Algorithms on graphs that take polynomial time: trees, components, matchings, trails, orders.

The nodes are numbered from 0 and ``ways`` lists, for each node, the nodes to which an edge leads.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from palaestra.generators.random_graphs import Edge

Ways = Sequence[Sequence[int]]
Interval = tuple[int, int, int]
"""The start, the end and the weight of an interval."""


class Forest:
    """Disjoint sets of nodes, after Bernard Galler and Michael Fischer (1964)."""

    def __init__(self, nodes: int) -> None:
        self.parent = list(range(nodes))

    def root(self, node: int) -> int:
        """The node that represents the tree of a node."""
        while self.parent[node] != node:
            self.parent[node] = node = self.parent[self.parent[node]]
        return node

    def join(self, u: int, v: int) -> bool:
        """Join the trees of two nodes; false if they are the same tree.

        >>> forest = Forest(3)
        >>> forest.join(0, 1), forest.join(1, 0)
        (True, False)
        """
        one, other = self.root(u), self.root(v)
        self.parent[one] = other
        return one != other


def spanning_tree(nodes: int, edges: Iterable[tuple[int, ...]]) -> tuple[list[Edge], int]:
    """The edges that form no cycle with earlier ones, and the number of edges examined.

    If the edges are sorted by weight, this is Joseph Kruskal's algorithm (1956).

    >>> spanning_tree(3, [(0, 1), (1, 2), (0, 2)])
    ([(0, 1), (1, 2)], 2)
    """
    forest, tree, examined = Forest(nodes), list[Edge](), 0
    for u, v, *_ in edges:
        if len(tree) == nodes - 1:
            break
        examined += 1
        if forest.join(u, v):
            tree.append((u, v))
    return tree, examined


def reached(ways: Ways, start: int, shut: Iterable[int] = ()) -> list[int]:
    """The nodes that a node reaches by paths without the ``shut`` ones, nearest first."""
    seen = {start, *shut}
    order = [start]
    for node in order:
        for near in ways[node]:
            if near not in seen:
                seen.add(near)
                order.append(near)
    return order


def topological_order(ways: Ways) -> list[int]:
    """An order in which every edge leads to a later node, without those that a cycle reaches.

    Arthur Kahn's algorithm (1962).

    >>> topological_order([[1], [], [0]])
    [2, 0, 1]
    """
    before = [0] * len(ways)
    for nodes in ways:
        for node in nodes:
            before[node] += 1
    order = [node for node, number in enumerate(before) if not number]
    for node in order:
        for near in ways[node]:
            before[near] -= 1
            if not before[near]:
                order.append(near)
    return order


def strong_components(ways: Ways) -> list[list[int]]:
    """The strongly connected components, after Robert Tarjan (1972).

    >>> strong_components([[1], [0, 2], []])
    [[2], [0, 1]]
    """
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    components: list[list[int]] = []

    def visit(node: int) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for near in ways[node]:
            if near not in number:
                visit(near)
                low[node] = min(low[node], low[near])
            elif near in stack:
                low[node] = min(low[node], number[near])
        if low[node] == number[node]:
            start = stack.index(node)
            components.append(sorted(stack[start:]))
            del stack[start:]

    for node in range(len(ways)):
        if node not in number:
            visit(node)
    return components


def weak_points(ways: Ways) -> tuple[list[Edge], list[int]]:
    """The bridges and the cut nodes of a connected graph, after John Hopcroft and Tarjan (1973).

    >>> weak_points([[1], [0, 2], [1]])
    ([(0, 1), (1, 2)], [1])
    """
    number: dict[int, int] = {}
    bridges: list[Edge] = []
    cuts: set[int] = set()

    def visit(node: int, parent: int) -> int:
        low = number[node] = len(number)
        children = 0
        for near in ways[node]:
            if near not in number:
                children += 1
                below = visit(near, node)
                low = min(low, below)
                if below > number[node]:
                    bridges.append((min(node, near), max(node, near)))
                if below >= number[node] and parent >= 0:
                    cuts.add(node)
            elif near != parent:
                low = min(low, number[near])
        if parent < 0 and children > 1:
            cuts.add(node)
        return low

    visit(0, -1)
    return sorted(bridges), sorted(cuts)


def matching(ways: Ways, left: Sequence[int]) -> tuple[dict[int, int], int]:
    """A maximum matching of a bipartite graph, from right to left, and the edges examined.

    Each node on the left looks for an augmenting path, as in Harold Kuhn's method (1955).

    >>> matching([[2, 3], [2], [0, 1], [0]], [0, 1])[0]
    {2: 1, 3: 0}
    """
    partner: dict[int, int] = {}
    examined = 0

    def augment(node: int, seen: set[int]) -> bool:
        nonlocal examined
        for near in ways[node]:
            examined += 1
            if near not in seen:
                seen.add(near)
                if near not in partner or augment(partner[near], seen):
                    partner[near] = node
                    return True
        return False

    for node in left:
        augment(node, set())
    return dict(sorted(partner.items())), examined


def euler_trail(ways: Ways, start: int) -> list[int]:
    """A trail along every edge, after Carl Hierholzer (1873).

    >>> euler_trail([[1, 2], [0, 2], [0, 1]], 0)
    [0, 2, 1, 0]
    """
    left = [set(near) for near in ways]
    stack, trail = [start], []
    while stack:
        here = stack[-1]
        if left[here]:
            there = min(left[here])
            left[here].discard(there)
            left[there].discard(here)
            stack.append(there)
        else:
            trail.append(stack.pop())
    return trail


def heaviest_ends(order: Sequence[int], weights: Mapping[Edge, int]) -> list[list[int]]:
    """For each node, a path of greatest weight that ends in it, in a graph without cycles."""
    paths = {node: (0, [node]) for node in order}
    into: dict[int, list[tuple[int, int]]] = {node: [] for node in order}
    for (u, v), weight in weights.items():
        into[v].append((u, weight))
    for node in order:
        for before, weight in sorted(into[node]):
            total = paths[before][0] + weight
            if total > paths[node][0]:
                paths[node] = total, [*paths[before][1], node]
    return [paths[node][1] for node in sorted(paths)]


def distances(nodes: int, weights: Mapping[Edge, int]) -> list[list[float]]:
    """All distances, after Robert Floyd and Stephen Warshall (1962).

    >>> distances(3, {(0, 1): 2, (1, 2): 3})[0]
    [0, 2, 5]
    """
    far = float("inf")
    away = [[0 if u == v else weights.get((u, v), far) for v in range(nodes)] for u in range(nodes)]
    for k, middle in enumerate(away):
        for row in away:
            extra = row[k]
            if extra < far:
                row[:] = [
                    own if own <= (way := extra + other) else way for own, other in zip(row, middle)
                ]
    return away


def minimum_cut(nodes: int, weights: Mapping[Edge, int]) -> tuple[list[int], int]:
    """One side of a lightest cut, and its weight, after Mechthild Stoer and Frank Wagner (1995).

    >>> minimum_cut(3, {(0, 1): 5, (1, 0): 5, (1, 2): 2, (2, 1): 2})
    ([2], 2)
    """
    beside = [[weights.get((u, v), 0) for v in range(nodes)] for u in range(nodes)]
    merged = [[node] for node in range(nodes)]
    left = list(range(nodes))
    best: tuple[int, list[int]] | None = None
    while len(left) > 1:
        pull = {node: beside[left[0]][node] for node in left[1:]}
        before, last = left[0], left[0]
        while pull:  # the node with the heaviest edges to those taken so far is next
            before, last = last, max(pull, key=lambda node: (pull[node], -node))
            weight = pull.pop(last)
            for node in pull:
                pull[node] += beside[last][node]
        if best is None or weight < best[0]:
            best = weight, sorted(merged[last])
        merged[before] += merged[last]
        left.remove(last)
        for node in left:
            beside[before][node] += beside[last][node]
            beside[node][before] = beside[before][node]
    assert best is not None, "there are at least two nodes"
    return best[1], best[0]


def parents(ways: Ways, root: int) -> dict[int, int]:
    """The parent of each node of a tree; that of the root is the root itself.

    >>> parents([[1], [0, 2], [1]], 1)
    {1: 1, 0: 1, 2: 1}
    """
    above = {root: root}
    for node in reached(ways, root):
        above |= {near: node for near in ways[node] if near not in above}
    return above


def heaviest(intervals: Sequence[Interval]) -> tuple[int, tuple[int, ...]]:
    """The greatest weight of intervals that do not overlap, and their numbers.

    >>> heaviest([(0, 3, 2), (3, 5, 2), (2, 4, 3)])
    (4, (0, 1))
    """
    order = sorted(range(len(intervals)), key=lambda n: intervals[n][1])
    ends = [intervals[n][1] for n in order]
    best: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    for number in order:
        start, _, weight = intervals[number]
        total, chosen = best[bisect_right(ends, start, hi=len(best) - 1)]
        best.append(max(best[-1], (total + weight, (*chosen, number)), key=lambda pair: pair[0]))
    return best[-1]
