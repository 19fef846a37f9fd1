"""Paths, tours and orders."""

from itertools import combinations, permutations, product
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.verifiers.certified.graphs import ROADS, networkx_of, random_graph

from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.certified import (
    Graph,
    HamiltonianCertificate,
    PathCertificate,
    TopologicalCertificate,
)
from palaestra.verifiers.verifier import GoldError


# Paths, tours and orders
def test_path_certificate():
    right = ["D -> C -> B -> A", "d, c, b, a", "[D C B A]", "D - C - B - A", "D → C → B → A."]
    wrong = [
        "D -> A", "D -> C -> A", "A -> B -> C -> D", "D -> C -> B", "D B A", "D C B A B A", "D E A",
        "D C D C B A", "D D C B A", "D", "D -> F -> A", "D C B \u0410", "D C B A, D C B A", "6",
        "D -> A\nD -> C -> B -> A",
    ]  # fmt: skip
    judge = PathCertificate(ROADS, "D", "A", at_most=6)
    hostile = ["D " * 9_000, "D->" * 6_000, "D C " * 4_000 + "B A"]
    check_verifier(judge, right, wrong, hostile)
    assert judge("D C D C B A").reason == "D is listed twice"


def test_a_negative_weight_pays_only_once():
    graph = Graph("ABC", [("A", "B", -5), ("B", "C", 3)])
    judge = PathCertificate(graph, "A", "C", at_most=-7)
    assert not judge("A B A B C").correct
    assert PathCertificate(graph, "A", "C", optimum=-2)("A B C").correct


@pytest.mark.parametrize(("source", "target"), [("A", "A"), ("A", "Z"), ("", "A")])
def test_ends_that_make_no_sense(source, target):
    with pytest.raises(GoldError):
        PathCertificate(ROADS, source, target)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_paths_agree_with_networkx(seed, directed):
    rng = Random(seed)
    graph = random_graph(rng, 6, directed=directed)
    network = networkx_of(graph)
    if not nx.has_path(network, "A", "F"):
        return
    optimum = nx.dijkstra_path_length(network, "A", "F")
    judge = PathCertificate(graph, "A", "F", optimum=optimum)
    for path in nx.all_simple_paths(network, "A", "F"):
        length = nx.path_weight(network, path, "weight")
        assert judge(" -> ".join(path)).correct == (length == optimum)
    for middle in product("BCDE", repeat=2):
        row = ["A", *middle, "F"]
        expected = len({*row}) == 4 and nx.is_path(network, row)
        assert PathCertificate(graph, "A", "F")(" ".join(row)).correct == expected


def test_hamiltonian_certificate():
    judge = HamiltonianCertificate(ROADS, cycle=False)
    right = ["A B C D E", "E D C B A", "B, A, C, D, E"]
    wrong = ["A B C D", "A B C D E A", "A B C E D", "A B C D E D", "E D A", "A B C D D E", "A"]
    check_verifier(judge, right, wrong, hostile=["A B C D E " * 2_000])
    row = {"A": 0, "C": 1, "B": 2, "D": 3}
    square = Graph("ABCD", [(u, v, abs(row[u] - row[v])) for u, v in combinations("ABCD", 2)])
    tours = HamiltonianCertificate(square, optimum=6)
    check_verifier(
        tours,
        ["A C B D", "A, C, B, D, A", "D -> B -> C -> A -> D", "C D B A"],
        ["A B C D", "A C B", "A C B A", "A C B D B", "A A C B D", "A C B D D", "A C B D A A"],
    )
    with pytest.raises(GoldError):
        HamiltonianCertificate(Graph("AB", [("A", "B")]))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_tours_agree_with_networkx(seed, directed):
    graph = random_graph(Random(seed), 5, 0.7, directed)
    network = networkx_of(graph)
    for tour in permutations("ABCDE"):
        answer = " ".join(tour)
        assert HamiltonianCertificate(graph, False)(answer).correct == nx.is_path(network, tour)
        closed = nx.is_path(network, [*tour, tour[0]])
        assert HamiltonianCertificate(graph)(answer).correct == closed
        assert HamiltonianCertificate(graph)(f"{answer} {tour[0]}").correct == closed


def test_topological_certificate():
    graph = Graph("ABCD", [("D", "A"), ("A", "B"), ("A", "C")], directed=True)
    judge = TopologicalCertificate(graph)
    wrong = ["A B C D", "D A B", "D A B C D", "D D A B C", "D A B B", "D, B, A, C", "D"]
    check_verifier(judge, ["D A B C", "d, a, c, b", "D -> A -> B -> C"], wrong)
    for options in ({"optimum": 3}, {"at_most": 3}):
        with pytest.raises(GoldError):
            TopologicalCertificate(graph, **options)
    with pytest.raises(GoldError):
        TopologicalCertificate(ROADS)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_orders_agree_with_networkx(seed):
    graph = random_graph(Random(seed), 5, 0.2, directed=True)
    network = networkx_of(graph)
    if not graph.edges:
        return
    acyclic = nx.is_directed_acyclic_graph(network)
    known = {tuple(row) for row in nx.all_topological_sorts(network)} if acyclic else set()
    for row in permutations("ABCDE"):
        assert TopologicalCertificate(graph)(", ".join(row)).correct == (row in known)
