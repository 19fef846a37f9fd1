"""Graphs that hide a solution from greedy players."""

from collections import Counter
from random import Random

import pytest

from palaestra.generators.graphs.camouflage import (
    hidden_feedback_set,
    hidden_independent_set,
    perfect_code,
    renumbered,
)
from palaestra.generators.graphs.feedback_vertex_set import smallest_feedback
from palaestra.generators.graphs.puzzles import Graph


@pytest.mark.parametrize("seed", range(5))
def test_nodes_of_an_independent_set_have_a_degree_between_those_of_others(seed: int) -> None:
    edges = hidden_independent_set(Random(seed), 36, 12, 10)
    degrees = Counter(node for edge in edges for node in edge)
    assert len(set(edges)) == len(edges)
    assert all(u < v for u, v in edges)
    assert not any(v < 12 for _, v in edges)
    assert {degrees[node] for node in range(12)} == {10}
    others = [degrees[node] for node in range(12, 36)]
    assert max(others) == 11
    assert sorted(others)[len(others) // 2] == 9


@pytest.mark.parametrize("degree", [3, 4])
def test_a_perfect_code_dominates_each_node_once(degree: int) -> None:
    edges = perfect_code(Random(1), 5 * (degree + 1), degree)
    assert set(Counter(node for edge in edges for node in edge).values()) == {degree}
    assert Counter(v for u, v in edges if u < 5) == Counter(range(5, 5 * (degree + 1)))


@pytest.mark.parametrize(("hidden", "degree"), [(3, 3), (4, 4), (5, 4), (7, 5), (6, 5)])
def test_no_smaller_set_than_the_hidden_one_breaks_all_cycles(hidden: int, degree: int) -> None:
    edges = hidden_feedback_set(Random(2), hidden, degree)
    nodes = 1 + max(v for _, v in edges)
    rest = [edge for edge in edges if edge[0] >= hidden]
    assert len(rest) == nodes - hidden - 1  # a tree
    numbered = renumbered(Random(3), nodes, edges)
    graph = Graph(tuple(map(str, range(nodes))), tuple(numbered), "edges")
    assert len(smallest_feedback(graph.ways()).solution) == hidden
