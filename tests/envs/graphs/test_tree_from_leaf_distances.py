"""Trees from the distances of their leaves, against networkx and in a case worked by hand."""

from itertools import combinations, product
from random import Random

import networkx as nx
import pytest

from palaestra.address import Address
from palaestra.envs.graphs.tree_from_leaf_distances import (
    TreeFromLeafDistances,
    isolation,
    random_tree,
    separated,
)
from palaestra.task import InvalidAnswer

NAME = "graphs/tree_from_leaf_distances"


def tasks(levels=range(7), seeds=range(4)):
    for level, seed in product(levels, seeds):
        yield Address.of(NAME, seed, level).task()


@pytest.mark.parametrize("joints", [0, 0.3])
def test_groups_are_parts_of_the_tree_without_an_edge(joints):
    for seed in range(30):
        leaves = 4 + seed % 9
        tree = nx.Graph()
        tree.add_weighted_edges_from(random_tree(Random(seed), leaves, 20, joints))
        assert nx.is_tree(tree)
        assert sorted(node for node in tree if tree.degree[node] == 1) == [*range(leaves)]
        far = dict(nx.all_pairs_dijkstra_path_length(tree))
        table = tuple(tuple(far[u][v] for v in range(leaves)) for u in range(leaves))
        groups = {}
        for u, v, length in tree.edges(data="weight"):
            if min(u, v) >= leaves:
                parts = nx.restricted_view(tree, [], [(u, v)])
                part = next(each for each in nx.connected_components(parts) if 0 not in each)
                groups[frozenset(node for node in part if node < leaves)] = length
        assert separated(table) == groups.keys()
        assert {group: isolation(table, group) for group in groups} == groups


def by_hand():
    """A and B with edges of 1 and 6 at one node, C and D with 1 and 7 at another, and E with 2 at a
    third, to which edges of 1 and 2 lead from those.
    """
    table = (
        (0, 7, 5, 11, 4), (7, 0, 10, 16, 9), (5, 10, 0, 8, 5), (11, 16, 8, 0, 11), (4, 9, 5, 11, 0)
    )  # fmt: skip
    return TreeFromLeafDistances(names=tuple("ABCDE"), table=table)


def test_a_case_by_hand():
    task = by_hand()
    assert task.answer() == "1: C, D\n2: C, D, E"
    for text in (
        "1: E, D, C\n2: D and C",
        "Edge 1: {C, D}\nEdge 2: {C, D, E}",
        "Split 1: C, D\nSplit 2: C, D, E",
        "C, D\nC, D, E",
        "- C, D\n- C, D, E",
    ):
        assert task.verify(text).value == 1, text
        assert task.audit(text)
    # The nearest leaves are A and E.
    for wrong in (
        "1: B, C, D\n2: C, D",
        "1: C, D\n2: C, D",
        "1: A, B\n2: C, D",
        "1: C, D\n2: B, E",
    ):
        assert task.verify(wrong).value == 0
        assert not task.audit(wrong)
    assert "contains A" in task.verify("1: A, B\n2: C, D").reason
    with pytest.raises(InvalidAnswer):
        task.verify("1: C, D")


def test_all_answers_of_a_small_table():
    task = by_hand()
    groups = [frozenset(g) for size in (2, 3) for g in combinations(range(1, 5), size)]
    right = [pair for pair in combinations(groups, 2) if task.verify(task.as_text(pair)).value == 1]
    assert len(right) == 1
    for pair in combinations(groups, 2):
        assert task.audit(task.as_text(pair)) == (pair in right)


def test_close_leaves_are_not_joined_first():
    solved = 0
    for task in tasks([3, 4, 5, 6], range(10)):
        players = task.baselines(Random(1))
        for name in ("nearest leaves first", "least mean distance first"):
            solved += task.verify(players[name]).value == 1
    assert solved <= 2
