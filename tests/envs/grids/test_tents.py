"""Tests of grids/tents."""

from random import Random

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.grids import tents
from palaestra.generators.grids.shapes import sides

seeds = st.integers(0, 10**6)


@given(seeds)
@settings(max_examples=50, deadline=None)
def test_trees_and_tents_are_matched_as_by_another_library(seed):
    rng = Random(seed)
    cells = rng.sample(range(16), 8)
    trees, pitched = cells[:4], cells[4:]
    graph = nx.Graph()
    graph.add_nodes_from(cells)
    graph.add_edges_from((t, n) for t in trees for n in sides(4, 4)[t] if n in pitched)
    matching = nx.bipartite.maximum_matching(graph, trees)
    assert tents.paired(trees, pitched, 4) == (len(matching) == 8)


def test_tents_that_touch_or_belong_to_no_tree_are_refused():
    task = tents.Tents(board=("T..", "...", "..T"), counts=(-1,) * 6)
    assert task.verify("T A -\n- - -\n- A T").correct
    assert "touch" in task.verify("T A -\n- - A\n- - T").reason
    assert "matched" in task.verify("T A -\n- - -\nA - T").reason
    assert "trees" in task.verify("- A -\n- - -\n- A T").reason
