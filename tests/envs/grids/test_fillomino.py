"""Tests of grids/fillomino."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.grids.fillomino import Fillomino
from palaestra.generators.grids.fillomino import parted, region, solve
from palaestra.task import InvalidAnswer


def test_fillomino_regions_merge() -> None:
    assert sorted(region([2, 2, 2, 1], 0, 2)) == [0, 1, 2]
    task = Fillomino(givens=((3, 0), (0, 1)), largest=3)
    assert task.verify("3 3\n3 1").value == 1
    assert task.verify("3 3\n2 1").value == 0
    with pytest.raises(InvalidAnswer):
        task.verify("3 3\n4 1")


def brute_force(givens: dict[int, int], size: int, largest: int) -> list[tuple[int, ...]]:
    """All fillings that obey the rules, by trying each number in each cell."""
    cells = [[givens[n]] if n in givens else range(1, largest + 1) for n in range(size**2)]
    return [
        numbers
        for numbers in product(*cells)
        if all(len(region(numbers, cell, size)) == numbers[cell] for cell in range(size**2))
    ]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 4), st.integers(3, 4))
def test_the_solver_agrees_with_brute_force(seed: int, size: int, largest: int) -> None:
    truth, rng = None, Random(seed)
    while truth is None:
        truth = parted(rng, size, largest)
    few = rng.randint(2, 4)
    givens = {n: truth[n] for n in rng.sample(range(size**2), size**2 - few)}
    expected = brute_force(givens, size, largest)
    result = solve(size, largest, givens)
    assert result.unique == (len(expected) == 1 and result.complete)
    assert set(result.solutions) <= set(expected)
    if result.complete:
        assert len(result.solutions) == min(2, len(expected))


@given(st.integers(0, 10**6), st.integers(3, 9))
def test_a_board_is_cut_into_regions_of_their_numbers(seed: int, size: int) -> None:
    numbers = parted(Random(seed), size, size)
    if numbers is not None:
        cells = range(size**2)
        assert all(len(region(numbers, cell, size)) == numbers[cell] for cell in cells)
