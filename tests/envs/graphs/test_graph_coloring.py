"""Tests of graphs/graph_coloring."""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.generators.graphs.networks import dsatur

SEEDS = st.integers(0, 10**6)


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(0, 4))
def test_colors_are_as_few_as_can_be(seed, level):
    task = sampled("graphs/graph_coloring", seed, level)
    nodes, edges = task.network
    assert not dsatur(nodes, edges, task.colors - 1).coloring
    coloring = dsatur(nodes, edges, task.colors).coloring
    assert task.verify(task.as_text(coloring)).value == 1
    swapped = [(color + 1) % task.colors for color in coloring]
    assert task.verify(task.as_text(swapped)).value == 1
    for u, v in edges[:5]:
        spoilt = [coloring[v] if node == u else color for node, color in enumerate(coloring)]
        score = task.verify(task.as_text(spoilt))
        assert score.value == 0
        assert task.graph.names[u] in score.reason


@pytest.mark.parametrize(
    ("graph", "chromatic"),
    [
        (nx.petersen_graph(), 3),
        (nx.complete_graph(5), 5),
        (nx.cycle_graph(8), 2),
        (nx.mycielski_graph(4), 4),  # the Grötzsch graph: no triangle, and yet four colours
        (nx.wheel_graph(6), 4),
    ],
)
def test_known_chromatic_numbers(graph, chromatic):
    nodes, edges = len(graph), tuple(graph.edges)
    assert dsatur(nodes, edges, chromatic).coloring
    assert not dsatur(nodes, edges, chromatic - 1).coloring
