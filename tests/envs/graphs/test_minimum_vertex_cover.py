"""Tests of graphs/minimum_vertex_cover."""

from itertools import combinations
from random import Random

import pytest

from palaestra.envs.graphs.minimum_vertex_cover import coverable


@pytest.mark.parametrize("seed", range(200))
def test_the_second_opinion_agrees_with_all_subsets(seed):
    """A branch that chooses more nodes than are left is no cover of that many."""
    rng = Random(seed)
    nodes = range(rng.randint(2, 8))
    edges = tuple(pair for pair in combinations(nodes, 2) if rng.random() < 0.5)
    smallest = next(
        size
        for size in range(len(nodes) + 1)
        if any(all({*edge} & {*chosen} for edge in edges) for chosen in combinations(nodes, size))
    )
    assert [coverable(edges, size) for size in nodes] == [size >= smallest for size in nodes]
