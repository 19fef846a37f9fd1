"""Connected regions and pieces of a grid."""

from random import Random

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.generators.bitsets import bits
from palaestra.generators.grids.shapes import connected, cut, gathered, grown, turns

seeds = st.integers(0, 10**6)


@given(seeds, st.integers(3, 7))
@settings(max_examples=20, deadline=None)
def test_regions_hang_together_and_squares_have_eight_turns(seed, size):
    rng = Random(seed)
    graph = nx.grid_2d_graph(size, size)
    numbers = [rng.randrange(4) for _ in range(size * size)]
    first = rng.sample(range(size * size), 5)
    for region in (grown(rng, size, size, first), cut(rng, size, numbers, 4)):
        for cells in gathered(region):
            assert nx.is_connected(graph.subgraph(divmod(cell, size) for cell in cells))
            assert connected(bits(cells), size, size)
    assert all(len({numbers[c] for c in cells}) == len(cells) for cells in gathered(region))
    assert len(set(turns(size))) == 8


@given(seeds)
@settings(max_examples=50, deadline=None)
def test_pieces_are_those_of_another_library(seed):
    rng = Random(seed)
    cells = [cell for cell in range(20) if rng.random() < 0.6]
    graph = nx.grid_2d_graph(4, 5).subgraph(divmod(cell, 5) for cell in cells)
    assert connected(bits(cells), 4, 5) == (not cells or nx.is_connected(graph))
