"""Regions and distances on a matrix, compared with networkx."""

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.generators.matrices.mosaics import arrivals, patches
from palaestra.generators.matrices.mosaics import distances as steps_from

grids = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.lists(st.integers(1, 3), min_size=n, max_size=n), min_size=n, max_size=n)
)


@settings(max_examples=30)
@given(grids)
def test_regions_and_arrivals(rows):
    size = len(rows)
    graph = nx.grid_2d_graph(size, size)
    value = {(r, c): rows[r][c] for r in range(size) for c in range(size)}
    alike = graph.edge_subgraph([(a, b) for a, b in graph.edges if value[a] == value[b]]).copy()
    alike.add_nodes_from(graph)
    assert sorted(map(len, patches(rows))) == sorted(map(len, nx.connected_components(alike)))
    sources = [(0, 0), (size - 1, 0)]
    directed = graph.to_directed()
    for a, b in directed.edges:
        directed.edges[a, b]["weight"] = value[b]
    assert arrivals(rows, sources) == nx.multi_source_dijkstra_path_length(directed, {*sources})
    walls = [[-1 if n == 3 else 0 for n in row] for row in rows]
    walls[0][0] = 0
    free = graph.subgraph([cell for cell in graph if walls[cell[0]][cell[1]] == 0])
    assert steps_from(walls, [(0, 0)]) == dict(nx.single_source_shortest_path_length(free, (0, 0)))
