"""Tests of graphs/tree_from_pruefer_code."""

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from palaestra.envs.graphs.tree_from_pruefer_code import TreeFromPrueferCode


@given(st.lists(st.integers(1, 9), min_size=7, max_size=7))
def test_pruefer_codes_are_networkx_s(code):
    task = TreeFromPrueferCode(code=tuple(code))
    theirs = nx.from_prufer_sequence([number - 1 for number in code])
    assert task.verify(task.as_text((u + 1, v + 1) for u, v in theirs.edges)).value == 1
    swapped = [number % 9 + 1 for number in code]
    assert TreeFromPrueferCode(code=tuple(swapped)).verify(task.answer()).value == 0
