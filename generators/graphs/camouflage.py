"""Random graphs that hide a solution from greedy players: no degree gives its nodes away.

Mark Brockington and Joseph Culberson hide independent sets in this way (1996).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

from palaestra.generators.random_graphs import Edge

DENSER = 1 / 10
"""The share of other nodes whose degree is higher than that of hidden nodes."""

ROUNDS = 50
"""How often a pairing is begun before what is wrong in the last one is left out."""


def hidden_independent_set(rng: Random, nodes: int, hidden: int, degree: int) -> list[Edge]:
    """A graph in which no edge joins two of the first ``hidden`` nodes.

    These have the same degree, which is less where the other nodes are too few. Most other nodes
    have one less, so that taking nodes of low degree misses the hidden set, and a few have one
    more, so that taking those of high degree does, too.

    >>> graph = hidden_independent_set(Random(1), nodes=12, hidden=4, degree=4)
    >>> any(u < 4 and v < 4 for u, v in graph)
    False
    """
    others = range(hidden, nodes)
    higher = max(1, round(len(others) * DENSER))
    ends = [node for node in others for _ in range(degree + (1 if node < hidden + higher else -1))]
    degree = min(degree, len(ends) // hidden)
    return paired(rng, [node for node in range(hidden) for _ in range(degree)], ends)


def perfect_code(rng: Random, nodes: int, degree: int) -> list[Edge]:
    """A regular graph in which every other node has exactly one neighbour in a hidden set.

    The hidden set is the first of every ``degree + 1`` nodes; no smaller set dominates the graph.

    >>> sorted(Counter(node for edge in perfect_code(Random(1), 12, 3) for node in edge).values())
    [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]
    """
    size = nodes // (degree + 1)
    stars = [(node % size, node) for node in range(size, nodes)]
    ends = [node for node in range(size, nodes) for _ in range(degree - 1)]
    return stars + paired(rng, (), ends, stars)


def hidden_feedback_set(rng: Random, hidden: int, degree: int) -> list[Edge]:
    """A regular graph that is a tree without the first ``hidden`` nodes, which have no edges
    between them. Every removal of a node then breaks as many cycles as one can.

    A degree is at most the number of hidden nodes. Where it does not divide up, some nodes have one
    edge less than others.

    >>> graph = hidden_feedback_set(Random(1), hidden=4, degree=3)
    >>> len(graph), sum(u >= 4 and v >= 4 for u, v in graph)
    (21, 9)
    """
    inner = -((2 - hidden * degree) // (degree - 2))  # rounded up
    while True:
        free = dict.fromkeys(range(hidden, hidden + inner), degree)
        tree: list[Edge] = []
        for node in range(hidden + 1, hidden + inner):
            before = rng.choice([other for other in range(hidden, node) if free[other]])
            tree.append((before, node))
            free[before] -= 1
            free[node] -= 1
        if max(free.values()) <= hidden:
            break
    ends = [node for node, number in free.items() for _ in range(number)]
    firsts = [node for node in range(hidden) for _ in range(degree)]
    return tree + paired(rng, firsts, rng.sample(ends, len(firsts)))


def renumbered(rng: Random, nodes: int, edges: Iterable[Edge]) -> list[Edge]:
    """The edges with the nodes numbered in random order, so that hidden ones do not come first."""
    number = rng.sample(range(nodes), nodes)
    return [(number[u], number[v]) for u, v in edges]


def paired(
    rng: Random, firsts: Sequence[int], ends: Sequence[int], edges: Sequence[Edge] = ()
) -> list[Edge]:
    """A random pairing of ends of edges, without loops and double edges.

    Those of ``firsts`` are paired with ``ends``, and the rest of these with one another; one may be
    left over. Ends of two pairs are exchanged while one of the pairs is a loop or an edge already.
    Béla Bollobás's pairing (1980) starts anew instead, which takes long for dense graphs. Where a
    degree is too high for the number of nodes, no pairing without loops and double edges exists;
    they are then left out.

    >>> paired(Random(1), (), [0, 0, 0, 1, 1, 1])
    [(0, 1)]
    """
    pairs: list[Edge] = []
    for _ in range(ROUNDS):
        rest = list(ends)
        rng.shuffle(rest)
        pairs = [(node, rest.pop()) for node in firsts]
        pairs += zip(rest[::2], rest[1::2])
        for _ in range(20 * len(pairs)):
            taken = Counter([(min(pair), max(pair)) for pair in [*pairs, *edges]])
            wrong = [
                n for n, (u, v) in enumerate(pairs) if u == v or taken[min(u, v), max(u, v)] > 1
            ]
            if not wrong:
                return [(min(pair), max(pair)) for pair in pairs]
            one, other = rng.choice(wrong), rng.randrange(len(pairs))
            (a, b), (c, d) = pairs[one], pairs[other]
            pairs[one], pairs[other] = (a, d), (c, b)
    known = {(min(pair), max(pair)) for pair in edges}
    return sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]} - known)
