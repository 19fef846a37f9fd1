"""The graph environments against networkx, hand-worked cases, wrong answers and odd spellings."""

import re
from itertools import combinations, pairwise, permutations
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.graphs.critical_path import CriticalPath
from palaestra.envs.graphs.degree_sequence import DegreeSequence
from palaestra.envs.graphs.minimum_spanning_tree import MinimumSpanningTree
from palaestra.envs.graphs.tree_from_pruefer_code import TreeFromPrueferCode
from palaestra.generators.graphs.algorithms import (
    distances,
    matching,
    minimum_cut,
    strong_components,
    weak_points,
)
from palaestra.generators.graphs.encodings import ENCODINGS, HELD_OUT, Graph
from palaestra.generators.graphs.search import (
    complement,
    hamiltonian_path,
    isomorphism,
    masks,
    maximum_clique,
    round_trip,
    shortest_circle,
    smallest_cover,
    smallest_feedback,
    steiner_tree,
)
from palaestra.registry import load
from palaestra.task import Unreadable
from palaestra.verifiers.graph_answers import edge_list, edges_flaw, groups, node_set, walk

SEEDS = st.integers(0, 10**6)
LEVELS = st.integers(0, 6)
MINE = (
    *("minimum_spanning_tree", "topological_order", "strongly_connected_components"),
    *("bridges_and_articulation_points", "bipartite_matching", "eulerian_path"),
    *("hamiltonian_path", "maximum_clique", "minimum_vertex_cover", "dominating_set"),
    *("graph_isomorphism", "longest_path_in_a_dag", "critical_path", "minimum_cut"),
    *("eccentricity_and_centre", "lowest_common_ancestor", "steiner_tree", "travelling_salesman"),
    *("feedback_vertex_set", "transitive_reduction", "edge_colouring", "k_core"),
    *("tree_diameter", "cheapest_path_with_few_edges"),
)


def drawn(name, seed, level):
    kind = load(f"graphs/{name}")
    return kind.draw(Random(seed), kind.Knobs.at(level))


def referee(graph):
    """The graph as networkx has it."""
    theirs = (nx.DiGraph if graph.directed else nx.Graph)()
    theirs.add_nodes_from(range(len(graph.names)))
    for u, v, *weight in graph.edges:
        theirs.add_edge(u, v, weight=weight[0] if weight else 1)
    return theirs


def random_graph(seed, nodes=9, share=0.35):
    graph = nx.gnp_random_graph(nodes, share, seed=seed)
    return graph, [sorted(graph[node]) for node in graph]


# ------------------------------------------------------------------------------------ the encodings


@given(SEEDS, st.booleans(), st.sampled_from(["", "length"]), st.sampled_from(ENCODINGS))
def test_every_encoding_tells_every_edge(seed, directed, measure, encoding):
    """What is told is read back by the names alone, whichever way it is told."""
    rng = Random(seed)
    pairs = rng.sample(list(combinations(range(6), 2)), 8)
    edges = [(u, v, rng.randint(100, 999))[: 3 if measure else 2] for u, v in pairs]
    make = Graph.of_arcs if directed else Graph.of_edges
    graph = make(rng, 6, edges, "edges", measure)._replace(encoding=encoding)
    text = graph.told()
    assert all(name in text for name in graph.names)
    for edge in edges if measure else ():
        assert str(edge[2]) in text
    assert len(graph.key()) == len(edges)
    assert sorted(graph.pairs()) == sorted(pairs)
    if encoding == "incidence":
        rows = [line.split() for line in text.splitlines()[1:7]]
        signs = {row[0]: row[1:] for row in rows}
        for place, (u, v, *_) in enumerate(graph.edges):
            assert signs[graph.names[u]][place] == ("-1" if directed else "1")
            assert signs[graph.names[v]][place] == "1"
            assert sum(row[place] != "." for row in signs.values()) == 2
    if encoding == "roads":
        for u, v, *_ in graph.edges:
            between = " to " if directed else " and "
            assert f"{graph.names[u]}{between}{graph.names[v]}." in text


def test_one_encoding_is_kept_for_evaluation():
    told = {"train": set(), "eval": set()}
    for split, seen in told.items():
        for seed in range(150):
            seen.add(Address.of("graphs/k_core", seed, 0, split).task().graph.encoding)
    assert told["train"] == set(ENCODINGS) - {HELD_OUT}
    assert told["eval"] == set(ENCODINGS)


def test_the_held_out_encoding_cannot_be_asked_for():
    assert HELD_OUT not in load("graphs/k_core").Knobs.model_json_schema()["properties"]["encoding"]


# -------------------------------------------------------------------------------------- the readers


@pytest.mark.parametrize(
    "text", ["A-B, B-C", "(A, B), (b, c)", "A -> B; B → C", "[A-B, B-C]", "A B\nB C", "A–B, B−C"]
)
def test_edges_are_read_however_they_are_written(text):
    assert edge_list(text, "ABC") == ((0, 1), (1, 2))


@pytest.mark.parametrize(
    "text", ["A-B-C", "A-Q", "A", "(A, B", "(A, B) or (B, C)", "A-B, B-", "--"]
)
def test_edges_that_cannot_be_read(text):
    with pytest.raises(Unreadable):
        edge_list(text, "ABC")


EDGES = [
    # how an edge is written, and what stands between edges
    ("{} to {}", ", "), ("{} to {}", "\n"), ("{} TO {}", "; "), ("({} to {})", ", "),
    ("{}\u2014{}", ", "), ("{} \u2013 {}", ", "), ("{} <-> {}", ", "), ("{} \u2194 {}", "\n"),
    ("{}, {}", "\n"), ("{} {}", "\n"), ("{{{}, {}}}", " "), ("{}-{}", ", and "), ("- {}-{}", "\n"),
    ("edge {} to {}", "\n"), ("{} => {}", ", "), ("{}-{}", " "), ("{} -> {}", " "),
    ("{} - {}", "\n"),
    (r"({}, {})", r",\ "), ("from {} to {}", ", "),
]  # fmt: skip


@pytest.mark.parametrize(("edge", "between"), EDGES, ids=ascii)
def test_edges_of_named_nodes_in_many_ways(edge, between):
    names = ["n1", "n2", "n3", "Edge-less", "too", "t1"]
    text = between.join(
        (edge.format("n2", "n3"), edge.format("N1", "too"), edge.format("t1", "n1"))
    )
    assert edge_list(text, names[:3] + names[4:]) == ((1, 2), (0, 3), (4, 0))


@pytest.mark.parametrize(
    "text",
    [
        "n2 to",
        "to n3",
        "n2 to to n3",
        "n1 n2 to n3",
        "n1 to n2 to n3",
        "n2ton3",
        "n1-n2 n3",
        "n1-n2-n3",
        "n1--n2 n3-n1 n2",
    ],
)
def test_no_edges(text):
    with pytest.raises(Unreadable):
        edge_list(text, ["n1", "n2", "n3"])


def test_a_node_may_be_called_to():
    assert edge_list("to-of", ["to", "of"]) == ((0, 1),)
    assert edge_list("to to of", ["to", "of"]) == ((0, 1),)


def test_one_edge_alone():
    for text in ("(n2, n3)", "{n2, n3}", "[n2, n3]", "[[n2, n3]]", "n2, n3", "n2 and n3", "n2 n3"):
        assert edge_list(text, ["n1", "n2", "n3"]) == ((1, 2),), text


NAMES = ["n1", "n2", "n3", "n4", "n5"]
GROUPS = [
    "n1, n2\nn3\nn5, n4",
    "{n1, n2}, {n3}, {n5, n4}",
    "{n1, n2} {n3} {n5, n4}",
    "[[n1, n2], [n3], [n5, n4]]",
    '[["n1", "n2"], ["n3"], ["n5", "n4"]]',
    "{{n1, n2}, {n3}, {n5, n4}}",
    "[(n1, n2), (n3), (n5, n4)]",
    "{n1, n2}\n{n3}\n{n5, n4}",
    "{n1, n2},\n{n3},\n{n5, n4}",
    "[n1, n2],\n[n3],\n[n5, n4]",
    "[\n  [n1, n2],\n  [n3],\n  [n5, n4]\n]",
    "[[n1, n2],\n [n3],\n [n5, n4]]",
    "n1 n2; n3; n5 n4",
    "n1, n2; n3; n5, n4",
    "n1, n2 | n3 | n5, n4",
    "(n1 n2)(n3)(n5 n4)",
    "{n1, n2} and {n3} and {n5, n4}",
    "{n1, n2}, {n3}, and {n5, n4}",
    "Group 1: n1, n2\nGroup 2: n3\nGroup 3: n5, n4",
    "Component 1: {n1, n2}\nComponent 2: {n3}\nComponent 3: {n5, n4}",
    "SCC 1: n1, n2\nSCC 2: n3\nSCC 3: n5, n4",
    "1. n1, n2\n2. n3\n3. n5, n4",
    "1: {n1, n2}\n2: {n3}\n3: {n5, n4}",
    "- n1, n2\n- n3\n- n5, n4",
    "- {n1, n2}\n- {n3}\n- {n5, n4}",
    "* n1 and n2\n* n3\n* n5 and n4",
    "\u2022 n1, n2\n\u2022 n3\n\u2022 n5, n4",
    "n1, n2.\nn3.\nn5, n4.",
    "n1, n2,\nn3,\nn5, n4",
    "N1,N2\n\nN3\n\nN5,N4",
    r"\{n1, n2\}, \{n3\}, \{n5, n4\}",
    "(n1, n2)\n(n3)\n(n5, n4)",
    "(1) n1, n2\n(2) n3\n(3) n5, n4",
    "C1 = {n1, n2}\nC2 = {n3}\nC3 = {n5, n4}",
    "Group 1: n1, n2; Group 2: n3; Group 3: n5, n4",
    "**Group 1:** n1, n2\n**Group 2:** n3\n**Group 3:** n5, n4",
    "{n1, n2} \u222a {n3} \u222a {n5, n4}",
]


@pytest.mark.parametrize("text", GROUPS, ids=ascii)
def test_groups_in_many_ways(text):
    assert groups(text, NAMES) == ((0, 1), (2,), (4, 3))


@pytest.mark.parametrize("text", GROUPS, ids=ascii)
def test_groups_of_nodes_named_by_numbers(text):
    """A number before a group is not one of its nodes."""
    numbers = re.sub("(?i)n([1-5])", r"\1", text)
    assert groups(numbers, "12345") == ((0, 1), (2,), (4, 3))


@pytest.mark.parametrize(
    "text",
    [
        "n1, n2; n2, n3", "{n1, n2}, {n1}", "{n1, {n2}}", "{n1, n2}, n3", "[[n1, n2]", "n1, n9",
        "{n1, n2} or {n3}", "[[n1], [n2, n1]]", "{}{}{", "n1: n2\nn3: n4", "Group n1: n2",
    ],
)  # fmt: skip
def test_what_are_no_groups(text):
    with pytest.raises(Unreadable):
        groups(text, NAMES)


@given(st.randoms(use_true_random=False), st.sampled_from(["", "n"]), st.sampled_from([", ", " "]))
def test_groups_are_read_back(rng, letter, between):
    """Whatever the nodes and the groups: in the form asked for, and in those around it."""
    names = [f"{letter}{number}" for number in rng.sample(range(40), 9)]
    home = [rng.randrange(4) for _ in names]
    parts = [[name for name, at in zip(names, home) if at == place] for place in range(4)]
    parts = [rng.sample(part, len(part)) for part in parts if part]
    right = {frozenset(map(names.index, part)) for part in parts}
    told = [between.join(part) for part in parts]
    for form, join in (
        ("{1}", "\n"), ("{{{1}}}", ", "), ("[{1}]", "\n"), ("- {1}", "\n"), ("{0}. {1}", "\n"),
        ("Group {0}: {1}", "\n"), ("({1})", " "), ("{0}) {{{1}}}", "\n"),
    ):  # fmt: skip
        text = join.join(form.format(number, part) for number, part in enumerate(told, 1))
        assert {frozenset(group) for group in groups(text, names)} == right, text


def test_sets_and_groups():
    assert node_set("b; A", "ABC") == (1, 0)
    assert node_set("None", "ABC") == ()
    assert groups("1. A, C\n2. B", "ABC") == ((0, 2), (1,))
    assert walk("A→B→A", "ABC") == (0, 1, 0)
    for text in ("A, A", "A, D", "A-B"):
        with pytest.raises(Unreadable):
            node_set(text, "ABC")
    with pytest.raises(Unreadable):
        groups("A B\nB C", "ABC")


def test_direction_counts_only_where_there_is_one():
    assert not edges_flaw([(1, 0)], [(0, 1)], "AB")
    assert edges_flaw([(1, 0)], [(0, 1)], "AB", directed=True) == "there is no edge from B to A"


# ---------------------------------------------------------------------- the algorithms and networkx


@settings(max_examples=60)
@given(SEEDS)
def test_searches_find_what_brute_force_finds(seed):
    graph, ways = random_graph(seed)
    beside, everyone = masks(ways), (1 << len(ways)) - 1
    clique = maximum_clique(beside).solution
    assert len(clique) == max(map(len, nx.find_cliques(graph)))
    apart = maximum_clique(complement(beside)).solution
    assert not graph.subgraph(apart).edges
    assert len(apart) == max(map(len, nx.find_cliques(nx.complement(graph))))
    closed = [near | 1 << node for node, near in enumerate(beside)]
    chosen = smallest_cover(closed, everyone).solution
    sizes = (
        n for n in range(1, 10) for c in combinations(graph, n) if nx.is_dominating_set(graph, c)
    )
    assert nx.is_dominating_set(graph, chosen)
    assert len(chosen) == next(sizes)
    gone = smallest_feedback(ways).solution
    assert nx.is_forest(nx.restricted_view(graph, gone, [])) or len(gone) == len(ways)
    fewer = combinations(graph, max(0, len(gone) - 1))
    assert not gone or not any(nx.is_forest(nx.restricted_view(graph, c, [])) for c in fewer)
    girth = nx.girth(graph)
    assert len(shortest_circle(ways)) == (girth if girth < 99 else 0)


@settings(max_examples=60)
@given(SEEDS)
def test_polynomial_algorithms(seed):
    graph, ways = random_graph(seed, share=0.3)
    arcs = nx.gnp_random_graph(9, 0.15, seed=seed, directed=True)
    ours = strong_components([sorted(arcs[node]) for node in arcs])
    assert sorted(map(sorted, nx.strongly_connected_components(arcs))) == sorted(ours)
    if nx.is_connected(graph):
        bridges, cuts = weak_points(ways)
        assert bridges == sorted(tuple(sorted(edge)) for edge in nx.bridges(graph))
        assert cuts == sorted(nx.articulation_points(graph))
        rng = Random(seed)
        weights = {edge: rng.randint(1, 9) for edge in graph.edges}
        both = weights | {(v, u): w for (u, v), w in weights.items()}
        nx.set_edge_attributes(graph, weights, "weight")
        assert minimum_cut(9, both)[1] == nx.stoer_wagner(graph)[0]
        theirs = dict(nx.all_pairs_dijkstra_path_length(graph))
        assert distances(9, both) == [[theirs[u][v] for v in graph] for u in graph]
    two = nx.bipartite.random_graph(5, 5, 0.35, seed=seed)
    size = len(nx.bipartite.maximum_matching(two, range(5))) // 2
    assert len(matching([sorted(two[node]) for node in two], range(5))[0]) == size


@pytest.mark.parametrize(
    ("graph", "there_is"),
    [(nx.petersen_graph(), True), (nx.star_graph(3), False), (nx.heawood_graph(), True),
     (nx.complete_bipartite_graph(3, 5), False), (nx.dodecahedral_graph(), True)],
)  # fmt: skip
def test_hamiltonian_paths_of_known_graphs(graph, there_is):
    path = hamiltonian_path(masks([sorted(graph[node]) for node in graph])).solution
    assert bool(path) == there_is
    assert not path or nx.is_path(graph, path)


def test_isomorphism_tells_apart_what_degrees_do_not():
    prism, bipartite = nx.circular_ladder_graph(3), nx.complete_bipartite_graph(3, 3)
    both = [[sorted(graph[node]) for node in graph] for graph in (prism, bipartite)]
    assert not isomorphism(*both).solution
    assert isomorphism(both[0], both[0]).solution


@settings(max_examples=25)
@given(SEEDS)
def test_round_trips_and_steiner_trees(seed):
    rng = Random(seed)
    table = [[0] * 6 for _ in range(6)]
    for u, v in combinations(range(6), 2):
        table[u][v] = table[v][u] = rng.randint(1, 20)

    def length(trip):
        return sum(table[u][v] for u, v in pairwise([*trip, trip[0]]))

    trip = round_trip(table).solution
    trips = [(0, *rest) for rest in permutations(range(1, 6))]
    assert sorted(trip) == list(range(6))
    assert length(trip) == min(map(length, trips))
    graph = nx.gnm_random_graph(7, 12, seed=seed)
    if not nx.is_connected(graph):
        return
    weights = {edge: rng.randint(1, 9) for edge in graph.edges}
    nx.set_edge_attributes(graph, weights, "weight")
    both = weights | {(v, u): w for (u, v), w in weights.items()}
    ours = steiner_tree(both, 7, [0, 1, 2, 3]).solution
    trees = []
    for more in range(4):
        for chosen in combinations(range(4, 7), more):
            part = graph.subgraph([0, 1, 2, 3, *chosen])
            if nx.is_connected(part):
                trees.append(nx.minimum_spanning_tree(part).size("weight"))
    assert sum(both[edge] for edge in ours) == min(trees)
    assert nx.is_connected(nx.Graph(ours))


# ----------------------------------------------------------------------------- the environments


@pytest.mark.parametrize("name", MINE)
def test_the_right_answer_is_right_for_the_audit_too(name):
    for level in (0, 3, 5):
        task = drawn(name, level, level)
        assert task.verify(task.answer()).value == 1
        assert task.audit(task.answer())
        for lazy in task.lazy():
            try:
                assert task.verify(lazy).value < 1 or level < 3
            except Unreadable:
                continue


@settings(max_examples=20)
@given(SEEDS, LEVELS)
def test_optima_are_networkx_s(seed, level):
    tree = drawn("minimum_spanning_tree", seed, level)
    theirs = nx.minimum_spanning_tree(referee(tree.graph))
    assert tree.verify(tree.told(theirs.edges)).value == 1
    dag = drawn("longest_path_in_a_dag", seed, level)
    assert dag.verify(dag.told(nx.dag_longest_path(referee(dag.graph)))).value == 1
    cut = drawn("minimum_cut", seed, level)
    assert cut.verify(cut.told(nx.stoer_wagner(referee(cut.graph))[1][0])).value == 1
    pairs = drawn("bipartite_matching", seed, level)
    best = nx.bipartite.maximum_matching(referee(pairs.graph), pairs.left)
    assert pairs.verify(pairs.told([(u, v) for u, v in best.items() if u < v])).value == 1
    thin = drawn("transitive_reduction", seed, level)
    assert thin.verify(thin.told(nx.transitive_reduction(referee(thin.graph)).edges)).value == 1
    core = drawn("k_core", seed, level)
    assert core.verify(core.told(nx.k_core(referee(core.graph), core.k))).value == 1
    far = drawn("eccentricity_and_centre", seed, level)
    theirs = nx.eccentricity(referee(far.graph), weight="weight")
    assert far.verify(far.told([theirs[node] for node in range(len(theirs))])).value == 1
    low = drawn("lowest_common_ancestor", seed, level)
    rooted = nx.bfs_tree(referee(low.graph), low.root)
    theirs = [nx.lowest_common_ancestor(rooted, u, v) for u, v in low.asked]
    assert low.verify(low.graph.listing(theirs)).value == 1
    euler = drawn("eulerian_path", seed, level)
    trail = [u for u, _ in nx.eulerian_path(referee(euler.graph))]
    end = list(nx.eulerian_path(referee(euler.graph)))[-1][1]
    assert euler.verify(euler.told([*trail, end])).value == 1


SQUARE = MinimumSpanningTree(
    graph=Graph(tuple("ABCD"), ((0, 1, 5), (1, 2, 1), (2, 3, 1), (3, 0, 1), (0, 2, 3)), "edges",
                measure="weight")
)  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("B-C, C-D, D-A", 1, ""),
        ("A-D; D-C; C-B", 1, ""),
        ("A-B, B-C, C-D", 0, "it comes to 7, and there is a better one"),
        ("B-C, C-D", 0, "there are 2 edges, not 3"),
        ("A-C, C-D, D-A", 0, "the edges close a circle and leave a node apart"),
        ("B-C, C-B, C-D", 0, "the edge between C and B is given twice"),
        ("B-D, C-D, D-A", 0, "there is no edge between B and D"),
        ("none", 0, "there are 0 edges, not 3"),
    ],
)
def test_spanning_trees_by_hand(answer, value, reason):
    score = SQUARE.verify(answer)
    assert (score.value, score.reason) == (value, reason)


def test_partial_credit_lies_between_greed_and_the_optimum():
    """Two edges worse than the best and one better than greed is worth a part."""
    task = drawn("minimum_spanning_tree", 4, 5)
    best = list(nx.minimum_spanning_edges(referee(task.graph), data=False))
    graph = referee(task.graph)
    for out in graph.edges - set(best):
        circle = nx.find_cycle(nx.Graph([*best, out]))
        spare = next(e for e in best if set(e) != set(out) and set(e) in map(set, circle))
        score = task.verify(task.told([*(e for e in best if e != spare), out]))
        assert 0 <= score.value <= 1
        assert (score.value == 1) == (graph.edges[out]["weight"] == graph.edges[spare]["weight"])


def test_a_project_by_hand():
    """A (3 days) and B (1) come before C (2): B may wait for two days."""
    graph = Graph(tuple("ABC"), ((0, 2), (1, 2)), "edges", directed=True)
    task = CriticalPath(graph=graph, days=(3, 1, 2))
    assert task.answer() == "A: 0, 0\nB: 0, 2\nC: 3, 3"
    assert task.verify("A: 0, 0\nB: 0, 0\nC: 3, 3").value == 0.5
    assert task.verify("A: 0, 0\nB: 0, 0\nC: 3, 3").reason == "the latest start of B is wrong"
    with pytest.raises(Unreadable):
        task.verify("A: 0\nB: 0\nC: 3")


@given(st.lists(st.integers(1, 9), min_size=7, max_size=7))
def test_pruefer_codes_are_networkx_s(code):
    task = TreeFromPrueferCode(code=tuple(code))
    theirs = nx.from_prufer_sequence([number - 1 for number in code])
    assert task.verify(task.told((u + 1, v + 1) for u, v in theirs.edges)).value == 1
    swapped = [number % 9 + 1 for number in code]
    assert TreeFromPrueferCode(code=tuple(swapped)).verify(task.answer()).value == 0


def test_degrees_by_hand():
    task = DegreeSequence(names=tuple("ABCD"), degrees=(2, 2, 1, 1), shut=((0, 1),))
    assert task.verify("A-C, A-D, B-C, B-D").reason == "C has 2 edges"
    path = task.model_copy(update={"degrees": (1, 2, 2, 1)})
    assert path.verify("A-C, C-B, B-D").value == 1
    assert path.verify("A-B, B-C, C-D").reason == "A and B must not be joined"
    assert path.verify("A-A, B-C, B-D").reason == "A is joined to itself"


@pytest.mark.parametrize("name", ["maximum_clique", "minimum_vertex_cover", "dominating_set"])
def test_one_node_more_or_less_is_not_the_optimum(name):
    task = drawn(name, 3, 3)
    best = task.search().solution
    assert task.verify(task.told(best[1:])).value < 1
    others = set(range(len(task.graph.names))) - set(best)
    assert task.verify(task.told([*best, min(others)])).value < 1
    with pytest.raises(Unreadable):
        task.verify(task.told([*best, best[0]]))


@pytest.mark.parametrize("name", MINE)
def test_long_nonsense_is_refused_in_no_time(name):
    task = drawn(name, 1, 6)
    first = task.graph.names[0]
    for text in (
        f"{first}, " * 4_000,
        f"{first}-" * 8_000,
        "(" * 20_000,
        f"{first}: 1\n" * 900,
        " ",
    ):
        try:
            assert task.verify(text[:20_000]).value == 0
        except Unreadable:
            continue


# -------------------------------------------------------------------- what a second reading found


@pytest.mark.parametrize(
    "text",
    ['["A-B", "B-C"]', "[[A, B], [B, C]]", "{A, B}, {B, C}", "(A-B, B-C)", "[(A, B), (B, C)]",
     r"\{A, B\}, \{B, C\}", "{A-B, B-C}", "A-B and B-C", "(A, B), and (B, C)",
     "((A, B), (B, C))"],
)  # fmt: skip
def test_edges_in_other_brackets(text):
    assert edge_list(text, "ABC") == ((0, 1), (1, 2))


def test_a_single_edge_in_brackets():
    assert edge_list("(A, B)", "ABC") == edge_list("(A-B)", "ABC") == ((0, 1),)


@pytest.mark.parametrize(
    "text", ['["A", "B", "C"]', "A, B and C", "A, B, and C", r"\{A, B, C\}", "{A, B, C}", "A B C,"]
)
def test_sets_and_walks_as_people_write_them(text):
    assert node_set(text, "ABC") == walk(text, "ABC") == (0, 1, 2)


def test_walks_with_the_arrows_of_latex():
    assert walk(r"A \to B \rightarrow C", "ABC") == walk("A ⇒ B → C", "ABC") == (0, 1, 2)
    for text in ("A -> ", "A ->, B", "A -> -> B"):
        with pytest.raises(Unreadable):
            walk(text, "ABC")
    with pytest.raises(Unreadable):  # a quote parts what it stands between
        walk('1"2', ["12"])


def test_an_image_is_read_with_arrows():
    task = drawn("graph_isomorphism", 2, 1)
    for arrow in (" -> ", " → ", r" \mapsto ", " = "):
        assert task.verify(task.answer().replace(": ", arrow)).value == 1


def test_the_center_of_americans():
    task = drawn("eccentricity_and_centre", 2, 1)
    assert task.verify(task.answer().replace("centre", "Center")).value == 1
    with pytest.raises(Unreadable):
        task.verify(f"{task.answer()}\n{task.answer().splitlines()[-1].replace('re:', 'er:')}")


def test_a_knapsack_is_told_in_words():
    kind = load("optimisation/knapsack")
    task = kind.draw(Random(1), kind.Knobs.at(0))
    first, _, last = task.answer().rpartition(", ")
    assert task.verify(f"{first} and {last}").value == 1
    assert task.verify(f"[{last}, {first}]").value == 1


def test_a_schedule_may_name_its_jobs():
    kind = load("optimisation/job_shop")
    task = kind.draw(Random(1), kind.Knobs.at(0))
    lines = task.answer().splitlines()
    for told in ("Job {}: {}", "job {} : {}", "{}. {}", "{}: {}"):
        named = [told.format(number, line) for number, line in enumerate(lines, 1)]
        assert task.verify("\n".join(named)).value == 1
    assert task.verify("\n".join(f"- {line}" for line in lines)).value == 1
    with pytest.raises(Unreadable):
        task.verify("\n".join(f"Job 1: {line}" for line in lines))


@pytest.mark.parametrize(
    ("name", "knobs"),
    [
        ("bipartite_matching", {"side": 3, "density": 3}),
        ("hamiltonian_path", {"nodes": 6, "density": 2.2}),
        ("minimum_cut", {"nodes": 26, "clusters": 2, "between": 0.8}),
        ("eccentricity_and_centre", {"nodes": 5, "density": 1.8, "longest": 3}),
        ("topological_order", {"nodes": 5, "density": 4}),
        ("topological_order", {"nodes": 5, "density": 1.2}),
    ],
)
def test_the_ends_of_the_knobs_can_be_drawn(name, knobs):
    kind = load(f"graphs/{name}")
    for reserved in (False, True):
        task = kind.draw(Random(3), kind.Knobs(**knobs), reserved)
        assert task.verify(task.answer()).value == 1


def test_bounds_within_which_nothing_fair_could_be_drawn():
    bounds = [("eccentricity_and_centre", "nodes", 4), ("eccentricity_and_centre", "longest", 2),
              ("topological_order", "nodes", 4)]  # fmt: skip
    for name, knob, value in bounds:
        with pytest.raises(ValueError, match="greater than or equal"):
            load(f"graphs/{name}").Knobs(**{knob: value})
