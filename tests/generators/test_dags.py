"""Tests of directed acyclic graphs: compared with networkx."""

from random import Random

import networkx as nx
import pytest

from palaestra.generators import dags


def random_dag(seed):
    rng = Random(seed)
    return dags.random_parents(rng, rng.randint(2, 9), rng.randint(1, 4), rng.uniform(0.8, 2), 5)


def graph_of(dag):
    graph = nx.DiGraph(dags.edges(dag))
    graph.add_nodes_from(range(len(dag)))
    return graph


@pytest.mark.parametrize("seed", range(40))
def test_relatives_and_separation_are_those_of_networkx(seed):
    dag = random_dag(seed)
    rng, graph = Random(seed), graph_of(dag)
    assert nx.is_directed_acyclic_graph(graph)
    assert dags.children(dag) == [sorted(graph.successors(node)) for node in range(len(dag))]
    one, other, *known = rng.sample(range(len(dag)), rng.randint(2, len(dag)))
    assert dags.ancestors(dag, [one]) == nx.ancestors(graph, one) | {one}
    assert dags.descendants(dag, [one]) == nx.descendants(graph, one) | {one}
    separated = nx.is_d_separator(graph, {one}, {other}, {*known})
    assert dags.is_separated(dag, one, other, known) == separated
    assert dags.is_separated_morally(dag, one, other, known) == separated
    path = dags.open_path(dag, one, other, known)
    assert (path == []) == separated
    if path:
        assert (path[0], path[-1]) == (one, other)
        assert dags.is_open(dag, path, known)
    connected = {
        node
        for node in graph.nodes
        if node != one
        and node not in known
        and not nx.is_d_separator(graph, {one}, {node}, {*known})
    }
    assert dags.connected(dag, one, known) == connected


def test_random_graphs_have_the_wanted_size():
    roots = set()
    for seed in range(30):
        dag = dags.random_parents(Random(seed), 10, 3, 1.5, window=5)
        assert len(dags.edges(dag)) == 15
        assert max(map(len, dag)) <= 3
        assert nx.is_weakly_connected(graph_of(dag))
        roots.add(sum(not parents for parents in dag))
    assert len(roots) > 2
