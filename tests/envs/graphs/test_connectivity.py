"""Tests of graphs/connectivity."""

from itertools import combinations, product
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.graphs.players import solved_by
from tests.envs.graphs.referees import referee
from tests.envs.sampling import sampled

from palaestra.address import Address
from palaestra.envs.graphs.connectivity import Connectivity
from palaestra.generators.graphs.connectivity import disjoint_paths, maximum_disjoint, separator
from palaestra.generators.graphs.puzzles import Graph
from palaestra.task import InvalidAnswer

NAME = "graphs/connectivity"
ASKS = ("paths", "separator")
SEEDS = st.integers(0, 10**6)
LEVELS = st.integers(0, 6)


@settings(max_examples=20, deadline=None)
@given(SEEDS, LEVELS, st.sampled_from(ASKS))
def test_the_number_is_that_of_networkx(seed, level, asks):
    task = sampled(NAME, seed, level, asks=asks)
    graph = referee(task.graph)
    number = nx.node_connectivity(graph, 0, task.target)
    assert len(task.read(task.answer())) == number
    if asks == "paths":
        theirs = [tuple(path) for path in nx.node_disjoint_paths(graph, 0, task.target)]
    else:
        theirs = sorted(nx.minimum_node_cut(graph, 0, task.target))
    assert task.verify(task.as_text(theirs)).value == 1
    assert task.audit(task.as_text(theirs))
    assert task.verify(task.as_text(theirs[1:])).value == 0
    assert not task.audit(task.as_text(theirs[1:]))


def test_small_graphs_by_trying_all_separators():
    rng = Random(2)
    for _ in range(60):
        pairs = [pair for pair in combinations(range(6), 2) if pair != (0, 5)]
        edges = rng.sample(pairs, rng.randint(6, 11))
        ways = [[v for v in range(6) if (u, v) in edges or (v, u) in edges] for u in range(6)]
        graph = nx.Graph(edges)
        graph.add_nodes_from(range(6))
        least = next(
            size
            for size in range(5)
            for cut in combinations(range(1, 5), size)
            if not nx.has_path(graph.subgraph({*range(6)} - {*cut}), 0, 5)
        )
        paths = disjoint_paths(ways).solution
        assert len(paths) == len(separator(ways).solution) == least
        assert maximum_disjoint(ways, paths)
        assert not paths or not maximum_disjoint(ways, paths[1:])


@pytest.mark.parametrize("level", range(7))
def test_the_shortest_paths_block_others(level):
    """By construction, before any task is discarded."""
    knobs, rng = Connectivity.Knobs.at(level, asks="paths"), Random(level)
    solved = 0
    for _ in range(40):
        task = Connectivity.generate(rng, knobs)
        (greedy,) = task.naive_solutions()
        assert not task.violation(greedy)
        solved += len(greedy) == len(task.search().solution)
    assert solved <= 4


def test_neighbours_and_layers_are_no_smallest_separators():
    for level, seed in product(range(7), range(4)):
        task = sampled(NAME, seed, level, asks="separator")
        for nodes in task.naive_solutions():
            assert not task.violation(nodes)
            assert task.verify(task.as_text(nodes)).value == 0


LADDER = Graph(
    names=tuple("SABCDT"),
    edges=((0, 1), (1, 2), (2, 5), (0, 3), (3, 4), (4, 5), (1, 4)),
    encoding="edges",
)
PATHS = Connectivity(graph=LADDER, asks="paths")
CUT = Connectivity(graph=LADDER, asks="separator")


@pytest.mark.parametrize(
    "answer",
    [
        "S -> A -> B -> T\nS -> C -> D -> T",
        "Path 1: S, C, D, T\nPath 2: S, A, B, T",
        '[["S", "A", "B", "T"], ["S", "C", "D", "T"]]',
        "1. S-A-B-T\n2. S-C-D-T",
        "Paths:\nS → A → B → T\nS → C → D → T",
        '{"paths": ["S -> A -> B -> T", "S -> C -> D -> T"]}',
    ],
)
def test_two_paths_by_hand(answer):
    assert PATHS.verify(answer).value == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("S -> A -> D -> T", "the number is 1, and a better solution exists"),
        ("S -> A -> D -> T\nS -> C -> D -> T", "two paths visit D"),
        ("S -> A -> B -> T\nS -> C -> D -> T\nS -> A -> D -> T", "two paths visit A"),
        ("S -> A -> B\nS -> C -> D -> T", "a path does not lead from S to T"),
        ("S -> A -> C -> D -> T\nS -> B -> T", "no edge joins A and C"),
        ("S -> A -> S -> A -> B -> T", "a path visits a node twice"),
    ],
)
def test_reasons_of_paths(answer, reason):
    score = PATHS.verify(answer)
    assert (score.value, score.reason) == (0, reason)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("A", "T can still be reached from S"),
        ("none", "T can still be reached from S"),
        ("S, A", "S must not be removed"),
        ("A, C, T", "T must not be removed"),
        ("A, C, D", "the number is 3, and a better solution exists"),
    ],
)
def test_reasons_of_separators(answer, reason):
    score = CUT.verify(answer)
    assert (score.value, score.reason) == (0, reason)


def test_every_smallest_separator_is_right():
    right = {pair for pair in combinations("ABCD", 2) if CUT.verify(", ".join(pair)).value == 1}
    assert right == {("A", "C"), ("A", "D"), ("B", "D")}


@pytest.mark.parametrize("answer", ["S -> Q -> T", "a path", "; ;"])
def test_unreadable(answer):
    with pytest.raises(InvalidAnswer):
        PATHS.verify(answer)


def test_both_are_asked():
    asked = {Address.of(NAME, seed, 2).task().asks for seed in range(40)}
    assert asked == {*ASKS}


@pytest.mark.parametrize("level", [3, 6])
def test_layers_and_distances_mislead_about_separators(level):
    players = ("smallest layer after paring", "without least distance from an end first")
    separators = (sampled(NAME, seed, level, asks="separator") for seed in range(20))
    solved = solved_by(players, separators)
    assert max(solved.values()) <= 3, solved


def test_headings_and_formulas():
    assert PATHS.verify("2 disjoint paths:\nS -> A -> B -> T\nS -> C -> D -> T").value == 1
    latex = "$S \\to A \\to B \\to T$\n$S \\rightarrow C \\rightarrow D \\rightarrow T$"
    assert PATHS.verify(latex).value == 1
