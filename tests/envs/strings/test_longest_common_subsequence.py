"""Tests of strings/longest_common_subsequence."""

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.generators.strings.alignments import (
    blocks_common,
    common,
    is_subsequence,
    longest_block,
    nearest_common,
)

short = st.text("abc", max_size=9)


@given(short, short)
def test_common_subsequences_are_longest(one, other):
    longest = common(one, other)
    assert is_subsequence(longest, one)
    assert is_subsequence(longest, other)
    # The edit distance with deletions and insertions only follows from the longest length.
    graph = nx.grid_2d_graph(len(one) + 1, len(other) + 1, create_using=nx.DiGraph)
    graph.remove_edges_from([(a, b) for a, b in graph.edges if a > b])
    nx.set_edge_attributes(graph, 1, "weight")
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            if a == b:
                graph.add_edge((i, j), (i + 1, j + 1), weight=0)
    distance = nx.shortest_path_length(graph, (0, 0), (len(one), len(other)), "weight")
    assert distance == len(one) + len(other) - 2 * len(longest)


@given(short, short)
def test_common_subsequences_of_players_without_search_are_common(one, other):
    for row in (nearest_common(one, other), blocks_common(one, other)):
        assert is_subsequence(row, one)
        assert is_subsequence(row, other)
        assert len(row) <= len(common(one, other))
    i, j, length = longest_block(one, other)
    blocks = {one[a:b] for b in range(len(one) + 1) for a in range(b + 1)}
    assert length == max(len(block) for block in blocks if block in other)
    assert one[i : i + length] == other[j : j + length]


def test_a_shorter_subsequence_is_close_but_earns_nothing():
    task = Address.of("strings/longest_common_subsequence", 0, 3).task()
    assert all(task.verify(shortcut).value == 0 for shortcut in task.shortcuts())
    shorter = task.verify(task.answer()[1:])
    assert shorter.value == 0
    assert 0 < shorter.parts["progress"] < 1
    assert task.verify(task.answer()).parts == {"progress": 1}
