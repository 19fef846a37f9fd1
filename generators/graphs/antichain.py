"""Acyclic graphs whose largest antichain hides from greedy players, and how it is computed.

An antichain is a set of nodes of which none reaches another. It is as large as the smallest number
of paths, which may share nodes, that cover all nodes (Robert Dilworth, 1950).
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random

from palaestra.generators.random_graphs import Edge

Lines = Sequence[list[int]]

LONG = (3, 4)
"""How many nodes the line above or below a leaf has, at least and at most."""


def hidden_antichain(rng: Random, groups: Sequence[int]) -> tuple[list[Edge], list[int]]:
    """The edges of an acyclic graph, and its largest antichain, which has the size of all groups.

    Each group is a tree of nodes of the antichain. For each edge of the tree there is a line of
    nodes, all of which both ends of the edge reach, or, in every other group, which reach both. A
    line at a leaf is long, others have a single node. Such a node thus compares with fewer nodes
    than the members of the antichain, but it excludes two of these. Edges lead from long lines
    before members to long lines behind others.

    >>> edges, antichain = hidden_antichain(Random(1), [4])
    >>> len(antichain), len({node for edge in edges for node in edge})
    (4, 12)
    """
    edges, antichain, number = set[Edge](), list[int](), 0
    turned = rng.random() < 0.5
    lines: dict[bool, list[list[int]]] = {False: [], True: []}
    for size in groups:
        members = [*range(number, number + size)]
        antichain += members
        number += size
        for one, other in _tree(rng, members):
            leaf = other[1] or one[1]
            length = rng.randint(*LONG) if leaf else 1
            line = [*range(number, number + length)]
            number += length
            inner = [*pairwise(line), (one[0], line[0]), (other[0], line[0])]
            edges |= {(v, u) for u, v in inner} if turned else {*inner}
            if leaf:
                lines[turned].append(line)
        turned = not turned
    # No further pair of members compares, but the ends of long lines are farther from the middle of
    # the graph than the members, then.
    if lines[True] and lines[False]:
        for before, behind in _pairings(rng, lines[True], lines[False]):
            edges.add((rng.choice(before[:2]), rng.choice(behind[:2])))
    return sorted(edges), antichain


def _pairings(rng: Random, some: Lines, others: Lines) -> list[tuple[list[int], list[int]]]:
    """Pairs of a line from either side, such that each line is in one of them at least."""
    number = max(len(some), len(others))
    sides = [rng.sample(side, len(side)) for side in (some, others)]
    return [(sides[0][n % len(some)], sides[1][n % len(others)]) for n in range(number)]


def _tree(rng: Random, members: Sequence[int]) -> list[tuple[tuple[int, bool], tuple[int, bool]]]:
    """The edges of a random tree, each end with whether it is a leaf.

    From four nodes on, it has an edge that joins no leaf.
    """
    inner = members[: max(1, len(members) // 2)]
    pairs = [(rng.choice(inner[:n]), inner[n]) for n in range(1, len(inner))]
    rest = members[len(inner) :]
    for n, leaf in enumerate(rest):
        # Every inner node gets a leaf first, so that none of them is a leaf itself.
        pairs.append((inner[n] if n < len(inner) else rng.choice(inner), leaf))
    return [((one, False), (other, other in rest)) for one, other in pairs]


def closure(ways: Sequence[Sequence[int]], order: Sequence[int]) -> list[set[int]]:
    """The nodes that each node of an acyclic graph reaches; ``order`` is a topological order.

    >>> closure([[1], [2], []], [0, 1, 2])
    [{1, 2}, {2}, set()]
    """
    below: list[set[int]] = [set() for _ in ways]
    for node in reversed(order):
        below[node] = set().union(ways[node], *(below[near] for near in ways[node]))
    return below


def uncovered(ways: Sequence[Sequence[int]], partner: Mapping[int, int]) -> set[int]:
    """The nodes that are in no smallest vertex cover, on neither side, after Dénes Kőnig (1931).

    Both sides of the bipartite graph are the nodes of a directed graph, whose edges lead from the
    left to the right, and ``partner`` is a maximum matching of it. In a graph with all edges that
    paths stand for, these nodes are a largest set none of which reaches another.

    >>> uncovered([[1, 2], [], []], {1: 0})
    {1, 2}
    """
    matched = {*partner.values()}
    left = [node for node in range(len(ways)) if node not in matched]
    right = set[int]()
    for node in left:
        for near in ways[node]:
            if near not in right:
                right.add(near)
                left.append(partner[near])
    return {*left} - right
