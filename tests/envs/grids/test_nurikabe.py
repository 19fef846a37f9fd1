"""Tests of grids/nurikabe."""

import networkx as nx
from tests.envs.sampling import sample

from palaestra.envs.grids.nurikabe import Nurikabe


def test_nurikabe_by_networkx() -> None:
    for seed in range(6):
        task = sample(Nurikabe, seed, 3)
        rows = [row.split() for row in task.answer().splitlines()]
        size = len(rows)
        graph = nx.grid_2d_graph(size, size)
        sea = graph.subgraph(n for n in graph if rows[n[0]][n[1]] == "#")
        assert nx.is_connected(sea)
        land = graph.subgraph(n for n in graph if rows[n[0]][n[1]] == "-")
        for island in nx.connected_components(land):
            numbers = [task.numbers[r][c] for r, c in island if task.numbers[r][c]]
            assert numbers == [len(island)]


def test_nurikabe_by_hand() -> None:
    task = Nurikabe(numbers=((1, 0, 0), (0, 0, 0), (0, 0, 2)))
    assert task.verify("-##\n##-\n##-").reason == "there is a 2 by 2 square of sea"
    assert task.verify("-##\n#--\n##-").value == 0
    assert not task.solved().solutions
