"""Graphs that several tests use."""

from itertools import combinations, permutations

import networkx as nx

from palaestra.verifiers.certified import Graph

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
    network = nx.DiGraph() if graph.directed else nx.Graph()
    network.add_nodes_from(graph.nodes)
    network.add_weighted_edges_from(graph.edges)
    return network


def as_lines(rows):
    return "\n".join(", ".join(map(str, row)) for row in rows)
