"""Tests of graphs/critical_path."""

import pytest

from palaestra.envs.graphs.critical_path import CriticalPath
from palaestra.generators.graphs.puzzles import Graph
from palaestra.task import InvalidAnswer


def test_a_project_by_hand():
    """A (3 days) and B (1) come before C (2): B may wait for two days."""
    graph = Graph(tuple("ABC"), ((0, 2), (1, 2)), "edges", directed=True)
    task = CriticalPath(graph=graph, days=(3, 1, 2))
    assert task.answer() == "A: 0, 0\nB: 0, 2\nC: 3, 3"
    assert task.verify("A: 0, 0\nB: 0, 0\nC: 3, 3").value == 0.5
    assert task.verify("A: 0, 0\nB: 0, 0\nC: 3, 3").reason == "the latest start of B is wrong"
    with pytest.raises(InvalidAnswer):
        task.verify("A: 0\nB: 0\nC: 3")
