"""Tests of graphs/construct_with_property."""

from itertools import combinations
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.address import Address
from palaestra.envs.graphs.construct_with_property import ConstructWithProperty
from palaestra.generators.graphs.construct_with_property import (
    PROPERTIES,
    is_connected,
    masks,
    stretched,
)
from palaestra.task import InvalidAnswer

NAME = "graphs/construct_with_property"
SEEDS = st.integers(0, 10**6)
LEVELS = st.integers(0, 6)


def numbers_of_networkx(nodes, edges):
    graph = nx.Graph(edges)
    graph.add_nodes_from(range(nodes))
    apart = nx.complement(graph)
    cycles = nx.simple_cycles(graph, length_bound=4)
    return {
        "triangles": sum(nx.triangles(graph).values()) // 3,
        "squares": sum(len(cycle) == 4 for cycle in cycles),
        "diameter": nx.diameter(graph),
        "shortest paths": len([*nx.all_shortest_paths(graph, 0, 1)]),
        "spanning trees": round(nx.number_of_spanning_trees(graph)),
        "independence number": nx.max_weight_clique(apart, weight=None)[1],
    }


def test_numbers_against_networkx():
    rng = Random(1)
    for _ in range(120):
        nodes = rng.randint(4, 9)
        pairs = [*combinations(range(nodes), 2)]
        edges = rng.sample(pairs, rng.randint(nodes - 1, len(pairs)))
        beside = masks(nodes, edges)
        graph = nx.Graph(edges)
        graph.add_nodes_from(range(nodes))
        assert is_connected(beside) == nx.is_connected(graph)
        if is_connected(beside):
            theirs = numbers_of_networkx(nodes, edges)
            assert {name: rule(beside) for name, rule in PROPERTIES.items()} == theirs
        else:
            assert PROPERTIES["spanning trees"](beside) == 0


@settings(max_examples=30, deadline=None)
@given(SEEDS, LEVELS)
def test_answers_have_the_numbers(seed, level):
    task = sampled(NAME, seed, level)
    edges = task.read(task.answer())
    theirs = numbers_of_networkx(len(task.names), edges)
    assert all(theirs[name] == number for name, number in task.numbers)
    assert len(edges) == task.edges
    assert task.verify(task.answer()).value == 1
    assert task.audit(task.answer())


@pytest.mark.parametrize("level", [0, 2, 4, 6])
def test_any_graph_with_the_numbers_is_right(level):
    """Random exchanges of edges, judged by networkx and here."""
    rng = Random(level)
    right = 0
    for seed in range(6):
        task = sampled(NAME, seed, level)
        pairs = {*combinations(range(len(task.names)), 2)}
        for _ in range(60):
            edges = {*task.planted}
            for _ in range(rng.randint(1, 2)):
                edges.remove(rng.choice(sorted(edges)))
                edges.add(rng.choice(sorted(pairs - edges)))
            graph = nx.Graph(edges)
            graph.add_nodes_from(range(len(task.names)))
            fits = nx.is_connected(graph) and (
                not task.degrees
                or tuple(graph.degree[n] for n in range(len(task.names))) == task.degrees
            )
            if fits:
                theirs = numbers_of_networkx(len(task.names), edges)
                fits = all(theirs[name] == number for name, number in task.numbers)
            text = task.as_text(sorted(edges))
            assert task.verify(text).value == fits
            assert task.audit(text) == fits
            right += fits and edges != {*task.planted}
    assert right or level > 1


def test_planted_graphs_are_stretched():
    """They have more triangles and a greater diameter than random graphs of as many edges."""
    rng = Random(2)
    wide, narrow = [0, 0], [0, 0]
    for _ in range(100):
        edges = stretched(rng, 10, 16)
        assert len({*edges}) == 16
        assert is_connected(masks(10, edges))
        other = nx.Graph()
        while not other or not nx.is_connected(other):
            other = nx.gnm_random_graph(10, 16, seed=rng.randrange(10**6))
        for total, graph in ((wide, nx.Graph(edges)), (narrow, other)):
            total[0] += nx.diameter(graph)
            total[1] += sum(nx.triangles(graph).values())
    assert wide[0] > narrow[0] * 1.05
    assert wide[1] > narrow[1] * 1.1


HOUSE = ConstructWithProperty(
    names=tuple("ABCDE"),
    degrees=(),
    edges=6,
    numbers=(("triangles", 1), ("squares", 1), ("diameter", 2), ("spanning trees", 11)),
    planted=((0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4)),
)


@pytest.mark.parametrize(
    "answer",
    ["A-B, B-C, C-D, A-D, A-E, B-E", "E-D\nD-C\nC-B\nB-E\nE-A\nD-A", "A-B, B-C, C-D, D-E, E-A, A-C",
     "Edges: (A, B), (B, C), (C, D), (D, A), (A, E), (B, E)"],
)  # fmt: skip
def test_houses_by_hand(answer):
    assert HOUSE.verify(answer).value == 1
    assert HOUSE.audit(answer)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("A-B, B-C, C-D, A-D, A-E", "the graph has 5 edges, not 6"),
        ("A-B, B-C, C-D, A-D, A-E, A-A", "A is joined to itself"),
        ("A-B, B-C, C-D, A-D, A-E, B-A", "the edge between B and A is listed twice"),
        ("A-B, A-C, A-D, B-C, B-D, C-D", "the graph is not connected"),
        ("A-B, B-C, C-A, A-D, D-E, E-A", "triangles: 2, not 1"),
    ],
)
def test_reasons(answer, reason):
    score = HOUSE.verify(answer)
    assert (score.value, score.reason) == (0, reason)
    assert not HOUSE.audit(answer)


@pytest.mark.parametrize("answer", ["A", "A-Q", "six edges"])
def test_unreadable(answer):
    with pytest.raises(InvalidAnswer):
        HOUSE.verify(answer)


def test_prompts_state_every_condition():
    for seed in range(15):
        task = Address.of(NAME, seed, 5).task()
        rules = [line for line in task.prompt().splitlines() if line.startswith("- ")]
        assert len(rules) == 1 + bool(task.degrees) + len(task.numbers)
        for name, number in task.numbers:
            assert any(str(number) in rule for rule in rules), name
