"""The graph algorithms, compared with networkx and with brute force."""

from itertools import combinations, pairwise, permutations
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.graphs.bipartite_matching import matching
from palaestra.envs.graphs.minimum_cut import minimum_cut
from palaestra.envs.graphs.strongly_connected_components import strong_components
from palaestra.envs.graphs.travelling_salesman import round_trip
from palaestra.generators.graphs.algorithms import distances
from palaestra.generators.graphs.bridges_and_articulation_points import weak_points
from palaestra.generators.graphs.cliques import complement, maximum_clique
from palaestra.generators.graphs.dominating_set import smallest_cover
from palaestra.generators.graphs.feedback_vertex_set import shortest_cycle, smallest_feedback
from palaestra.generators.graphs.graph_isomorphism import isomorphism
from palaestra.generators.graphs.hamiltonian_path import hamiltonian_path
from palaestra.generators.graphs.steiner_tree import steiner_tree

SEEDS = st.integers(0, 10**6)


def masks(ways):
    """The neighbours of each node as the bits of an integer."""
    return [sum(1 << near for near in nodes) for nodes in ways]


def random_graph(seed, nodes=9, share=0.35):
    graph = nx.gnp_random_graph(nodes, share, seed=seed)
    return graph, [sorted(graph[node]) for node in graph]


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
    assert len(shortest_cycle(ways)) == (girth if girth < 99 else 0)


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
