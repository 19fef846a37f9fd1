"""Certificates: what breaks a rule earns nothing, what keeps them is worked out again."""

from fractions import Fraction
from itertools import combinations, permutations, product
from random import Random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from palaestra.generators.optimisation.job_shop import dispatched
from palaestra.generators.optimisation.knapsack import most_valuable
from palaestra.task import InvalidAnswer, JudgeError
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.certified import (
    AssignmentCertificate,
    BinPackingCertificate,
    ColoringCertificate,
    Graph,
    HamiltonianCertificate,
    KnapsackCertificate,
    MatchingCertificate,
    NodeSetCertificate,
    PathCertificate,
    ScheduleCertificate,
    TopologicalCertificate,
)
from palaestra.verifiers.verifier import GoldError

ROADS = Graph(
    "ABCDE",
    [("A", "B", 2), ("B", "C", 2), ("C", "D", 2), ("A", "D", 9), ("A", "C", 5), ("D", "E", 1)],
)
LETTERS = "ABCDEFGHIJ"


def random_graph(rng, nodes, chance=0.5, directed=False):
    pairs = permutations(LETTERS[:nodes], 2) if directed else combinations(LETTERS[:nodes], 2)
    edges = [(u, v, rng.randint(1, 9)) for u, v in pairs if rng.random() < chance]
    return Graph(LETTERS[:nodes], edges, directed)


def networkx_of(graph):
    made = nx.DiGraph() if graph.directed else nx.Graph()
    made.add_nodes_from(graph.nodes)
    made.add_weighted_edges_from(graph.edges)
    return made


# What all share


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"at_least": 3}, "wrong side"),
        ({"at_most": 3, "optimum": 2}, "not both"),
        ({"partial": True}, "baseline"),
        ({"partial": True, "optimum": 3}, "baseline"),
        ({"partial": True, "optimum": 3, "baseline": 3}, "not worse"),
        ({"partial": True, "optimum": 3, "baseline": 2}, "not worse"),
        ({"optimum": 2.5}, "whole numbers or fractions"),
        ({"optimum": float("nan")}, "whole numbers or fractions"),
        ({"optimum": True}, "whole numbers or fractions"),
        ({"at_most": "3"}, "whole numbers or fractions"),
        ({"at_most": 10**13}, "lie between"),
    ],
)
def test_bounds_that_make_no_sense(options, told):
    with pytest.raises(GoldError, match=told):
        PathCertificate(ROADS, "A", "D", **options)


def test_what_a_solution_is_worth():
    cheap, middle, dear = "A B C D", "A C D", "A D"

    def worth(**options):
        judge = PathCertificate(ROADS, "A", "D", **options)
        return [judge(path).value for path in (cheap, middle, dear)]

    assert worth() == [1, 1, 1]
    assert worth(at_most=7) == [1, 1, 0]
    assert worth(at_most=Fraction(13, 2)) == [1, 0, 0]
    assert worth(optimum=6) == [1, 0, 0]
    assert worth(optimum=6, baseline=9) == [1, 0, 0]
    assert worth(optimum=6, baseline=9, partial=True) == [1, 2 / 3, 0]
    assert worth(optimum=6, baseline=7, partial=True) == [1, 0, 0]


def test_a_solution_better_than_the_optimum_is_not_scored():
    judge = PathCertificate(ROADS, "A", "D", optimum=7)
    with pytest.raises(JudgeError) as slip:
        judge("A B C D")
    assert slip.value.status == "gold_error"
    assert judge("A D").value == 0
    assert judge("A E D").value == 0
    with pytest.raises(JudgeError):
        NodeSetCertificate(ROADS, "independent set", optimum=1)("B, D")


def test_almost_right_is_not_right():
    graph = Graph("ABC", [("A", "B", 10**12), ("A", "C", 1), ("C", "B", 1)])
    judge = PathCertificate(graph, "A", "B", optimum=2, baseline=10**12, partial=True)
    assert judge("A C B").correct
    close = Graph("ABC", [("A", "B", Fraction(1, 10**12)), ("A", "C", 0), ("C", "B", 0)])
    judge = PathCertificate(close, "A", "B", optimum=0, baseline=10**12, partial=True)
    assert 0.99 < judge("A B").value < 1
    assert not judge("A B").correct


def test_claims_in_the_text_are_no_help():
    judge = PathCertificate(ROADS, "A", "D", optimum=6)
    for answer in ("A D (cost 6)", "A -> D = 6", "cost: 6", "6", "A D 6", "optimal"):
        assert not judge(answer).correct
    assert judge("A D").parts == {"cost": 9}


# Graphs


@pytest.mark.parametrize(
    ("nodes", "edges", "directed"),
    [
        ("", [], False),
        ("AA", [], False),
        ("Aa", [], False),
        (["A", "B C"], [], False),
        (["A", "B-C"], [], False),
        (["A", ""], [], False),
        (["A", "\u0410"], [], False),
        ("AB", [("A", "C")], False),
        ("AB", [("A", "A")], False),
        ("AB", [("A", "B"), ("B", "A")], False),
        ("AB", [("A", "B"), ("A", "B")], True),
        ("AB", [("A", "B", 0.5)], False),
        ("AB", [("A", "B", 1, 1)], False),
        ("AB", [("A",)], False),
    ],
    ids=range(14),
)
def test_graphs_that_make_no_sense(nodes, edges, directed):
    with pytest.raises(GoldError):
        Graph(nodes, edges, directed)


def test_edges_go_one_way_or_both():
    assert Graph("AB", [("A", "B"), ("B", "A")], directed=True).weights() == {(0, 1): 1, (1, 0): 1}
    assert Graph(["n1", "n_2", "Ada"], [("n1", "Ada", 3)]).weights() == {(0, 2): 3, (2, 0): 3}


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
    assert judge("D C D C B A").reason == "D stands there twice"


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
    made = networkx_of(graph)
    if not nx.has_path(made, "A", "F"):
        return
    optimum = nx.dijkstra_path_length(made, "A", "F")
    judge = PathCertificate(graph, "A", "F", optimum=optimum)
    for path in nx.all_simple_paths(made, "A", "F"):
        length = nx.path_weight(made, path, "weight")
        assert judge(" -> ".join(path)).correct == (length == optimum)
    for middle in product("BCDE", repeat=2):
        row = ["A", *middle, "F"]
        expected = len({*row}) == 4 and nx.is_path(made, row)
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
    made = networkx_of(graph)
    for tour in permutations("ABCDE"):
        told = " ".join(tour)
        assert HamiltonianCertificate(graph, False)(told).correct == nx.is_path(made, tour)
        closed = nx.is_path(made, [*tour, tour[0]])
        assert HamiltonianCertificate(graph)(told).correct == closed
        assert HamiltonianCertificate(graph)(f"{told} {tour[0]}").correct == closed


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
    made = networkx_of(graph)
    if not graph.edges:
        return
    acyclic = nx.is_directed_acyclic_graph(made)
    known = {tuple(row) for row in nx.all_topological_sorts(made)} if acyclic else set()
    for row in permutations("ABCDE"):
        assert TopologicalCertificate(graph)(", ".join(row)).correct == (row in known)


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
    made = networkx_of(graph)
    for colors in rng.sample(list(product("123", repeat=5)), 40):
        proper = all(colors[LETTERS.index(u)] != colors[LETTERS.index(v)] for u, v in made.edges)
        told = "\n".join(f"{node}: {color}" for node, color in zip(graph.nodes, colors))
        expected = proper and len({*colors}) <= 2
        assert ColoringCertificate(graph, at_most=2)(told).correct == expected
        assert ColoringCertificate(graph, at_most=5)(told).correct == proper


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
    made = networkx_of(graph)
    weights = {node: rng.randint(1, 5) for node in graph.nodes}
    fitting = [subset for subset in SUBSETS if has_property(made, kind, subset)]
    best = max if kind in {"clique", "independent set"} else min
    optimum = best(map(len, fitting))
    heaviest = best(sum(weights[node] for node in subset) for subset in fitting)
    plain = NodeSetCertificate(graph, kind, optimum=optimum)
    weighted = NodeSetCertificate(graph, kind, weights, optimum=heaviest)
    for subset in SUBSETS:
        told = ", ".join(rng.sample(subset, len(subset)))
        fits = subset in fitting
        assert plain(told).correct == (fits and len(subset) == optimum)
        total = sum(weights[node] for node in subset)
        assert weighted(told).correct == (fits and total == heaviest)


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

    def told(*edges):
        return around.format(between.join(edge.format(u, v) for u, v in edges))

    assert judge(told("AD", "BC")).correct, told("AD", "BC")
    assert judge(told("CB", "DA")).correct
    assert not judge(told("AB", "CD")).correct
    assert MatchingCertificate(ROADS, at_least=1)(told("CA")).correct
    assert not MatchingCertificate(ROADS, at_least=1)(told("BE")).correct


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
    made = networkx_of(graph)
    if not graph.edges:
        return
    heaviest = nx.max_weight_matching(made)
    optimum = sum(made.edges[edge]["weight"] for edge in heaviest)
    judge = MatchingCertificate(graph, optimum=optimum)
    assert judge(", ".join(f"{u}-{v}" for u, v in heaviest)).correct
    for number in (1, 2, 3):
        for chosen in combinations(graph.edges, number):
            told = "\n".join(f"{u} - {v}" for u, v, _ in chosen)
            fits = nx.is_matching(made, {edge[:2] for edge in chosen})
            assert judge(told).correct == (fits and sum(w for *_, w in chosen) == optimum)


# Schedules, assignments and packings

SHOP = (((0, 2), (1, 1)), ((1, 1), (0, 3)), ((0, 1), (1, 2)))


def feasible(starts, jobs):
    """Whether no moment sees a job or a machine at two operations, and all is in order."""
    if any(min(row) < 0 or list(row) != sorted(row) for row in starts):
        return False
    taken = []
    for name, (job, row) in enumerate(zip(jobs, starts)):
        for (machine, duration), start in zip(job, row):
            for moment in range(start, start + duration):
                taken += [("job", name, moment), ("machine", machine, moment)]
    return len(taken) == len({*taken})


def test_schedule_certificate():
    schedules = list(product(product(range(6), repeat=2), repeat=3))
    known = [row for row in schedules if feasible(row, SHOP)]
    ends = [max(r[-1] + job[-1][1] for r, job in zip(row, SHOP)) for row in known]
    optimum = min(ends)
    best = known[ends.index(optimum)]
    judge = ScheduleCertificate(SHOP, optimum=optimum, baseline=20, partial=True)
    right = [told(best), told(best).replace(", ", " ")]
    wrong = [
        told(known[ends.index(optimum + 1)]), "0, 0\n0, 0\n0, 0", "0, 3\n0, 3", "0\n0\n0",
        told(best) + "\n0, 0", told(best).replace("0", "-1", 1), "0, 3\n0, 2\n7, 8\nmakespan 1",
        "0, 3, 0\n0, 3, 0\n0, 3, 0", "9" * 399 + ", 3\n0, 3\n7, 8",
        "0, " + "9" * 399 + "\n2, 6\n8, 10",
    ]  # fmt: skip
    check_verifier(judge, right, wrong, hostile=["0, 0\n" * 3_000])
    rng = Random(1)
    strict = ScheduleCertificate(SHOP, optimum=optimum)
    for schedule in [*rng.sample(known, 200), *rng.sample(schedules, 500)]:
        fits = schedule in known
        assert (ScheduleCertificate(SHOP)(told(schedule)).value == 1) == fits
        assert strict(told(schedule)).correct == (fits and ends[known.index(schedule)] == optimum)
    for _, starts in dispatched(SHOP):
        assert ScheduleCertificate(SHOP)(told(starts)).correct


def told(rows):
    return "\n".join(", ".join(map(str, row)) for row in rows)


@pytest.mark.parametrize(
    "jobs", [[], [[]], [[(0,)]], [[(0, 0)]], [[(-1, 2)]], [[(0, 1.5)]], [[(0, 1)] * 2_001]]
)
def test_shops_that_make_no_sense(jobs):
    with pytest.raises(GoldError):
        ScheduleCertificate(jobs)


def test_assignment_certificate():
    table = [[4, 1, 3], [2, 0, 5], [3, 2, 2]]
    judge = AssignmentCertificate(table, optimum=5)
    wrong = ["1, 2, 3", "2, 1", "2, 1, 3, 3", "2, 2, 2", "0, 1, 3", "2, 1, 4", "2, 1, 3.0", "5"]
    check_verifier(judge, ["2, 1, 3", "[2 1 3]", "(2; 1; 3)"], wrong, hostile=["2, " * 6_000])
    most = AssignmentCertificate(table, maximise=True, at_least=11)
    assert most("1, 3, 2").correct
    assert not most("2, 1, 3").correct
    for options in ({}, {"at_most": 11, "maximise": True}, {"at_least": 3}):
        with pytest.raises(GoldError):
            AssignmentCertificate(table, **options)
    for broken in ([], [[1], [2]], [[1, 2], [3]], [[1.5]], [[]]):
        with pytest.raises(GoldError):
            AssignmentCertificate(broken, at_most=3)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_assignments_agree_with_scipy(seed, maximise):
    rng = Random(seed)
    table = [[rng.randint(-9, 9) for _ in range(4)] for _ in range(3)]
    rows, columns = linear_sum_assignment(np.array(table), maximize=maximise)
    optimum = int(np.array(table)[rows, columns].sum())
    judge = AssignmentCertificate(table, maximise, optimum=optimum)
    assert judge(", ".join(str(column + 1) for column in columns)).correct
    for chosen in product(range(4), repeat=3):
        total = sum(row[column] for row, column in zip(table, chosen))
        expected = len({*chosen}) == 3 and total == optimum
        assert judge(" ".join(str(column + 1) for column in chosen)).correct == expected


ITEMS = ((3, 5), (2, 3), (4, 6), (1, 1), (5, 9))


def test_knapsack_certificate():
    best = most_valuable(ITEMS, 7)
    optimum = sum(ITEMS[place][1] for place in best)
    judge = KnapsackCertificate(ITEMS, 7, optimum=optimum)
    weights = {
        subset: (sum(ITEMS[n - 1][0] for n in subset), sum(ITEMS[n - 1][1] for n in subset))
        for number in range(1, 6)
        for subset in combinations(range(1, 6), number)
    }
    right = [told([s]) for s, (w, v) in weights.items() if w <= 7 and v == optimum]
    wrong = [told([s]) for s, (w, v) in weights.items() if w > 7 or v < optimum]
    wrong += ["5, 5", "5, 2, 2", "5, 2, 6", "5, 0", "-5, 2", "none", "5, 2 (value 99)", "5 2 9" * 9]
    check_verifier(judge, right, wrong, hostile=["5, 2, " * 3_000])
    partial = KnapsackCertificate(ITEMS, 7, optimum=optimum, baseline=9, partial=True)
    assert partial("5").value == 0
    assert 0 < partial("1, 3").value < 1
    assert partial("1, 2, 3, 4, 5").value == 0
    for items, capacity in (([], 3), ([(1,)], 3), ([(-1, 3)], 3), ([(1, 2.0)], 3), (ITEMS, -1)):
        with pytest.raises(GoldError):
            KnapsackCertificate(items, capacity, at_least=3)
    with pytest.raises(GoldError):
        KnapsackCertificate(ITEMS, 7)


def test_bin_packing_certificate():
    judge = BinPackingCertificate([4, 3, 2, 1, 5], 5, optimum=3)
    right = ["1, 4\n2, 3\n5", "bin 1: 5\nbin 2: 1 4\nbin 3: 2, 3", "1, 4\n\n2, 3\n5"]
    wrong = [
        "1\n2, 3\n4\n5", "1, 2, 3, 4, 5", "1, 4\n2, 3", "1, 4\n2, 3\n5\n5", "1, 4\n2, 3, 3\n5",
        "1, 4\n2, 3\n6", "1, 4\n2, 3\n0", "3 bins", "1, 4, 5\n2, 3", "1, 4\n3, 3\n5",
        "5\n4\n3\n2\n1",
    ]  # fmt: skip
    check_verifier(judge, right, wrong, hostile=["1, 2\n" * 3_000])
    partial = BinPackingCertificate([4, 3, 2, 1, 5], 5, optimum=3, baseline=5, partial=True)
    assert partial("1\n2, 3\n4\n5").value == 0.5
    assert partial("1\n2\n3\n4\n5").value == 0
    third = BinPackingCertificate([Fraction(1, 3)] * 6, 1, at_most=2)
    assert third("1 2 3\n4 5 6").correct
    for sizes, capacity in (([], 3), ([4], 3), ([-1], 3), ([0.5], 3)):
        with pytest.raises(GoldError):
            BinPackingCertificate(sizes, capacity, at_most=3)


def partitions(numbers):
    if not numbers:
        yield []
        return
    for rest in partitions(numbers[1:]):
        yield [[numbers[0]], *rest]
        for place, block in enumerate(rest):
            yield [*rest[:place], [numbers[0], *block], *rest[place + 1 :]]


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(1, 6), min_size=5, max_size=5))
def test_bins_agree_with_brute_force(sizes):
    packings = list(partitions([1, 2, 3, 4, 5]))
    fits = [all(sum(sizes[n - 1] for n in block) <= 8 for block in p) for p in packings]
    optimum = min(len(p) for p, good in zip(packings, fits) if good)
    judge = BinPackingCertificate(sizes, 8, optimum=optimum)
    for packing, good in zip(packings, fits):
        assert judge(told(packing)).correct == (good and len(packing) == optimum)


def test_reading_is_strict_about_pairs():
    with pytest.raises(InvalidAnswer):
        ROADS.pairs("A-B-C")


ROWS = [
    # two nodes, places or numbers as one text
    "{0}, {1}", "{0} {1}", "[{0}, {1}]", "({0}, {1})", "{{{0}, {1}}}", "{0} and {1}", "{0} & {1}",
    "- {0}\n- {1}", "{0}\n{1}", "{0}; {1}", "{0}, and {1}.", "**{0}, {1}**", '["{0}", "{1}"]',
]  # fmt: skip


@pytest.mark.parametrize("form", ROWS, ids=ascii)
def test_sets_of_nodes_and_items_in_many_ways(form):
    chain = Graph("ABCD", [("A", "B"), ("B", "C"), ("C", "D")])
    judge = NodeSetCertificate(chain, "independent set", optimum=2)
    assert judge(form.format("A", "C")).correct
    assert judge(form.format("d", "b")).correct
    assert not judge(form.format("A", "B")).correct
    assert not judge(form.format("A", "A")).correct
    if '"' not in form:
        pack = KnapsackCertificate([(3, 5), (2, 3), (4, 6)], capacity=6, optimum=9)
        assert pack(form.format(2, 3)).correct
        assert pack(form.format("item 3", "item 2")).correct
        assert pack(form.format("#3", "#2")).correct
        assert not pack(form.format(1, 2)).correct
        assert not pack(form.format(2, 2)).correct


PATHS = [
    "A -> B -> C -> D", "A to B to C to D", "A -> B, B -> C, C -> D", "A to B, B to C, C to D",
    "1. A\n2. B\n3. C\n4. D", "A > B > C > D", "- A\n- B\n- C\n- D", "A, then B, then C, then D",
    "(A)->(B)->(C)->(D)", "Node A -> Node B -> Node C -> Node D", "A \u2014 B \u2014 C \u2014 D",
    "A, B, C and D", "A \u27f6 B \u27f6 C \u27f6 D",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS, ids=ascii)
def test_paths_in_many_ways(path):
    roads = Graph("ABCD", [("A", "B", 2), ("B", "C", 2), ("C", "D", 2), ("A", "C", 5)])
    assert PathCertificate(roads, "A", "D", optimum=6)(path).correct
    assert not PathCertificate(roads, "A", "D", optimum=6)(path.replace("B", "A")).correct
    assert not PathCertificate(roads, "D", "A", optimum=6)(path).correct


@pytest.mark.parametrize("path", ["A -> B, C -> D", "A -> B -> C, D", "A -> B, A -> C, C -> D"])
def test_steps_that_do_not_join_are_no_path_of_their_ends(path):
    roads = Graph("ABCD", [("A", "B"), ("C", "D"), ("A", "C"), ("B", "D")])
    assert not PathCertificate(roads, "A", "D", at_most=1)(path).correct
    assert not PathCertificate(roads, "A", "D", at_most=2)(path).correct


@pytest.mark.parametrize(
    "form",
    [
        "A: {}\nB: {}\nC: {}", "A: {}, B: {}, C: {}", "A: {}; B: {}; C: {}",
        "{{A: {}, B: {}, C: {}}}",
        '{{"A": "{}", "B": "{}", "C": "{}"}}', "1. A: {}\n2. B: {}\n3. C: {}",
        "A -> {}\nB -> {}\nC -> {}",
        "A is {}\nB is {}\nC is {}", "**A**: {}\n**B**: {}\n**C**: {}", "A = {}.\nB = {}.\nC = {}.",
        "Node A: {}\nNode B: {}\nNode C: {}", "- a: {}\n- b: {}\n- c: {}",
    ],
)  # fmt: skip
def test_colourings_in_many_ways(form):
    judge = ColoringCertificate(Graph("ABC", [("A", "B"), ("B", "C")]), at_most=2)
    assert judge(form.format("red", "dark blue", "Red")).correct
    assert judge(form.format("1", "2", "1")).correct
    assert not judge(form.format("red", "red", "blue")).correct
    assert not judge(form.format("red", "green", "blue")).correct


@pytest.mark.parametrize(
    "other",
    [
        "red.", "**red**", "'red'", "r\u0435d", "red!", "(red)", "color red", "RED", "re\u200bd",
        "\uff52\uff45\uff44", "red ,", "\u201cred\u201d", "<b>red</b>"[3:6],
    ],
)  # fmt: skip
def test_colours_that_look_the_same_are_one(other):
    judge = ColoringCertificate(Graph("ABC", [("A", "B"), ("B", "C")]), at_most=3)
    assert judge(f"A: red\nB: {other}\nC: blue").value == 0
    assert judge(f"A: red\nB: blue\nC: {other}").correct


def test_colours_that_are_the_same_number_are_one():
    judge = ColoringCertificate(Graph("AB", [("A", "B")]), at_most=2)
    assert judge("A: 1\nB: 01").value == 0
    assert judge("A: 1\nB: 10").correct
    assert judge("A: !\nB: 1").status == "malformed"


@pytest.mark.parametrize(
    "form",
    [
        "{}\n{}", "bin 1: {}\nbin 2: {}", "[[{}], [{}]]", "{{{}}}, {{{}}}", "{}; {}", "{} | {}",
        "- {}\n- {}", "1. {}\n2. {}", "1) {}\n2) {}", "({}), ({})", "**Bin 1:** {}\n**Bin 2:** {}",
        "Bin 1 = {{{}}}\nBin 2 = {{{}}}", "bin 1: items {}\nbin 2: items {}", "| {} |\n| {} |",
        "The first bin: {}\nThe second bin: {}", "{}.\n\n{}.", "[\n[{}],\n[{}]\n]",
        "{}\n{}\nbin 3:",
    ],
)  # fmt: skip
def test_rows_of_numbers_in_many_ways(form):
    bins = BinPackingCertificate([4, 3, 2, 1], capacity=5, at_most=2)
    assert bins(form.format("1, 4", "2, 3")).correct
    assert bins(form.format("3, 2", "4, 1")).correct
    assert not bins(form.format("1, 2", "3, 4")).correct
    assert not bins(form.format("1, 4", "2")).correct
    assert not bins(form.format("1, 4", "2, 3, 3")).correct
    if "bin 3" in form:
        return
    jobs = ScheduleCertificate([[(0, 3), (1, 1)], [(1, 2), (0, 2)]], optimum=5)
    assert jobs(form.format("0, 3", "0, 3")).correct
    assert not jobs(form.format("0, 3", "0, 2")).correct
    assert not jobs(form.format("0, 4", "0, 4")).correct


def test_rows_with_numbers_out_of_order_are_no_schedule():
    jobs = ScheduleCertificate([[(0, 3), (1, 1)], [(1, 2), (0, 2)]], optimum=5)
    assert jobs("job 1: 0, 3\njob 2: 0, 3").correct
    assert jobs("job 2: 0, 3\njob 1: 0, 3").status == "malformed"
    bins = BinPackingCertificate([4, 3, 2, 1], capacity=5, at_most=2)
    assert bins("bin 2: 1, 4\nbin 1: 2, 3").correct
    assert not bins("1. 4\n2. 3").correct


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("2, 1", "1, 2"), ("[2, 1]", "[1, 2]"), ("row 1: 2\nrow 2: 1", "row 1: 1\nrow 2: 2"),
        ("1 -> 2, 2 -> 1", "1 -> 1, 2 -> 2"), ("2: 1\n1: 2", "2: 2\n1: 1"), ("2 and 1", "1 and 2"),
        ("{1: 2, 2: 1}", "{1: 1, 2: 2}"), ("(1, 2), (2, 1)", "(1, 1), (2, 2)"),
        ("1-2, 2-1", "1-2, 2-2"),
        ("row 1 -> column 2\nrow 2 -> column 1", "1 -> 2, 1 -> 1"), ("2\n1", "1 -> 2"),
    ],
)  # fmt: skip
def test_assignments_in_many_ways(right, wrong):
    judge = AssignmentCertificate([[4, 1], [2, 3]], optimum=3)
    assert judge(right).correct
    assert not judge(wrong).correct
