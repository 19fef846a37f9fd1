"""Optima of weighted graphs, against networkx and by trying everything."""

from itertools import combinations, product
from random import Random

import networkx as nx
import pytest

from palaestra.address import Address
from palaestra.envs.graphs.arborescence import branching
from palaestra.envs.graphs.chinese_postman import ChinesePostman
from palaestra.envs.graphs.maximum_cut import eliminated, heaviest_cut
from palaestra.task import InvalidAnswer

POSTMAN, MATCHING = "graphs/chinese_postman", "graphs/weighted_matching"
CUT, BRANCHING = "graphs/maximum_cut", "graphs/arborescence"


def tasks(name, levels=range(4), seeds=range(6)):
    """Tasks with the optimum, which the oracle's answer has."""
    for level, seed in product(levels, seeds):
        task = Address.of(name, seed, level).task()
        yield task, task.worth(task.read(task.answer()))


def test_cuts_by_trying_all():
    for task, best in tasks(CUT, range(3)):
        nodes, edges = len(task.graph.names), task.graph.key()
        sizes = [nodes // 2] if task.halves else range(nodes)
        cuts = (
            sum(w for u, v, w in edges if (u in chosen) != (v in chosen))
            for size in sizes
            for chosen in map(set, combinations(range(nodes), size))
        )
        assert max(cuts) == best


def test_both_searches_for_cuts_agree_on_large_graphs():
    for task, best in tasks(CUT, [4, 6], range(3)):
        weights = eliminated(len(task.graph.names), [(*e,) for e in task.graph.key()])
        assert weights[len(task.graph.names) // 2] == best
        assert max(weights.values()) == task.worth(heaviest_cut(task.graph.lengths(), False)[0])


def test_either_group_of_a_cut_is_right():
    for task, _ in tasks(CUT, range(7), range(2)):
        other = {*range(len(task.graph.names))} - {*task.read(task.answer())}
        assert task.verify(task.as_text(sorted(other))).value == 1


def test_a_group_of_another_size_is_no_half():
    task = Address.of(CUT, 0, 3).task()
    names = task.answer().split(", ")
    assert "nodes, not" in task.verify(", ".join(names[:-1])).reason


def test_matchings_against_networkx():
    for task, best in tasks(MATCHING, range(7)):
        graph = nx.Graph()
        graph.add_weighted_edges_from(task.graph.key())
        edges = nx.max_weight_matching(graph)
        assert sum(graph.edges[edge]["weight"] for edge in edges) == best


def test_edges_with_a_common_end_are_no_matching():
    task = Address.of(MATCHING, 0).task()
    near = task.graph.lengths()
    node = next(node for node in near if len(near[node]) > 1)
    one, other, *_ = near[node]
    answer = task.as_text([(node, one), (node, other)])
    assert "have the end" in task.verify(answer).reason


def test_branchings_against_networkx():
    for task, best in tasks(BRANCHING, range(7)):
        graph = nx.DiGraph()
        # networkx takes any root, so that nothing may lead to ours.
        graph.add_weighted_edges_from(edge for edge in task.graph.key() if edge[1])
        tree = nx.minimum_spanning_arborescence(graph)
        assert tree.size("weight") == best


def test_cycles_within_cycles():
    """Two cycles that are joined to a third one on the way."""
    links = [
        (0, 1, 10), (1, 2, 1), (2, 1, 1), (2, 3, 2), (3, 4, 1), (4, 3, 1), (4, 1, 2), (0, 4, 11),
    ]  # fmt: skip
    chosen = branching(0, range(5), [(*link, link[:2]) for link in links])
    assert sorted(link[3] for link in chosen) == [(0, 1), (1, 2), (2, 3), (3, 4)]


def test_postmen_against_a_matching_of_odd_nodes():
    for task, best in tasks(POSTMAN, range(7), range(4)):
        graph = nx.Graph()
        graph.add_weighted_edges_from(task.graph.key())
        far = dict(nx.all_pairs_dijkstra_path_length(graph))
        odd = [node for node in graph if graph.degree[node] % 2]
        between = nx.Graph()
        between.add_weighted_edges_from((u, v, -far[u][v]) for u, v in combinations(odd, 2))
        pairs = nx.max_weight_matching(between, maxcardinality=True)
        assert graph.size("weight") + sum(far[u][v] for u, v in pairs) == best


@pytest.mark.parametrize("part", [slice(1, None), slice(None, -1), slice(None, 3)])
def test_a_walk_that_is_not_closed_or_leaves_out_an_edge(part):
    task = Address.of(POSTMAN, 1, 2).task()
    assert isinstance(task, ChinesePostman)
    assert task.verify(task.as_text(task.read(task.answer())[part])).value == 0


def test_a_walk_may_start_anywhere_and_go_backwards():
    task = Address.of(POSTMAN, 1, 2).task()
    walk = [*task.read(task.answer())]
    turned = walk[3:] + walk[1:4]
    assert task.verify(task.as_text(turned)).value == 1
    assert task.verify(task.as_text(turned[::-1])).value == 1
    assert "better" in task.verify(task.as_text(walk + walk[1:])).reason


@pytest.mark.parametrize(("level", "most"), [(3, 5), (4, 3), (5, 3), (6, 3)])
def test_the_closest_odd_nodes_are_seldom_best_paired(level, most):
    solved = 0
    for seed in range(20):
        task = Address.of(POSTMAN, seed, level).task()
        walk = task.baseline_solutions(Random(seed))["closest odd nodes first"]
        assert not task.violation(walk)
        solved += task.verify(task.as_text(walk)).value == 1
    assert solved <= most


@pytest.mark.parametrize("name", [MATCHING, BRANCHING])
def test_edges_with_headings_numbers_and_totals(name):
    task = Address.of(name, 3, 2).task()
    right = task.answer()
    weights, edges = task.graph.weights(), task.read(right)
    total = sum(weights[edge] for edge in edges)
    numbered = ", ".join(f"{task.as_text([edge])} ({weights[edge]})" for edge in edges)
    for text in (
        f"Edges: {right}",
        f"**Chosen edges:** {right}",
        f"The chosen edges are {right}.",
        numbered,
        f"{numbered}\nTotal: {total}",
        f"{right}\nTotal {task.quantity}: {total}",
        f'{{"edges": "{right}"}}',
    ):
        assert task.verify(text).value == 1, text
    with pytest.raises(InvalidAnswer):
        task.verify(f"Other edges: {right}")


def test_walks_with_headings_and_lengths():
    task = Address.of(POSTMAN, 3, 2).task()
    right = task.answer()
    length = task.worth(task.read(right))
    for text in (
        f"Walk: {right}",
        f"The shortest walk is {right}",
        f"{right} (length {length})",
        f"{right}\nTotal length: {length}",
    ):
        assert task.verify(text).value == 1, text


def test_cuts_as_sets_and_as_both_groups():
    task = Address.of(CUT, 5, 2).task()
    names = task.graph.names
    one = task.answer().split(", ")
    other = [name for name in names if name not in one]
    first, second = ", ".join(one), ", ".join(other)
    for text in (
        f"S = {{{first}}}",
        f"Group 1: {first}",
        f"Nodes: {first}",
        f"Group 1: {first}\nGroup 2: {second}",
        f"{{{first}}}, {{{second}}}",
        f"{first}\nTotal weight: 7",
    ):
        assert task.verify(text).value == 1, text
    with pytest.raises(InvalidAnswer):
        task.verify(f"Group 1: {first}\nGroup 2: {second.rpartition(', ')[0]}")
