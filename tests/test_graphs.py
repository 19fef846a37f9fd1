"""The graph environments against networkx, hand-worked cases and wrong answers."""

from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.graphs.graph_coloring import GraphColoring
from palaestra.envs.graphs.maximum_flow import MaximumFlow
from palaestra.envs.graphs.shortest_path import ShortestPath
from palaestra.generators.graphs.encodings import Graph
from palaestra.generators.graphs.networks import dijkstra, dsatur, edmonds_karp
from palaestra.generators.random_graphs import FORMS, connected, node_names, written
from palaestra.task import Unreadable
from palaestra.verifiers.certificates import arc_values, gap, node_path, steps

SEEDS = st.integers(0, 10**6)
LEVELS = st.integers(0, 6)


def drawn(kind, seed, level):
    return kind.draw(Random(seed), kind.Knobs.at(level))


@settings(max_examples=40, deadline=None)
@given(SEEDS, LEVELS)
def test_shortest_path_is_networkx_s(seed, level):
    task = drawn(ShortestPath, seed, level)
    graph = (nx.DiGraph if task.graph.directed else nx.Graph)()
    graph.add_weighted_edges_from(task.graph.edges)
    best = nx.dijkstra_path_length(graph, 0, task.target)
    assert task.best() == best < task.baseline()
    for path in nx.all_shortest_paths(graph, 0, task.target, weight="weight"):
        assert task.verify(task.told(path)).value == 1
        assert task.audit(task.told(path))
    fewest = nx.shortest_path(graph, 0, task.target)
    assert task.verify(task.told(fewest)).value == 0
    assert not task.audit(task.told(fewest))


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
        ("A -> C -> D", 0.5, "the path is 4 long, and there is a shorter one"),
        ("A -> D", 0, "the path is 5 long, and there is a shorter one"),
        ("A -> B -> A -> B -> C -> D", 0, "the path is 5 long, and there is a shorter one"),
        ("A -> B -> D", 0, "there is no edge from B to D"),
        ("A -> A -> B -> C -> D", 0, "there is no edge from A to A"),
        ("B -> C -> D", 0, "the path does not start at A"),
        ("A -> B -> C", 0, "the path does not end at D"),
    ],
)
def test_shortest_path_scores(answer, value, reason, monkeypatch):
    monkeypatch.setattr(ShortestPath, "baseline", lambda _: 5)
    score = road().verify(answer)
    assert (score.value, score.reason) == (value, reason)


def test_direction_counts():
    task = road(directed=True)
    turned = task.graph._replace(edges=((1, 0, 1), *task.graph.edges[1:]))
    back = ShortestPath(graph=turned)
    assert back.verify("A -> B -> C -> D").reason == "there is no edge from A to B"
    assert road().lengths()[1][0] == 1
    assert 0 not in task.lengths()[1]


def test_dijkstra_counts_arcs_first_where_asked():
    lengths = {0: {1: 1, 2: 9}, 1: {3: 1}, 2: {4: 1}, 3: {4: 1}, 4: {}}
    assert dijkstra(lengths, 0, 4).path == (0, 1, 3, 4)
    assert dijkstra(lengths, 0, 4, (1, 1)).path == (0, 2, 4)
    with pytest.raises(ValueError, match="cannot be reached"):
        dijkstra(lengths, 4, 0)


@settings(max_examples=25, deadline=None)
@given(SEEDS, LEVELS)
def test_flow_is_networkx_s(seed, level):
    task = drawn(MaximumFlow, seed, level)
    graph = nx.DiGraph()
    for u, v, capacity in task.graph.edges:
        graph.add_edge(u, v, capacity=capacity)
    value, flows = nx.maximum_flow(graph, 0, task.sink)
    assert task.found().value == value > task.found(undo=False).value
    theirs = {(u, v): amount for u, beside in flows.items() for v, amount in beside.items()}
    assert task.verify(task.told(theirs)).value == 1
    assert task.audit(task.told(theirs))
    greedy = task.told(task.found(undo=False).flow)
    assert task.verify(greedy).value == 0
    assert not task.audit(greedy)


def test_flow_by_hand():
    """Sending 1 along A-B-C-D at first blocks both ways; the best is 2."""
    edges = ((0, 1, 1), (0, 2, 1), (1, 2, 1), (1, 3, 1), (2, 3, 1))
    assert edmonds_karp(edges, 0, 3).value == 2


SQUARE = MaximumFlow(
    graph=Graph(
        names=tuple("SXYZT"),
        edges=((0, 1, 3), (1, 3, 3), (0, 2, 2), (2, 4, 2), (1, 2, 2), (3, 4, 3)),
        encoding="edges",
        directed=True,
        measure="capacity",
    )
)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("S -> X: 4\nX -> Z: 4\nZ -> T: 4", "the edge from S to X cannot carry 4"),
        ("S -> X: -1", "the edge from S to X cannot carry -1"),
        ("S -> X: " + "9" * 300, "the edge from S to X cannot carry so much"),
        ("S -> X: 3\nX -> Z: 2\nZ -> T: 2", "3 comes into X, but 2 goes out"),
        ("S -> T: 1", "there is no edge from S to T"),
        ("X -> S: 1", "there is no edge from X to S"),
    ],
)
def test_flow_reasons(answer, reason):
    score = SQUARE.verify(answer)
    assert (score.value, score.reason) == (0, reason)


@pytest.mark.parametrize(
    "answer", ["S -> X", "S -> X: 1.5", "S: 1", "S -> X: 1\ns->x: 1", "S -> X -> T: 1", "Q -> X: 1"]
)
def test_flow_unreadable(answer):
    with pytest.raises(Unreadable):
        SQUARE.verify(answer)


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(0, 4))
def test_colors_are_as_few_as_can_be(seed, level):
    task = drawn(GraphColoring, seed, level)
    nodes, edges = task.network
    assert not dsatur(nodes, edges, task.colors - 1).coloring
    coloring = dsatur(nodes, edges, task.colors).coloring
    assert task.verify(task.told(coloring)).value == 1
    swapped = [(color + 1) % task.colors for color in coloring]
    assert task.verify(task.told(swapped)).value == 1
    for u, v in edges[:5]:
        spoilt = [coloring[v] if node == u else color for node, color in enumerate(coloring)]
        score = task.verify(task.told(spoilt))
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


@given(SEEDS, st.integers(2, 26), st.integers(0, 60), st.integers(1, 5))
def test_connected(seed, nodes, edges, window):
    found = connected(Random(seed), nodes, edges, window)
    graph = nx.DiGraph(found)
    assert len(found) == len(graph.edges) == max(nodes - 1, min(edges, nodes * (nodes - 1) // 2))
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


def test_readers():
    assert node_path("10 -> 2", ["2", "10"]) == [1, 0]
    assert steps("1. a\n2) b\n- c\n* d\ne") == ["a", "b", "c", "d", "e"]
    assert arc_values("1 -> 2: 3", ["1", "2"]) == {(0, 1): 3}
    assert gap(3, baseline=3, best=9) == 0
    assert gap(8, baseline=3, best=9) < 1
    for text in ("", "A ->", "A -> Q", "A to B", "->" * 5_000):
        with pytest.raises(Unreadable):
            node_path(text, "AB")
