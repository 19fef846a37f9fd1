"""Baseline players of graph puzzles."""

from itertools import combinations, pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from palaestra.generators.graphs.networks import neighbours
from palaestra.generators.graphs.players import (
    edges_away,
    greedy_colorings,
    greedy_matching,
    path_players,
    unvisited,
    walk_on,
)
from palaestra.generators.graphs.puzzles import Graph

NODES = 7
PAIRS = list(combinations(range(NODES), 2))
EDGES = st.sets(st.sampled_from(PAIRS), min_size=1).map(sorted)
RANDOM = st.randoms(use_true_random=False)


@given(EDGES, RANDOM)
def test_greedy_colorings_with_enough_colors_are_proper(edges, rng):
    beside = neighbours(NODES, edges)
    for coloring in greedy_colorings(range(NODES), beside, NODES, rng).values():
        assert len(coloring) == NODES
        assert all(coloring[u] != coloring[v] for u, v in edges)


def test_the_most_constrained_node_and_a_colour_at_a_time_color_what_listed_order_does_not():
    """The crown graph: two sides of three nodes, each joined to two of the other side."""
    edges = [(0, 3), (0, 5), (2, 1), (2, 5), (4, 1), (4, 3)]
    colorings = greedy_colorings(range(6), neighbours(6, edges), 2, Random(1))
    proper = {
        name: all(coloring[u] != coloring[v] for u, v in edges)
        for name, coloring in colorings.items()
    }
    assert proper["most constrained first"]
    assert proper["a colour at a time"]
    assert not proper["first listed first"]


@given(EDGES, RANDOM)
def test_greedy_matchings_are_maximal(edges, rng):
    chosen = greedy_matching(edges, rng)
    used = [node for edge in chosen for node in edge]
    assert len(set(used)) == len(used)
    assert all({u, v} & {*used} for u, v in edges)


def test_a_greedy_matching_takes_leaves_first():
    path = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    assert all(len(greedy_matching(path, Random(seed))) == 3 for seed in range(10))


@given(st.lists(st.integers(1, 9), min_size=len(PAIRS), max_size=len(PAIRS)), EDGES, RANDOM)
def test_paths_of_players_follow_edges_and_repeat_no_node(lengths, edges, rng):
    weighted = [(u, v, lengths[PAIRS.index((u, v))]) for u, v in edges]
    graph = Graph(tuple("ABCDEFG"), tuple(weighted), "edges", measure="length")
    start, target = edges[0]
    players = path_players(graph, start, target, rng)
    for path in players.values():
        assert path[0] == start
        assert len(set(path)) == len(path)
        assert all(step in graph.weights() for step in pairwise(path))
    assert players["fewest edges"] == [start, target]


@given(EDGES)
def test_edges_away_differ_by_at_most_one_along_an_edge(edges):
    away = edges_away(neighbours(NODES, edges), 0)
    for u, v in edges:
        assert (u in away) == (v in away)
        assert u not in away or abs(away[u] - away[v]) <= 1


def test_a_walk_to_new_neighbours_ends_in_a_dead_end():
    ways = [[1, 2], [0], [0, 3], [2]]
    path = walk_on(1, lambda path: next(iter(unvisited(ways, path, Random(0))), None), 9)
    assert path == [1, 0, 2, 3]
