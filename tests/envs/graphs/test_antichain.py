"""Largest antichains, against networkx and by trying all sets of nodes."""

from itertools import combinations, product
from random import Random

import networkx as nx
import pytest
from tests.envs.graphs.players import solved_by
from tests.envs.graphs.referees import referee

from palaestra.address import Address
from palaestra.envs.graphs.antichain import Antichain
from palaestra.generators.graphs.antichain import hidden_antichain
from palaestra.generators.graphs.puzzles import Graph

NAME = "graphs/antichain"


def tasks(levels=range(7), seeds=range(4)):
    for level, seed in product(levels, seeds):
        yield Address.of(NAME, seed, level).task()


def by_sweep(graph):
    """The size of a largest antichain: nodes without the pairs of a matching of the closure."""
    closed = nx.transitive_closure_dag(graph)
    sides = nx.Graph()
    sides.add_nodes_from(("from", node) for node in graph)
    sides.add_nodes_from(("to", node) for node in graph)
    sides.add_edges_from((("from", u), ("to", v)) for u, v in closed.edges)
    pairs = nx.bipartite.hopcroft_karp_matching(sides, [("from", node) for node in graph])
    return len(graph) - len(pairs) // 2


def test_sizes_against_networkx():
    for task in tasks():
        graph = referee(task.graph)
        assert nx.is_directed_acyclic_graph(graph)
        chosen = task.read(task.answer())
        assert len(chosen) == by_sweep(graph)
        assert not any(nx.has_path(graph, u, v) for u, v in combinations(chosen, 2))
        assert not any(nx.has_path(graph, v, u) for u, v in combinations(chosen, 2))


def test_by_all_antichains():
    for task in tasks([0], range(8)):
        sizes = [len(each) for each in nx.antichains(referee(task.graph))]
        assert len(task.read(task.answer())) == max(sizes)


def test_every_antichain_of_the_largest_size_is_right():
    for task in tasks([0], range(3)):
        best = len(task.search().solution)
        for size in (best - 1, best):
            for chosen in combinations(range(len(task.graph.names)), size):
                answer = task.as_text(chosen)
                right = not task.violation(chosen) and size == best
                assert (task.verify(answer).value == 1) == right
                assert task.audit(answer) == right


def test_the_hidden_antichain_is_the_largest():
    for seed in range(30):
        rng = Random(seed)
        edges, antichain = hidden_antichain(rng, [rng.randint(2, 5) for _ in range(3)])
        graph = nx.DiGraph(edges)
        assert by_sweep(graph) == len(antichain)
        assert not any(nx.has_path(graph, u, v) for u in antichain for v in {*antichain} - {u})


@pytest.mark.parametrize(("level", "most"), [(3, 4), (4, 4), (6, 2)])
def test_few_comparable_nodes_mislead(level, most):
    solved = 0
    for seed in range(20):
        task = Address.of(NAME, seed, level).task()
        players = task.baseline_solutions(Random(seed))
        solved += task.verify(task.as_text(players["fewest comparable nodes left"])).value == 1
    assert solved <= most


def test_reasons():
    graph = Graph(tuple("ABCD"), ((0, 1), (1, 2), (0, 3)), "edges", directed=True)
    task = Antichain(graph=graph)
    assert task.verify("A, C").reason == "a path leads from A to C"
    assert task.verify("C, D").value == task.verify("{B, D}").value == 1
    assert "better solution" in task.verify("A").reason


@pytest.mark.parametrize(("level", "most"), [(3, 5), (6, 2)])
def test_nodes_far_from_the_middle_mislead(level, most):
    names = ("greatest distance from the middle first", "least edges of one direction first")
    solved = solved_by(names, tasks([level], range(40)))
    assert max(solved.values()) <= most, solved


def test_players_list_no_node_twice():
    for task in tasks([3], range(3)):
        for nodes in task.baseline_solutions(Random(1)).values():
            assert len({*nodes}) == len([*nodes])


@pytest.mark.parametrize(
    "answer",
    [
        "Nodes: C, D",
        "The chosen nodes are C and D.",
        "**Largest antichain:** C, D",
        '{"nodes": ["C", "D"]}',
    ],
)
def test_headings(answer):
    graph = Graph(tuple("ABCD"), ((0, 1), (1, 2), (0, 3)), "edges", directed=True)
    assert Antichain(graph=graph).verify(answer).value == 1
