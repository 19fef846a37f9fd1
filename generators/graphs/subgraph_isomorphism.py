"""Copies of a pattern in a larger graph: a search for them, and graphs with copies that nearly fit.

The search keeps a domain for each node of the pattern, as Julian Ullmann (1976) does.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

from palaestra.generators.random_graphs import Edge
from palaestra.generators.solutions import SearchResult


def embedding(pattern: Sequence[int], host: Sequence[int], induced: bool) -> SearchResult:
    """The node of the host for each node of a pattern; empty if there is no copy.

    Graphs are lists of the neighbours of each node as bits. In an ``induced`` copy, nodes that are
    not joined in the pattern are not joined in the host either.

    >>> embedding([2, 5, 2], [6, 5, 3], induced=False).solution
    (1, 0, 2)
    >>> embedding([2, 5, 2], [6, 5, 3], induced=True).solution
    ()
    """
    everyone = (1 << len(host)) - 1
    domains = [
        sum(1 << node for node, beside in enumerate(host) if beside.bit_count() >= near.bit_count())
        for near in pattern
    ]
    image: dict[int, int] = {}
    examined = len(pattern) * len(host)  # for the domains

    def extend(domains: list[int]) -> bool:
        nonlocal examined
        left = [n for n in range(len(pattern)) if n not in image]
        if not left:
            return True
        node = min(left, key=lambda n: (domains[n].bit_count(), -pattern[n].bit_count()))
        options = domains[node]
        while options:
            choice = options & -options
            options ^= choice
            other = choice.bit_length() - 1
            examined += 1
            after = list(domains)
            for each in left:
                if each != node:
                    if pattern[node] >> each & 1:
                        after[each] &= host[other]
                    elif induced:
                        after[each] &= everyone & ~host[other]
                    after[each] &= ~choice
            if all(after[each] for each in left if each != node):
                image[node] = other
                if extend(after):
                    return True
                del image[node]
        return False

    extend(domains)
    return SearchResult(tuple(image[n] for n in range(len(pattern))) if image else (), examined)


def triangles(beside: Sequence[int]) -> list[int]:
    """How many triangles each node is in; the neighbours are bits.

    >>> triangles([0b0110, 0b1101, 0b0011, 0b0010])
    [1, 1, 1, 0]
    """
    return [
        sum((near & beside[other]).bit_count() for other in range(len(beside)) if near >> other & 1)
        // 2
        for near in beside
    ]


def pattern_edges(rng: Random, nodes: int) -> list[Edge]:
    """The edges of a connected pattern with about one and a half times as many edges as nodes.

    >>> len(pattern_edges(Random(1), 6))
    9
    """
    order = rng.sample(range(nodes), nodes)
    edges = {
        tuple(sorted((order[n], order[rng.randrange(max(0, n - 3), n)]))) for n in range(1, nodes)
    }
    others = [pair for pair in combinations(range(nodes), 2) if pair not in edges]
    degree = Counter(node for edge in edges for node in edge)
    rng.shuffle(others)
    while len(edges) < min(nodes * 3 // 2, nodes * (nodes - 1) // 2 - 1):
        # Low degrees first, so that the degrees do not name the nodes.
        edge = min(others, key=lambda pair: degree[pair[0]] + degree[pair[1]])
        others.remove(edge)
        edges.add(edge)
        degree.update(edge)
    return sorted((u, v) for u, v in edges)


def switched(rng: Random, edges: Sequence[Edge]) -> list[Edge]:
    """The edges after two of them exchanged their ends, so that all degrees stay as they are; one
    edge less if no two can.
    """
    known = {frozenset(edge) for edge in edges}
    for (a, b), (c, d) in rng.sample([*combinations(edges, 2)], len(edges) * (len(edges) - 1) // 2):
        if len({a, b, c, d}) == 4 and known.isdisjoint({frozenset((a, d)), frozenset((c, b))}):
            return [e for e in edges if e not in {(a, b), (c, d)}] + [(a, d), (c, b)]
    return list(edges)[1:]


def host_edges(
    rng: Random, pattern: int, edges: Sequence[Edge], nodes: int, extra: float
) -> list[Edge]:
    """The edges of a graph that contains the pattern and, beside it, patterns with two edges
    switched, which share nodes with one another and with the copy.

    ``extra`` is how many further edges there are for each node. None of them joins two nodes of
    the copy, so that it is an induced one.
    """
    order = rng.sample(range(nodes), nodes)
    copy = order[:pattern]
    inside = {*copy}
    joined = {frozenset((copy[u], copy[v])) for u, v in edges}
    rest, free = order[pattern:], order[pattern:]
    while free:
        fresh, free = free[:pattern], free[pattern:]
        others = [node for node in order if node not in fresh]
        spots = fresh + rng.sample(others, pattern - len(fresh))
        rng.shuffle(spots)
        for u, v in switched(rng, edges):
            pair = frozenset((spots[u], spots[v]))
            if not pair <= inside:
                joined.add(pair)
    degree = Counter(node for pair in joined for node in pair)
    for _ in range(round(nodes * extra)):
        one = min(rng.sample(order, len(order)), key=degree.__getitem__)
        near = rest if one in inside else order
        other = rng.choice([node for node in near if node != one])
        pair = frozenset((one, other))
        if pair not in joined:
            joined.add(pair)
            degree.update(pair)
    return sorted((min(pair), max(pair)) for pair in joined)
