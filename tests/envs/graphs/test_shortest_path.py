"""Tests of graphs/shortest_path."""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.envs.graphs.shortest_path import ShortestPath
from palaestra.generators.graphs.networks import dijkstra
from palaestra.generators.graphs.puzzles import Graph

SEEDS = st.integers(0, 10**6)
LEVELS = st.integers(0, 6)


@settings(max_examples=40, deadline=None)
@given(SEEDS, LEVELS)
def test_shortest_path_is_networkx_s(seed, level):
    task = sampled("graphs/shortest_path", seed, level)
    graph = (nx.DiGraph if task.graph.directed else nx.Graph)()
    graph.add_weighted_edges_from(task.graph.edges)
    best = nx.dijkstra_path_length(graph, 0, task.target)
    assert task.worth(task.search().solution) == best < task.baseline(best)
    for path in nx.all_shortest_paths(graph, 0, task.target, weight="weight"):
        assert task.verify(task.as_text(path)).value == 1
        assert task.audit(task.as_text(path))
    fewest = nx.shortest_path(graph, 0, task.target)
    assert task.verify(task.as_text(fewest)).value == 0
    assert not task.audit(task.as_text(fewest))


def road(directed=False):
    """From A, by B and C, to D: 1 + 1 + 1, with detours of 4 by C, and of 5 straight on."""
    edges = ((0, 1, 1), (1, 2, 1), (2, 3, 1), (0, 2, 3), (0, 3, 5))
    return ShortestPath(graph=Graph(tuple("ABCD"), edges, "edges", directed, "length"))


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("A -> B -> C -> D", 1, ""),
        ("a, b, c, d", 1, ""),
        ("[A B C D]", 1, ""),
        ("A→B→C→D", 1, ""),
        ("A -> C -> D", 0, "the length is 4, and a better solution exists"),
        ("A -> D", 0, "the length is 5, and a better solution exists"),
        ("A -> B -> A -> B -> C -> D", 0, "the length is 5, and a better solution exists"),
        ("A -> B -> D", 0, "there is no edge from B to D"),
        ("A -> A -> B -> C -> D", 0, "there is no edge from A to A"),
        ("B -> C -> D", 0, "the path does not start at A"),
        ("A -> B -> C", 0, "the path does not end at D"),
    ],
)
def test_shortest_path_scores(answer, value, reason, monkeypatch):
    monkeypatch.setattr(ShortestPath, "baseline", lambda *_: 5)
    score = road().verify(answer)
    assert (score.value, score.reason) == (value, reason)


def test_direction_counts():
    task = road(directed=True)
    turned = task.graph._replace(edges=((1, 0, 1), *task.graph.edges[1:]))
    back = ShortestPath(graph=turned)
    assert back.verify("A -> B -> C -> D").reason == "there is no edge from A to B"
    assert road().graph.lengths()[1][0] == 1
    assert 0 not in task.graph.lengths()[1]


def test_dijkstra_counts_arcs_first_where_asked():
    lengths = {0: {1: 1, 2: 9}, 1: {3: 1}, 2: {4: 1}, 3: {4: 1}, 4: {}}
    assert dijkstra(lengths, 0, 4).path == (0, 1, 3, 4)
    assert dijkstra(lengths, 0, 4, (1, 1)).path == (0, 2, 4)
    with pytest.raises(ValueError, match="cannot be reached"):
        dijkstra(lengths, 4, 0)
