"""Tests of grids/numeral_bricks."""

from itertools import product

from tests.envs.sampling import sample

from palaestra.envs.grids.numeral_bricks import NumeralBricks


def test_numeral_bricks_counts_own_colour() -> None:
    task = NumeralBricks(numbers=((1, -1), (-1, 1)), givens=("A.", ".."), colours=2)
    assert task.verify("A B\nB A").value == 1
    assert task.verify("A A\nB A").value == 0
    assert "given A" in task.verify("B A\nA B").reason
    assert [task.verify(f"A {b}\n{c} A").value for b, c in product("AB", repeat=2)] == [0, 0, 0, 1]


def test_numeral_bricks_have_every_colour() -> None:
    """Else a wall of one colour is right too often."""
    for seed in range(100):
        task = sample(NumeralBricks, seed, 0)
        assert {*task.answer().split()} == {"A", "B"}
