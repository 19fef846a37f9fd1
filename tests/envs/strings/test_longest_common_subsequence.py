"""Tests of strings/longest_common_subsequence."""

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from palaestra.generators.strings.alignments import common, is_subsequence

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
