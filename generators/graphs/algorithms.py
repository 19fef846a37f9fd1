"""Algorithms that several graph puzzles use: spanning trees, reachability, orders and distances.

The nodes are numbered from 0 and ``ways`` lists, for each node, the nodes to which an edge leads.
"""

from collections.abc import Iterable, Mapping, Sequence

from palaestra.generators.random_graphs import Edge

Ways = Sequence[Sequence[int]]


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


def parents(ways: Ways, root: int) -> dict[int, int]:
    """The parent of each node of a tree; that of the root is the root itself.

    >>> parents([[1], [0, 2], [1]], 1)
    {1: 1, 0: 1, 2: 1}
    """
    above = {root: root}
    for node in reached(ways, root):
        above |= {near: node for near in ways[node] if near not in above}
    return above
