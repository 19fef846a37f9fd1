"""Graphs of networkx."""

import networkx as nx


def referee(graph):
    """The graph as networkx has it."""
    theirs = (nx.DiGraph if graph.directed else nx.Graph)()
    theirs.add_nodes_from(range(len(graph.names)))
    for u, v, *weight in graph.edges:
        theirs.add_edge(u, v, weight=weight[0] if weight else 1)
    return theirs
