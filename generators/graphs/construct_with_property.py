"""Numbers that describe small graphs: cycles, distances, spanning trees, independent sets.

Graphs are lists of the neighbours of each node as the bits of an integer.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from random import Random

from palaestra.generators.random_graphs import Edge

Masks = Sequence[int]


def masks(nodes: int, edges: Sequence[Edge]) -> list[int]:
    """The neighbours of each node as bits.

    >>> masks(3, [(0, 1), (1, 2)])
    [2, 5, 2]
    """
    beside = [0] * nodes
    for u, v in edges:
        beside[u] |= 1 << v
        beside[v] |= 1 << u
    return beside


def triangles(beside: Masks) -> int:
    """The number of sets of three nodes that are all joined.

    >>> triangles([6, 5, 3])
    1
    """
    pairs = combinations(range(len(beside)), 2)
    common = ((beside[u] & beside[v]).bit_count() for u, v in pairs if beside[u] >> v & 1)
    return sum(common) // 3


def squares(beside: Masks) -> int:
    """The number of cycles of four nodes, with or without chords.

    >>> squares(masks(4, [(0, 1), (1, 2), (2, 3), (3, 0)]))
    1
    """
    pairs = combinations(range(len(beside)), 2)
    common = ((beside[u] & beside[v]).bit_count() for u, v in pairs)
    return sum(number * (number - 1) // 2 for number in common) // 2


def layers(beside: Masks, start: int) -> list[int]:
    """The nodes at each distance from a node, as bits.

    >>> layers([2, 5, 2], 0)
    [1, 2, 4]
    """
    seen, result = 1 << start, [1 << start]
    while True:
        ahead = 0
        for node, near in enumerate(beside):
            if result[-1] >> node & 1:
                ahead |= near
        if not ahead & ~seen:
            return result
        result.append(ahead & ~seen)
        seen |= ahead


def is_connected(beside: Masks) -> bool:
    """Whether every node can be reached from every other one.

    >>> is_connected([2, 1, 0])
    False
    """
    return sum(layers(beside, 0)) == (1 << len(beside)) - 1


def diameter(beside: Masks) -> int:
    """The greatest distance of two nodes of a connected graph, in edges.

    >>> diameter([2, 5, 2])
    2
    """
    return max(len(layers(beside, node)) for node in range(len(beside))) - 1


def shortest_paths(beside: Masks) -> int:
    """The number of paths of the least number of edges between nodes 0 and 1.

    >>> shortest_paths(masks(4, [(0, 2), (2, 1), (1, 3), (3, 0)]))
    2
    """
    ways = {0: 1}
    for layer in layers(beside, 0)[1:]:
        if 1 in ways:
            break
        ways = {
            node: sum(number for other, number in ways.items() if near >> other & 1)
            for node, near in enumerate(beside)
            if layer >> node & 1
        }
    return ways.get(1, 0)


def spanning_trees(beside: Masks) -> int:
    """The number of spanning trees, by Gustav Kirchhoff's theorem (1847), as a determinant without
    fractions (Erwin Bareiss, 1968).

    >>> spanning_trees([14, 13, 11, 7])
    16
    """
    size = len(beside) - 1
    rows = [
        [beside[u].bit_count() if u == v else -(beside[u] >> v & 1) for v in range(size)]
        for u in range(size)
    ]
    before = 1
    for step in range(size - 1):
        if not rows[step][step]:
            return 0  # a principal minor of the matrix is 0 only if the graph is not connected
        for row in rows[step + 1 :]:
            head = row[step]
            for column in range(step + 1, size):
                row[column] = (row[column] * rows[step][step] - head * rows[step][column]) // before
        before = rows[step][step]
    return rows[-1][-1]


def independence(beside: Masks) -> int:
    """The greatest number of nodes no two of which are joined.

    >>> independence([2, 5, 2])
    2
    """

    def best(left: int) -> int:
        if not left:
            return 0
        node = (left & -left).bit_length() - 1
        rest = left & (left - 1)
        if not beside[node] & rest:
            return 1 + best(rest)
        return max(1 + best(rest & ~beside[node]), best(rest))

    return best((1 << len(beside)) - 1)


PROPERTIES: Mapping[str, Callable[[Masks], int]] = {
    "triangles": triangles,
    "squares": squares,
    "diameter": diameter,
    "shortest paths": shortest_paths,
    "spanning trees": spanning_trees,
    "independence number": independence,
}


def stretched(rng: Random, nodes: int, edges: int) -> list[Edge]:
    """The edges of a connected graph whose nodes are joined to near ones: it has more triangles and
    a greater diameter than a random graph of as many edges.

    >>> len(stretched(Random(1), 6, 8))
    8
    """
    order = rng.sample(range(nodes), nodes)
    chosen = {(rng.randrange(max(0, node - 2), node), node) for node in range(1, nodes)}
    while len(chosen) < edges:
        first = rng.randrange(nodes - 1)
        second = min(nodes - 1, first + rng.choice((1, 2, 2, 3, 3, 4)))
        chosen.add((first, second))
    return sorted((min(order[u], order[v]), max(order[u], order[v])) for u, v in chosen)
