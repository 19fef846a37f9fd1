"""Tests of grids/norinori."""

from tests.envs.sampling import sample

from palaestra.envs.grids.norinori import Norinori
from palaestra.generators.bitsets import bits
from palaestra.generators.grids.dominoes import solve


def test_norinori_counts_pairs_and_regions() -> None:
    task = Norinori(board=("AAA", "ABB", "BBB"))
    assert task.verify("##-\n--#\n--#").value == 1
    assert "touches 2" in task.verify("##-\n-##\n---").reason  # a chain of four
    assert "region A" in task.verify("###\n---\n-##").reason
    assert task.verify("##-\n---\n---").value == 0
    known = Norinori(board=("aAA", "ABB", "BBB"))
    assert "r1c1" in known.verify("##-\n--#\n--#").reason


def test_norinori_without_anything_to_find_needs_no_search() -> None:
    """Once all other cells are known to be clear, each shaded one has one partner left."""
    for seed in range(5):
        task = sample(Norinori, seed, 3)
        shaded = bits(n for n, sign in enumerate(task.answer().split()) if sign == "#")
        clear = (1 << len(task.board) ** 2) - 1 ^ shaded
        result = solve(len(task.board), tuple(task.regions()), clear)
        assert (result.solutions, result.nodes) == ([shaded], 1)
