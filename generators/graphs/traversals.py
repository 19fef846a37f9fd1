"""Depth-first search with the times and the kinds of edges of Robert Tarjan's (1972).

Nodes are numbered from 0. ``ways`` lists, for each node, the nodes to which an edge leads, in the
order in which a search takes them. Breadth-first order is that of
:func:`~palaestra.generators.graphs.algorithms.reached`.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from palaestra.generators.graphs.algorithms import Ways, reached
from palaestra.generators.random_graphs import Edge

EdgeKind = Literal["tree", "back", "forward", "cross"]


class DepthFirst(NamedTuple):
    """What a depth-first search does: the nodes in two orders, and the kinds of the edges."""

    discovered: tuple[int, ...]
    finished: tuple[int, ...]
    kinds: dict[Edge, EdgeKind]

    def edges(self, sort: EdgeKind) -> tuple[Edge, ...]:
        """The edges of a kind, in order."""
        return tuple(sorted(edge for edge, each in self.kinds.items() if each == sort))


def depth_first(ways: Ways, start: int) -> DepthFirst:
    """The depth-first search from a node.

    >>> search = depth_first([[2, 1], [0], [1]], 0)
    >>> search.discovered, search.finished
    ((0, 2, 1), (1, 2, 0))
    >>> search.edges("back"), search.edges("forward")
    (((1, 0),), ((0, 1),))
    """
    discovered, finished = dict[int, int](), list[int]()
    kinds: dict[Edge, EdgeKind] = {}

    def explore(node: int) -> None:
        discovered[node] = len(discovered)
        for near in ways[node]:
            if near not in discovered:
                kinds[node, near] = "tree"
                explore(near)
            elif near not in finished:
                kinds[node, near] = "back"
            else:
                later = discovered[near] > discovered[node]
                kinds[node, near] = "forward" if later else "cross"
        finished.append(node)

    explore(start)
    return DepthFirst((*discovered,), (*finished,), kinds)


def listed_ways(nodes: int, edges: Iterable[Sequence[int]]) -> list[list[int]]:
    """The nodes to which the edges of a directed graph lead, in the order of the edges.

    >>> listed_ways(3, [(0, 2), (1, 0), (0, 1)])
    [[2, 1], [0], []]
    """
    ways: list[list[int]] = [[] for _ in range(nodes)]
    for u, v, *_ in edges:
        ways[u].append(v)
    return ways


SearchKind = Literal["breadth-first", "depth-first"]


def search_order(ways: Ways, sort: SearchKind, start: int) -> tuple[int, ...]:
    """The nodes in the order in which a search visits them.

    >>> search_order([[1, 2], [3], [], []], "depth-first", 0)
    (0, 1, 3, 2)
    """
    if sort == "depth-first":
        return depth_first(ways, start).discovered
    return tuple(reached(ways, start))


def precedences(ways: Ways, sort: SearchKind, order: Sequence[int]) -> list[set[Edge]]:
    """For each node, which of its neighbours have to be taken before which, for an order in which
    a search can visit the nodes.

    >>> precedences([[1, 2], [0, 2, 3], [0, 1], [1]], "depth-first", [0, 1, 3, 2])
    [{(1, 2)}, {(3, 2)}, set(), set()]
    """
    rank = {node: number for number, node in enumerate(order)}
    before: list[set[Edge]] = [set() for _ in ways]
    seen = {order[0]}

    def unseen(node: int) -> list[int]:
        return sorted({*ways[node]} - seen, key=rank.__getitem__)

    def explore(node: int) -> None:
        seen.add(node)
        while new := unseen(node):
            before[node] |= {(new[0], other) for other in new[1:]}
            explore(new[0])

    if sort == "depth-first":
        explore(order[0])
        return before
    for node in order:
        new = unseen(node)
        before[node] |= {*pairwise(new)}
        seen |= {*new}
    return before
