"""Largest matchings, beside an independent implementation."""

from collections.abc import Iterator

import networkx as nx
from hypothesis import example, given
from hypothesis import strategies as st

from palaestra.verifiers.matching import largest_matching

GRAPHS = st.lists(st.lists(st.integers(0, 9), max_size=6, unique=True), max_size=12)


def by_networkx(neighbours: list[list[int]]) -> int:
    def edges() -> Iterator[tuple[int, int]]:
        return ((-1 - vertex, other) for vertex, some in enumerate(neighbours) for other in some)

    graph = nx.Graph(edges())
    left = {vertex for vertex in graph if vertex < 0}
    return len(nx.bipartite.hopcroft_karp_matching(graph, left)) // 2


@given(GRAPHS)
@example([])
@example([[], []])
@example([[0], [0, 1], [1, 2], [2]])
@example([[1, 0], [2, 1], [3, 2], [0]])
def test_matchings_are_as_large_as_those_of_networkx(neighbours):
    assert largest_matching(neighbours) == by_networkx(neighbours)


def test_long_chains():
    """Each vertex but the last prefers what the next one needs, so a path exchanges all of them."""
    chain = [[n, n + 1] for n in range(2_000)]
    assert largest_matching([*chain, [0]]) == 2_001
    assert largest_matching([*chain[:-1], [1_999], [0]]) == 2_000


def test_full_graphs():
    assert largest_matching([list(range(200))] * 200) == 200
    assert largest_matching([list(range(50))] * 200) == 50
