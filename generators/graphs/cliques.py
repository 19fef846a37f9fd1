"""Cliques, and the vertex covers that are their complements in the complement graph.

A set of nodes is an integer whose bits are the nodes; ``beside`` holds the neighbours of each node.
"""

from collections.abc import Iterable, Sequence

from palaestra.generators.solutions import SearchResult


def complement(beside: Sequence[int]) -> list[int]:
    """The neighbours of each node in the complement graph."""
    everyone = (1 << len(beside)) - 1
    return [everyone & ~near & ~(1 << node) for node, near in enumerate(beside)]


def _colored(candidates: int, beside: Sequence[int]) -> list[tuple[int, int]]:
    """The nodes by greedy colour; a clique is no larger than the number of colours."""
    groups, color = [], 0
    while candidates:
        color += 1
        free = candidates
        while free:
            low = free & -free
            node = low.bit_length() - 1
            free &= ~(low | beside[node])
            candidates ^= low
            groups.append((node, color))
    return groups


def maximum_clique(beside: Sequence[int]) -> SearchResult:
    """A largest clique, with colourings as bounds, after Etsuji Tomita and Tomokazu Seki (2003).

    >>> maximum_clique([6, 5, 11, 4]).solution
    (0, 1, 2)
    """
    best: list[int] = []
    examined = 0

    def expand(clique: list[int], candidates: int) -> None:
        nonlocal best, examined
        examined += 1
        if len(clique) > len(best):
            best = clique
        for node, color in reversed(_colored(candidates, beside)):
            if len(clique) + color <= len(best):
                return
            expand([*clique, node], candidates & beside[node])
            candidates &= ~(1 << node)

    expand([], (1 << len(beside)) - 1)
    return SearchResult(tuple(sorted(best)), examined)


def greedy_clique(beside: Sequence[int], order: Iterable[int]) -> tuple[int, ...]:
    """The nodes, in an order, that are joined to all those chosen before.

    >>> greedy_clique([2, 5, 2], [2, 1, 0])
    (2, 1)
    """
    clique: list[int] = []
    candidates = (1 << len(beside)) - 1
    for node in order:
        if candidates >> node & 1:
            clique.append(node)
            candidates &= beside[node]
    return tuple(clique)


def greedy_vertex_cover(beside: Sequence[int]) -> tuple[int, ...]:
    """A vertex cover that repeatedly takes a node with the most uncovered edges."""
    left, cover = list(beside), []
    while any(left):
        node = max(range(len(left)), key=lambda n: left[n].bit_count())
        cover.append(node)
        left = [0 if n == node else near & ~(1 << node) for n, near in enumerate(left)]
    return tuple(cover)
