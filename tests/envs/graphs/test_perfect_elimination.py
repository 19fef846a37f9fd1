"""Tests of graphs/perfect_elimination."""

from itertools import combinations, product
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.graphs.referees import referee
from tests.envs.sampling import sampled

from palaestra.address import Address
from palaestra.envs.graphs.perfect_elimination import PerfectElimination
from palaestra.generators.graphs.perfect_elimination import (
    by_cardinality,
    chordal,
    chordless_cycle,
    masks,
    missing_chord,
    shells,
    spoilt,
    with_hubs,
    with_tails,
)
from palaestra.generators.graphs.puzzles import Graph
from palaestra.task import InvalidAnswer

NAME = "graphs/perfect_elimination"
SEEDS = st.integers(0, 10**6)
LEVELS = st.integers(0, 6)


@settings(max_examples=40, deadline=None)
@given(SEEDS, LEVELS)
def test_networkx_agrees_about_chordal_graphs(seed, level):
    task = sampled(NAME, seed, level)
    label, nodes = task.read(task.answer())
    graph = referee(task.graph)
    assert nx.is_chordal(graph) == (label == "order")
    assert task.audit(task.answer())
    if label == "cycle":
        inner = graph.subgraph(nodes)
        assert nx.is_connected(inner)
        assert {degree for _, degree in inner.degree} == {2}
        assert len(nodes) >= 4


def test_small_graphs_have_an_order_or_a_cycle():
    rng = Random(4)
    for _ in range(300):
        edges = rng.sample([*combinations(range(6), 2)], rng.randint(4, 13))
        beside = masks(6, edges)
        graph = nx.Graph(edges)
        graph.add_nodes_from(range(6))
        ordered = missing_chord(by_cardinality(beside), beside) is None
        cycle = chordless_cycle(beside)
        assert ordered == nx.is_chordal(graph) == (not cycle)
        if cycle:
            inner = graph.subgraph(cycle)
            assert len(cycle) >= 4
            assert {degree for _, degree in inner.degree} == {2}


def test_twins_differ_in_one_edge_or_two():
    rng = Random(5)
    lengths = set()
    for _ in range(60):
        nodes, edges = chordal(rng, 2, 8, 3)
        other = spoilt(rng, nodes, edges)
        changed = {frozenset(edge) for edge in edges} ^ {frozenset(edge) for edge in other}
        assert len(changed) == (1 if len(other) < len(edges) else 2)
        assert nx.is_chordal(nx.Graph(edges))
        assert not nx.is_chordal(nx.Graph(other))
        lengths.add(len(chordless_cycle(masks(nodes, other))))
    assert 4 in lengths
    assert max(lengths) > 5


@pytest.mark.parametrize("graphs", ["chordal", "not chordal"])
def test_the_knob_decides(graphs):
    for level, seed in product((0, 3, 6), range(5)):
        task = sampled(NAME, seed, level, graphs=graphs)
        assert task.answer().startswith("order" if graphs == "chordal" else "cycle")


def test_both_are_asked():
    answers = {Address.of(NAME, seed, 3).task().answer()[:5] for seed in range(12)}
    assert answers == {"order", "cycle"}


@pytest.mark.parametrize("level", [2, 4, 6])
def test_the_least_degree_is_not_the_first_of_an_order(level):
    for seed in range(10):
        task = sampled(NAME, seed, level, graphs="chordal")
        for sign in (1, -1):
            assert task.violation(("order", task.dismantled(Random(seed), sign)))


def test_hubs_and_tails_keep_graphs_chordal():
    for seed in range(60):
        rng = Random(seed)
        nodes, edges = chordal(rng, rng.randint(1, 3), 8, rng.randint(2, 3))
        around = shells(rng, nodes, edges, 3)
        assert {*around[2]} < {*around[1]} < {*around[0]} < {*range(nodes)}
        nodes, edges = with_tails(rng, nodes, edges, 2)
        assert nx.is_chordal(nx.Graph(with_hubs(nodes, edges, around)[1]))
        nodes, other = with_hubs(nodes, spoilt(rng, nodes, edges), around)
        assert nx.number_of_nodes(nx.Graph(other)) == nodes
        assert not nx.is_chordal(nx.Graph(other))


@pytest.mark.parametrize("level", [3, 6])
def test_distances_and_low_degrees_mislead(level):
    solved = dict.fromkeys(
        ("farthest from the busiest node first", "around a node of low degree"), 0
    )
    for seed in range(40):
        task = Address.of(NAME, seed, level).task()
        players = task.baselines(Random(seed))
        for name in solved:
            solved[name] += task.verify(players[name]).value == 1
    assert max(solved.values()) <= 4


FAN_EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2))
FAN = PerfectElimination(
    graph=Graph(names=tuple("ABCD"), edges=FAN_EDGES, encoding="edges")
)  # fmt: skip
SQUARE = PerfectElimination(
    graph=Graph(names=tuple("ABCD"), edges=((0, 1), (1, 2), (2, 3), (3, 0)), encoding="edges")
)


@pytest.mark.parametrize(
    "answer", ["order: B, A, C, D", "**Order:** D, B, A, C", "order = B -> D -> C -> A",
               "perfect elimination order: B, D, A, C", "The nodes:\norder: B, D, A, C",
               '{"order": "B, A, C, D"}'],
)  # fmt: skip
def test_orders_by_hand(answer):
    assert FAN.verify(answer).value == 1


@pytest.mark.parametrize(
    ("task", "answer", "reason"),
    [
        (FAN, "order: A, B, C, D", "B and D come after their neighbour A and are not joined"),
        (FAN, "order: B, A, C", "the order has 3 of the 4 nodes"),
        (FAN, "order: B, A, C, B", "B is listed twice"),
        (FAN, "cycle: A, B, C, D", "the edge between A and C is a chord"),
        (FAN, "cycle: A, B, C", "the cycle has fewer than 4 nodes"),
        (SQUARE, "cycle: A, C, B, D", "no edge joins A and C"),
        (SQUARE, "cycle: A, B, C, D, B", "B is listed twice"),
        (SQUARE, "cycle: A, B, A", "A is listed twice"),
        (SQUARE, "order: A, B, C, D", "B and D come after their neighbour A and are not joined"),
    ],
)
def test_reasons(task, answer, reason):
    score = task.verify(answer)
    assert (score.value, score.reason) == (0, reason)


def test_every_way_round_a_cycle_is_right():
    for answer in (
        "cycle: A, B, C, D",
        "cycle: C, B, A, D",
        "chordless cycle: B - C - D - A",
        "A chordless cycle is A, B, C, D.",
        "Cycle: A -> B -> C -> D -> A",
        "**cycle:**\n1. A\n2. B\n3. C\n4. D",
        "cycle: $A, B, C, D$",
    ):
        assert SQUARE.verify(answer).value == 1


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "A, B, C, D",
        "order: A, Q",
        "path: A, B",
        "order: B, A, C, D\ncycle: A, B, C, D",
        "not an order: B, A, C, D",
        "order or cycle: B, A, C, D",
        "B, A, C, D, order: B, A, C, D",
    ],
)
def test_unreadable(answer):
    with pytest.raises(InvalidAnswer):
        FAN.verify(answer)
