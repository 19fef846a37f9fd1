"""Random graphs: connected, and written with every edge."""

from random import Random

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from palaestra.generators.random_graphs import FORMS, connected, node_names, written

SEEDS = st.integers(0, 10**6)


@given(SEEDS, st.integers(2, 26), st.integers(0, 60), st.integers(1, 5))
def test_connected(seed, nodes, edges, window):
    edges_of_graph = connected(Random(seed), nodes, edges, window)
    graph = nx.DiGraph(edges_of_graph)
    assert (
        len(edges_of_graph)
        == len(graph.edges)
        == max(nodes - 1, min(edges, nodes * (nodes - 1) // 2))
    )
    assert nx.descendants(graph, 0) == set(range(1, nodes))


@given(SEEDS, st.sampled_from(FORMS), st.booleans(), st.sampled_from(["", "length"]))
def test_each_edge_is_written_down(seed, form, directed, measure):
    rng = Random(seed)
    names = node_names(rng, 7)
    edges = [(u, v, rng.randint(100, 999))[: 3 if measure else 2] for u, v in connected(rng, 7, 9)]
    text = written(names, edges, form, directed=directed, measure=measure)
    times = 2 if form in {"neighbours", "matrix"} and not directed else 1
    for _, _, *more in edges:
        if more:
            total = sum(edge[2] == more[0] for edge in edges)
            assert text.count(str(more[0])) == times * total
