"""Tests of grids/pipes."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.envs.sampling import sample

from palaestra.envs.grids.pipes import Pipes
from palaestra.generators.cells import images
from palaestra.generators.grids.lines import roots
from palaestra.generators.grids.shapes import ways
from palaestra.generators.pipe_tiles import turned
from palaestra.task import InvalidAnswer


def test_pipes_by_networkx() -> None:
    for seed in range(6):
        task = sample(Pipes, seed, 3)
        tiles = [row.split() for row in task.answer().splitlines()]
        graph = nx.Graph()
        step = {"R": (0, 1), "D": (1, 0)}
        for row, line in enumerate(tiles):
            for column, tile in enumerate(line):
                for side in {*tile} & {*step}:
                    graph.add_edge((row, column), (row + step[side][0], column + step[side][1]))
        assert nx.is_tree(graph)
        assert len(graph) == len(tiles) * len(tiles[0])


@given(on=st.integers(0, 2**24 - 1))
def test_roots_by_networkx(on: int) -> None:
    """On a grid of 4 by 4 cells, which has 24 links."""
    graph = nx.Graph()
    graph.add_nodes_from(range(16))
    graph.add_edges_from(pair for n, pair in enumerate(ways(4, 4)) if on >> n & 1)
    pieces = {cell: min(piece) for piece in nx.connected_components(graph) for cell in piece}
    wanted = [pieces[cell] for cell in range(16)] if nx.is_forest(graph) else None
    assert roots(on, 4, 4) == wanted


def test_pipes_mirrored_or_turned_are_the_same_task() -> None:
    task = sample(Pipes, 1, 0)
    for image in images(task.tiles):
        tiles = tuple(tuple(turned(tile, n) for n, tile in enumerate(row)) for row in image)
        assert Pipes(tiles=tiles).canonical() == task.canonical()


def test_pipes_refuses_other_tiles_and_loops() -> None:
    assert turned("LR", 1) == "DU"
    task = Pipes(tiles=(("DR", "DL"), ("UR", "UL")))
    assert task.verify("DR DL\nUR UL").reason == "the pipes form a closed loop"
    assert "edge" in task.verify("UR DL\nUR UL").reason
    assert "rotation" in task.verify("LR DL\nUR UL").reason
    with pytest.raises(InvalidAnswer):
        task.verify("DD DL\nUR UL")
