"""Bridges and articulation points."""

from palaestra.generators.graphs.algorithms import Ways
from palaestra.generators.random_graphs import Edge


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
