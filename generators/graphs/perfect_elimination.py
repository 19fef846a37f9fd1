"""Chordal graphs and graphs that are nearly so: perfect elimination orders and chordless cycles."""

from collections.abc import Sequence
from itertools import combinations, pairwise
from random import Random

from palaestra.generators.random_graphs import Edge

_LACKING = 5
"""A hub is joined to all nodes that the hub before it is joined to but a part like this."""

Masks = Sequence[int]
"""The neighbours of each node as the bits of an integer."""


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


def missing_chord(order: Sequence[int], beside: Masks) -> tuple[int, int, int] | None:
    """A node and two of its later neighbours that are not joined, or None.

    >>> missing_chord([1, 0, 2], masks(3, [(0, 1), (1, 2)]))
    (1, 0, 2)
    >>> missing_chord([0, 1, 2], masks(3, [(0, 1), (1, 2)])) is None
    True
    """
    later = (1 << len(beside)) - 1
    for node in order:
        later &= ~(1 << node)
        near = beside[node] & later
        for other in order:
            if near >> other & 1 and (apart := near & ~beside[other] & ~(1 << other)):
                return node, other, (apart & -apart).bit_length() - 1
    return None


def by_cardinality(beside: Masks) -> list[int]:
    """The reverse of a maximum cardinality search, after Robert Tarjan and Mihalis Yannakakis
    (1984). It is a perfect elimination order if the graph has one.

    >>> by_cardinality(masks(3, [(0, 1), (1, 2)]))
    [2, 1, 0]
    """
    taken, order = 0, list[int]()
    left = [*range(len(beside))]
    while left:
        node = max(left, key=lambda each: ((beside[each] & taken).bit_count(), -each))
        left.remove(node)
        taken |= 1 << node
        order.append(node)
    return order[::-1]


def chordless_cycle(beside: Masks) -> tuple[int, ...]:
    """A cycle of at least four nodes without a chord; empty if there is none.

    >>> chordless_cycle(masks(4, [(0, 1), (1, 2), (2, 3), (3, 0)]))
    (0, 1, 2, 3)
    >>> chordless_cycle(masks(4, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]))
    ()
    """
    nodes = range(len(beside))
    for node in nodes:
        near = [n for n in nodes if beside[node] >> n & 1]
        for one, other in combinations(near, 2):
            if not beside[one] >> other & 1:
                shut = (beside[node] | 1 << node) & ~(1 << other)
                if path := shortest(beside, one, other, shut):
                    return (node, *path)
    return ()


def shortest(beside: Masks, start: int, end: int, shut: int = 0) -> tuple[int, ...]:
    """A shortest path from a node to another one without those that are shut; empty without one.

    >>> shortest(masks(4, [(0, 1), (1, 2), (0, 3), (3, 2)]), 0, 2, 1 << 1)
    (0, 3, 2)
    """
    before, queue = {start: start}, [start]
    for node in queue:  # grows
        if node == end:
            path = [end]
            while path[-1] != start:
                path.append(before[path[-1]])
            return tuple(path[::-1])
        near = beside[node] & ~shut
        for other in range(len(beside)):
            if near >> other & 1 and other not in before:
                before[other] = node
                queue.append(other)
    return ()


def chordal(rng: Random, blobs: int, size: int, width: int) -> tuple[int, list[Edge]]:
    """The number of nodes, and edges of a random chordal graph.

    It consists of blobs, in which each node was joined to ``width`` nodes of a clique when it came
    in. A node of only two neighbours, which are not joined, connects a blob with an earlier one: a
    low degree does not mean that a node may come first.

    >>> nodes, edges = chordal(Random(1), 2, 5, 3)
    >>> nodes, missing_chord(by_cardinality(masks(nodes, edges)), masks(nodes, edges)) is None
    (11, True)
    """
    edges, count, old = list[Edge](), 0, list[int]()
    for _ in range(blobs):
        first = count
        if old:
            first += 1
            edges += [(rng.choice(old), count), (count, first)]
        cliques = [(*range(first, first + width),)]
        edges += combinations(cliques[0], 2)
        for node in range(first + width, first + size):
            # Recent cliques are likelier, so that blobs are long rather than round.
            base = cliques[max(rng.randrange(len(cliques)), rng.randrange(len(cliques)))]
            near = tuple(sorted(rng.sample(base, width)))
            edges += [(other, node) for other in near]
            cliques.append((*near, node))
        count = first + size
        old += range(first, count)
    return count, edges


def shells(rng: Random, nodes: int, edges: Sequence[Edge], number: int) -> list[list[int]]:
    """So many sets of nodes, each within the one before, for the neighbours of further nodes.

    Each lacks some of the first nodes of an elimination order, so that the graph stays chordal if
    a new node is joined to all nodes of a set. The nodes between blobs, and their neighbours, are
    in all sets.

    >>> shells(Random(1), 4, [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3)], 1)
    [[0, 1, 3]]
    """
    beside, left, result = masks(nodes, edges), [*range(nodes)], list[list[int]]()
    between = [
        node for node in left if beside[node].bit_count() == 2 and not _first(node, left, beside)
    ]
    fixed = {n for node in between for n in left if n == node or beside[node] >> n & 1}
    for _ in range(number):
        for _ in range(rng.randint(1, max(1, nodes // _LACKING))):
            if first := [n for n in left if n not in fixed and _first(n, left, beside)]:
                left.remove(rng.choice(first))
        result.append([*left])
    return result


def _first(node: int, left: Sequence[int], beside: Masks) -> bool:
    """Whether all neighbours of a node, among those that are left, are joined to one another."""
    near = [other for other in left if beside[node] >> other & 1]
    return all(beside[u] >> v & 1 for u, v in combinations(near, 2))


def with_tails(
    rng: Random, nodes: int, edges: Sequence[Edge], number: int
) -> tuple[int, list[Edge]]:
    """The graph with paths of two more nodes that end there: a low degree, and an edge in no
    triangle, do not mean that a node is on a chordless cycle.

    >>> with_tails(Random(1), 1, [], 1)
    (3, [(0, 1), (1, 2)])
    """
    result, count = list(edges), nodes
    for _ in range(number):
        result += [(rng.randrange(nodes), count), (count, count + 1)]
        count += 2
    return count, result


def with_hubs(
    nodes: int, edges: Sequence[Edge], around: Sequence[Sequence[int]]
) -> tuple[int, list[Edge]]:
    """The graph with a further node for each set, joined to its nodes and to the other new ones.

    All nodes are near one another, then: the distance from a node does not order them.

    >>> with_hubs(2, [(0, 1)], [[0, 1], [1]])
    (4, [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)])
    """
    result = list(edges)
    for hub, near in enumerate(around, nodes):
        result += [(node, hub) for node in [*near, *range(nodes, hub)]]
    return nodes + len(around), result


def spoilt(rng: Random, nodes: int, edges: Sequence[Edge]) -> list[Edge]:
    """The edges of a chordal graph with two more or one less, such that it is no longer chordal.

    An edge less leaves a chordless cycle of four nodes. Edges to both ends of a distant edge make a
    longer one, and a triangle, so that they do not differ from others.

    >>> len(spoilt(Random(1), 4, [(0, 1), (1, 2), (2, 3), (0, 2), (1, 3)]))
    4
    """
    beside = masks(nodes, edges)
    far = []
    for node in range(nodes):
        near = beside[node] | 1 << node
        for other in range(nodes):
            if beside[node] >> other & 1:
                near |= beside[other]
        far += [(node, u, v) for u, v in edges if not (near >> u | near >> v) & 1]
    removable = []
    for u, v in edges:
        both = beside[u] & beside[v]
        common = [n for n in range(nodes) if both >> n & 1]
        if any(not beside[a] >> b & 1 for a, b in combinations(common, 2)):
            removable.append((u, v))
    if far and (not removable or rng.random() < 0.5):
        node, u, v = rng.choice(far)
        return [*edges, (node, u), (node, v)]
    # Edges between busy nodes are the first that anybody looks at.
    removable.sort(key=lambda edge: sum(beside[node].bit_count() for node in edge))
    lost = rng.sample(removable[: (len(removable) + 1) // 2], min(1, len(removable)))
    return [edge for edge in edges if edge not in lost]


def cycle_violation(cycle: Sequence[int], beside: Masks) -> tuple[str, int, int] | None:
    """What keeps nodes from being a chordless cycle: "edge" or "chord" with two nodes, or None."""
    for u, v in pairwise([*cycle, cycle[0]]):
        if not beside[u] >> v & 1:
            return "edge", u, v
    for m, n in combinations(range(len(cycle)), 2):
        if n - m not in {1, len(cycle) - 1} and beside[cycle[m]] >> cycle[n] & 1:
            return "chord", cycle[m], cycle[n]
    return None
