"""Tests of graphs/planarity."""

from itertools import combinations, product
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.graphs.referees import referee
from tests.envs.sampling import sampled

from palaestra.address import Address
from palaestra.envs.graphs.planarity import Drawing, Planarity
from palaestra.generators.graphs.planarity import (
    beside,
    blocks,
    faces,
    is_planar,
    obstruction,
    paths_of,
    plane_faces,
    rotations_of,
    thinned,
    triangulation,
)
from palaestra.generators.graphs.puzzles import Graph
from palaestra.task import InvalidAnswer

NAME = "graphs/planarity"
SEEDS = st.integers(0, 10**6)
LEVELS = st.integers(0, 6)


@settings(max_examples=30, deadline=None)
@given(SEEDS, LEVELS)
def test_networkx_agrees(seed, level):
    task = sampled(NAME, seed, level)
    planar, embedding = nx.check_planarity(referee(task.graph))
    answer = task.answer()
    assert answer.startswith("planar" if planar else "not planar")
    assert task.verify(answer).value == 1
    assert task.audit(answer)
    if planar:
        theirs = {n: tuple(embedding.neighbors_cw_order(n)) for n in embedding.nodes}
        mirrored = {n: near[::-1] for n, near in theirs.items()}
        for rotations in (theirs, mirrored):
            text = task.as_text(Drawing(rotations))
            assert task.verify(text).value == 1
            assert task.audit(text)
    else:
        _, counterexample = nx.check_planarity(referee(task.graph), counterexample=True)
        text = task.as_text(Drawing(None, paths_of(counterexample.edges)))
        assert task.verify(text).value == 1
        assert task.audit(text)


def test_random_graphs_against_networkx():
    rng = Random(6)
    for _ in range(250):
        nodes = rng.randint(5, 9)
        pairs = [*combinations(range(nodes), 2)]
        edges = rng.sample(pairs, rng.randint(5, min(len(pairs), 3 * nodes - 4)))
        graph = nx.Graph(edges)
        assert is_planar(edges) == nx.check_planarity(graph)[0]
        theirs = {frozenset(map(frozenset, each)) for each in nx.biconnected_component_edges(graph)}
        assert {frozenset(map(frozenset, each)) for each in blocks(beside(edges))} == theirs


def test_faces_of_drawings():
    rng = Random(7)
    for _ in range(60):
        nodes = rng.randint(5, 12)
        edges = thinned(rng, triangulation(rng, nodes), round(1.8 * nodes))
        drawn = plane_faces(beside(edges))
        assert len(drawn) == 2 - nodes + len(edges)
        rotations = rotations_of(drawn)
        assert {n: {*near} for n, near in rotations.items()} == beside(edges)
        assert faces(rotations) == len(drawn)
        embedding = nx.PlanarEmbedding()
        embedding.set_data({n: list(near) for n, near in rotations.items()})
        embedding.check_structure()


def test_obstructions_are_subdivisions():
    rng = Random(8)
    sizes = set()
    for _ in range(60):
        edges = rng.sample([*combinations(range(8), 2)], 17)
        if is_planar(edges):
            continue
        paths = paths_of(obstruction(edges))
        ends = {node for path in paths for node in (path[0], path[-1])}
        sizes.add((len(ends), len(paths)))
    assert sizes <= {(5, 10), (6, 9)}
    assert (6, 9) in sizes


def test_triangulations_are_full():
    rng = Random(9)
    for nodes in range(4, 13):
        edges = triangulation(rng, nodes)
        assert len({*edges}) == 3 * nodes - 6
        assert nx.check_planarity(nx.Graph(edges))[0]


def test_twins_have_as_many_edges():
    for level in range(7):
        sizes = {"planar": set(), "not planar": set()}
        for graphs, seed in product(sizes, range(8)):
            task = sampled(NAME, seed, level, graphs=graphs)
            assert task.answer().startswith(graphs)
            sizes[graphs].add(len(task.graph.edges))
        assert min(sizes["planar"]) <= max(sizes["not planar"])
        assert max(sizes["planar"]) >= min(sizes["not planar"])


def test_both_are_asked():
    answers = {Address.of(NAME, seed, 3).task().answer().split("\n")[0] for seed in range(12)}
    assert answers == {"planar", "not planar"}


def graph_of(names, pairs):
    edges = tuple((names.index(u), names.index(v)) for u, v in pairs)
    return Planarity(graph=Graph(names=tuple(names), edges=edges, encoding="edges"))


K4 = graph_of("ABCD", ["AB", "AC", "AD", "BC", "BD", "CD"])
K33 = graph_of("ABCXYZS", ["AX", "AY", "AZ", "BX", "BY", "BZ", "CX", "CY", "CS", "SZ"])
K5 = graph_of("ABCDE", map("".join, combinations("ABCDE", 2)))
NINE = "A -> X\nA -> Y\nA -> Z\nB -> X\nB -> Y\nB -> Z\nC -> X\nC -> Y\nC -> S -> Z"
TEN = "\n".join(" -> ".join(pair) for pair in combinations("ABCDE", 2))
ONES = graph_of("1234", ["12", "13", "14", "23", "24", "34"])


def numbered(form, text):
    return "\n".join(form.format(n, line) for n, line in enumerate(text.splitlines(), 1))


@pytest.mark.parametrize(
    ("task", "answer"),
    [
        (K4, "planar\nA: B, C, D\nB: A, D, C\nC: A, B, D\nD: A, C, B"),
        (K4, "The graph is planar.\nD: B, A, C\nB: C, A, D\nC: D, A, B\nA: C, D, B"),
        (K4, "**planar**\n- A: B C D\n- B: A D C\n- C: A B D\n- D: A C B"),
        (K33, f"not planar\n{NINE}"),
        (K33, f"Non-planar:\n{NINE.replace(' -> ', '-')}"),
        (K5, f"nonplanar\n{TEN}"),
        (K4, "planar\nRotation system:\nA: B, C, D\nB: A, D, C\nC: A, B, D\nD: A, C, B"),
        (K33, f"not planar\nSubdivision of K3,3:\n{NINE}"),
        (K33, f"not planar\nK_{{3,3}} with the sides A, B, C and X, Y, Z\n{NINE}"),
        (K33, f"not planar\n{numbered('Path {}: {}', NINE)}"),
        (K33, f"not planar\n{numbered('{}. {}', NINE)}"),
        (K33, f"not planar\n{NINE.replace('C -> S -> Z', 'C to Z: C -> S -> Z')}"),
        (K33, f"not planar\n{NINE.replace('C -> S -> Z', 'C-Z: C -> S -> Z')}"),
        (ONES, "planar\n1. 1: 2, 3, 4\n2. 2: 1, 4, 3\n3. 3: 1, 2, 4\n4. 4: 1, 3, 2"),
        (ONES, "planar\n1: 2, 3, 4\n2: 1, 4, 3\n3: 1, 2, 4\n4: 1, 3, 2"),
    ],
)
def test_right_by_hand(task, answer):
    assert task.verify(answer).value == 1
    assert task.audit(answer)


@pytest.mark.parametrize(
    ("task", "answer", "reason"),
    [
        (K4, "planar\nA: B, C, D\nB: A, C, D\nC: A, B, D\nD: A, C, B",
         "the orders enclose 2 faces; without crossings there are 4"),
        (K4, "planar\nA: B, C\nB: A, D, C\nC: A, B, D\nD: A, C, B",
         "the line of A does not list its neighbours, each once"),
        (K4, "planar\nA: B, C, D", "the line of B does not list its neighbours, each once"),
        (K4, "not planar\nA -> B",
         "the ends of the paths are not joined like the nodes of K5 or K3,3"),
        (K33, f"not planar\n{NINE.replace('C -> S -> Z', 'C -> Z')}", "no edge joins C and Z"),
        (K33, f"not planar\n{NINE.replace('C -> S -> Z', 'C -> Y -> A -> Z')}",
         "Y is within a path and on another one, or twice on it"),
        (K33, f"not planar\n{NINE}\nA -> X",
         "two paths have the same ends, or a path returns to its start"),
        (K33, f"not planar\n{NINE[7:]}",
         "the ends of the paths are not joined like the nodes of K5 or K3,3"),
        (K5, f"not planar\n{TEN[7:]}",
         "the ends of the paths are not joined like the nodes of K5 or K3,3"),
        (K5, f"not planar\n{TEN}\nA", "a path has fewer than two nodes"),
    ],
)  # fmt: skip
def test_reasons(task, answer, reason):
    score = task.verify(answer)
    assert (score.value, score.reason) == (0, reason)
    assert not task.audit(answer)


@pytest.mark.parametrize(
    "answer",
    ["", "planar", "not planar", "A: B, C, D", "planar\nA", "planar\nA: B\nA: C", "planar\nQ: A",
     "maybe\nA: B", "not planar\nA -> Q", "not planar\nK5:", "not planar\nA to C: A -> B",
     "not planar\nno path: A -> B", "planar\nnot planar:\nA: B, C, D"],
)  # fmt: skip
def test_unreadable(answer):
    with pytest.raises(InvalidAnswer):
        K4.verify(answer)
