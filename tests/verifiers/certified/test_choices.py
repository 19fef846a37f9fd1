"""Colourings, sets of nodes and matchings."""

from itertools import combinations, product
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.verifiers.certified.graphs import LETTERS, ROADS, networkx_of, random_graph

from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.certified import (
    ColoringCertificate,
    Graph,
    MatchingCertificate,
    NodeSetCertificate,
)
from palaestra.verifiers.verifier import GoldError


# Colours, sets and matchings
def test_coloring_certificate():
    judge = ColoringCertificate(ROADS, at_most=3)
    right = [
        "A: red\nB: blue\nC: green\nD: blue\nE: red",
        "E = 1\nD = 2\nC = 3\nB = 2\nA = 1",
        "- a: Light Red\n- b: 0\n- c: x\n- d: 0\n- e: light  red",
    ]
    wrong = [
        "A: red\nB: red\nC: green\nD: blue\nE: red",
        "A: red\nB: RED\nC: green\nD: blue\nE: green",
        "A: red\nB: re\u200bd\nC: green\nD: blue\nE: green",
        "A: red\nB: blue\nC: green\nD: black\nE: red",
        "A: red\nB: blue\nC: green\nD: blue",
        "A: red\nB: blue\nC: green\nD: blue\nE: red\nE: red",
        "A: red\nB: blue\nC: green\nD: blue\nE:",
        "A: red\nB: blue\nC: green\nD: blue\nF: red",
        "red, blue, green, blue, red",
        "A: 1\nB: 2\nC: 3\nD: 2\nE: " + "9" * 41,
    ]
    check_verifier(judge, right, wrong, hostile=["A: red\n" * 2_000])
    with pytest.raises(GoldError, match="trivial"):
        ColoringCertificate(ROADS)
    partial = ColoringCertificate(ROADS, optimum=3, baseline=5, partial=True)
    assert partial("A: 1\nB: 2\nC: 3\nD: 4\nE: 1").value == 0.5
    assert partial("A: 1\nB: 2\nC: 3\nD: 4\nE: 5").value == 0
    assert partial("A: 1\nB: 1\nC: 1\nD: 1\nE: 1").value == 0


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_colorings_agree_with_networkx(seed):
    rng = Random(seed)
    graph = random_graph(rng, 5)
    network = networkx_of(graph)
    for colors in rng.sample(list(product("123", repeat=5)), 40):
        proper = all(colors[LETTERS.index(u)] != colors[LETTERS.index(v)] for u, v in network.edges)
        answer = "\n".join(f"{node}: {color}" for node, color in zip(graph.nodes, colors))
        expected = proper and len({*colors}) <= 2
        assert ColoringCertificate(graph, at_most=2)(answer).correct == expected
        assert ColoringCertificate(graph, at_most=5)(answer).correct == proper


SUBSETS = [subset for number in range(1, 7) for subset in combinations("ABCDEF", number)]


def has_property(made, kind, subset):
    match kind:
        case "clique":
            return made.subgraph(subset).size() == len(subset) * (len(subset) - 1) // 2
        case "independent set":
            return made.subgraph(subset).size() == 0
        case "vertex cover":
            return not made.subgraph({*made} - {*subset}).size()
    return nx.is_dominating_set(made, subset)


@pytest.mark.parametrize("kind", ["clique", "dominating set", "independent set", "vertex cover"])
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_node_sets_agree_with_networkx(kind, seed):
    rng = Random(seed)
    graph = random_graph(rng, 6)
    network = networkx_of(graph)
    weights = {node: rng.randint(1, 5) for node in graph.nodes}
    fitting = [subset for subset in SUBSETS if has_property(network, kind, subset)]
    best = max if kind in {"clique", "independent set"} else min
    optimum = best(map(len, fitting))
    heaviest = best(sum(weights[node] for node in subset) for subset in fitting)
    plain = NodeSetCertificate(graph, kind, optimum=optimum)
    weighted = NodeSetCertificate(graph, kind, weights, optimum=heaviest)
    for subset in SUBSETS:
        answer = ", ".join(rng.sample(subset, len(subset)))
        fits = subset in fitting
        assert plain(answer).correct == (fits and len(subset) == optimum)
        total = sum(weights[node] for node in subset)
        assert weighted(answer).correct == (fits and total == heaviest)


def test_node_set_certificate():
    judge = NodeSetCertificate(ROADS, "independent set", at_least=2)
    right = ["A, E", "{B, D}", "b d", "[E; C]"]
    wrong = ["A", "A, B", "A, A", "A, E, A", "A, E, F", "B, D, E", "none", "A E (value 3)"]
    check_verifier(judge, right, wrong, hostile=["A, E, " * 3_000, "{}"])
    cover = NodeSetCertificate(ROADS, "vertex cover", optimum=3, baseline=5, partial=True)
    assert cover("A, C, D").correct
    assert cover("A, B, C, D").value == 0.5
    assert cover("A, B, C, D, E").value == 0
    assert cover("A, C").value == 0
    assert cover("A, C, C, D").value == 0


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("cycle", {"at_most": 3}),
        ("clique", {}),
        ("clique", {"at_most": 3}),
        ("vertex cover", {"at_least": 3}),
        ("clique", {"at_least": 3, "weights": {"A": 1}}),
        ("clique", {"at_least": 3, "weights": dict.fromkeys("ABCDE", 0)}),
        ("clique", {"at_least": 3, "weights": dict.fromkeys("ABCDE", 0.5)}),
    ],
    ids=range(7),
)
def test_node_sets_that_make_no_sense(kind, options):
    with pytest.raises(GoldError):
        NodeSetCertificate(ROADS, kind, **options)


def test_matching_certificate():
    judge = MatchingCertificate(ROADS, optimum=11)
    right = ["A-D, B-C", "c-b; d-a", "A -> D\nB -> C", "[A-D, C-B]"]
    wrong = ["A-B, C-D", "A-D", "A-D, A-B", "A-D, D-A", "B-E", "A-D, B", "A D B C", "A-D-B", "11"]
    check_verifier(judge, right, wrong, hostile=["A-D, B-C, " * 1_500])
    with pytest.raises(GoldError):
        MatchingCertificate(ROADS)


PAIRS = [
    # how an edge is written, what stands between edges, what stands around all of them
    ("({}, {})", ", ", "{}"), ("({},{})", " ", "[{}]"), ("{{{}, {}}}", ", ", "{{{}}}"),
    ("[{}, {}]", "; ", "[{}]"), ('["{}", "{}"]', ", ", "[{}]"), ("{}-{}", ", ", "{}"),
    ("{} to {}", ", ", "{}"), ("{} to {}", "\n", "{}"), ("({}-{})", ", ", "{{{}}}"),
    ("{}\u2014{}", ", ", "{}"), ("{}--{}", "; ", "{}"), ("{} <-> {}", ", ", "{}"),
    ("{} \u2194 {}", "\n", "{}"), ("{}-{}", " and ", "{}"), ("- {}-{}", "\n", "{}"),
    ("* {} \u2192 {}", "\n", "{}"), ("{} {}", "\n", "{}"), ("{}, {}", "\n", "{}"),
    (r"\{{ {}, {} \}}", r",\ ", "{}"), ("({}, {})", ", ", r"\{{ {} \}}"),
]  # fmt: skip


@pytest.mark.parametrize(("edge", "between", "around"), PAIRS, ids=ascii)
def test_edges_may_be_written_in_many_ways(edge, between, around):
    judge = MatchingCertificate(ROADS, optimum=11)

    def as_lines(*edges):
        return around.format(between.join(edge.format(u, v) for u, v in edges))

    assert judge(as_lines("AD", "BC")).correct, as_lines("AD", "BC")
    assert judge(as_lines("CB", "DA")).correct
    assert not judge(as_lines("AB", "CD")).correct
    assert MatchingCertificate(ROADS, at_least=1)(as_lines("CA")).correct
    assert not MatchingCertificate(ROADS, at_least=1)(as_lines("BE")).correct


def test_numbered_edges():
    judge = MatchingCertificate(ROADS, optimum=11)
    assert judge("1. A-D\n2. B-C").correct
    assert judge("1) (A, D)\n2) (B, C)").correct
    assert not judge("1. A-B\n2. C-D").correct
    numbers = MatchingCertificate(Graph("1234", [("1", "2"), ("3", "4")]), optimum=2)
    assert numbers("1-2, 3-4").correct
    assert numbers("1. 1-2\n2. 3-4").correct
    assert numbers("1 2\n3 4").correct
    assert not numbers("1. 2\n3. 4").correct


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_matchings_agree_with_networkx(seed):
    graph = random_graph(Random(seed), 6, 0.4)
    network = networkx_of(graph)
    if not graph.edges:
        return
    heaviest = nx.max_weight_matching(network)
    optimum = sum(network.edges[edge]["weight"] for edge in heaviest)
    judge = MatchingCertificate(graph, optimum=optimum)
    assert judge(", ".join(f"{u}-{v}" for u, v in heaviest)).correct
    for number in (1, 2, 3):
        for chosen in combinations(graph.edges, number):
            answer = "\n".join(f"{u} - {v}" for u, v, _ in chosen)
            fits = nx.is_matching(network, {edge[:2] for edge in chosen})
            assert judge(answer).correct == (fits and sum(w for *_, w in chosen) == optimum)
