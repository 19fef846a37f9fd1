"""Tests of graphs/minimum_spanning_tree."""

import networkx as nx
import pytest
from tests.envs.graphs.referees import referee
from tests.envs.sampling import sampled

from palaestra.envs.graphs.minimum_spanning_tree import MinimumSpanningTree
from palaestra.generators.graphs.puzzles import Graph

SQUARE = MinimumSpanningTree(
    graph=Graph(tuple("ABCD"), ((0, 1, 5), (1, 2, 1), (2, 3, 1), (3, 0, 1), (0, 2, 3)), "edges",
                measure="weight")
)  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("B-C, C-D, D-A", 1, ""),
        ("A-D; D-C; C-B", 1, ""),
        ("A-B, B-C, C-D", 0, "the worth is 7, and a better solution exists"),
        ("B-C, C-D", 0, "there are 2 edges, not 3"),
        ("A-C, C-D, D-A", 0, "the edges form a cycle and leave a node unconnected"),
        ("B-C, C-B, C-D", 0, "the edge between C and B is listed twice"),
        ("B-D, C-D, D-A", 0, "there is no edge between B and D"),
        ("none", 0, "there are 0 edges, not 3"),
    ],
)
def test_spanning_trees_by_hand(answer, value, reason):
    score = SQUARE.verify(answer)
    assert (score.value, score.reason) == (value, reason)


def test_partial_credit_lies_between_greed_and_the_optimum():
    """Two edges worse than the best and one better than greed is worth a part."""
    task = sampled("graphs/minimum_spanning_tree", 4, 5)
    best = list(nx.minimum_spanning_edges(referee(task.graph), data=False))
    graph = referee(task.graph)
    for out in graph.edges - set(best):
        cycle = nx.find_cycle(nx.Graph([*best, out]))
        spare = next(e for e in best if set(e) != set(out) and set(e) in map(set, cycle))
        score = task.verify(task.as_text([*(e for e in best if e != spare), out]))
        assert 0 <= score.value <= 1
        assert (score.value == 1) == (graph.edges[out]["weight"] == graph.edges[spare]["weight"])
