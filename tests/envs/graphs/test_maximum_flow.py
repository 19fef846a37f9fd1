"""Tests of graphs/maximum_flow."""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.envs.graphs.maximum_flow import MaximumFlow
from palaestra.generators.graphs.networks import edmonds_karp
from palaestra.generators.graphs.puzzles import Graph
from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10**6)
LEVELS = st.integers(0, 6)


@settings(max_examples=25, deadline=None)
@given(SEEDS, LEVELS)
def test_flow_is_networkx_s(seed, level):
    task = sampled("graphs/maximum_flow", seed, level)
    graph = nx.DiGraph()
    for u, v, capacity in task.graph.edges:
        graph.add_edge(u, v, capacity=capacity)
    value, flows = nx.maximum_flow(graph, 0, task.sink)
    (greedy,) = task.naive_solutions()
    assert task.worth(task.search().solution) == value > task.worth(greedy)
    theirs = {(u, v): amount for u, beside in flows.items() for v, amount in beside.items()}
    assert task.verify(task.as_text(theirs)).value == 1
    assert task.audit(task.as_text(theirs))
    assert task.verify(task.as_text(greedy)).value == 0
    assert not task.audit(task.as_text(greedy))


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
    with pytest.raises(InvalidAnswer):
        SQUARE.verify(answer)
