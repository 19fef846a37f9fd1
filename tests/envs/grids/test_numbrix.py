"""Tests of grids/numbrix."""

from itertools import pairwise
from random import Random

from palaestra.envs.grids import numbrix
from palaestra.generators.grids.shapes import sides


def test_a_path_from_backbiting_goes_everywhere_by_single_steps():
    for seed in range(20):
        path = numbrix.wandering(Random(seed), 6)
        assert sorted(path) == [*range(36)]
        assert all(after in sides(6, 6)[cell] for cell, after in pairwise(path))
