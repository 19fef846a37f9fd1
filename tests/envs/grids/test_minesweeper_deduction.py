"""Tests of grids/minesweeper_deduction."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sample

from palaestra.envs.grids.minesweeper_deduction import MinesweeperDeduction
from palaestra.generators.minesweeper import certain, covered, limits, opened, placement, refuted
from palaestra.task import InvalidAnswer

seeds = st.integers(0, 10**6)


@given(seeds)
@settings(max_examples=20, deadline=None)
def test_certain_cells_are_those_that_brute_force_finds(seed):
    rng = Random(seed)
    mines = set(rng.sample(range(12), 3))
    board = ("????",) * 3
    for cell in rng.sample([cell for cell in range(12) if cell not in mines], 3):
        board = opened(board, mines, cell)
    hidden = covered(board)
    for total in (3, None):
        sizes = range(len(hidden) + 1) if total is None else [total]
        every = [set(some) for size in sizes for some in combinations(hidden, size)]
        fits = [s for s in every if all(len(s & cells) == n for cells, n in limits(board))]
        result = certain(board, total)
        assert result.mines == set.intersection(*fits)
        assert result.safe == set(hidden) - set.union(*fits)


def test_partial_credit_needs_certain_cells_only_and_more_than_the_obvious():
    task = sample(MinesweeperDeduction, 4, 5)
    forced, easy = task.certain(), task.easy()
    assert task.verify(task.written([], [])).value == 0
    assert task.verify(task.written(forced.mines & easy, forced.safe & easy)).value == 0
    beyond = sorted((forced.mines | forced.safe) - easy)
    kept = set(beyond[1:]) | easy
    share = (len(beyond) - 1) / len(beyond)
    result = task.verify(task.written(forced.mines & kept, forced.safe & kept))
    assert result.value == pytest.approx(share / 2)
    doubtful = next(c for c in covered(task.board) if c not in forced.mines | forced.safe)
    assert task.verify(task.written(forced.mines | {doubtful}, forced.safe)).value == 0
    assert task.verify(task.written(forced.safe, forced.mines)).value == 0
    assert (
        task.verify(task.written(forced.mines | forced.safe, forced.mines | forced.safe)).value == 0
    )


@pytest.mark.parametrize(
    "text", ["mines: r1c1", "mines: r0c1\nsafe: none", "mines: r1c1 r1c1\nsafe:"]
)
def test_lists_of_cells_that_cannot_be_read(text):
    with pytest.raises(InvalidAnswer):
        sample(MinesweeperDeduction, 0, 0).verify(text)


def test_the_top_level_is_the_expert_board():
    task = sample(MinesweeperDeduction, 0, 7)
    assert (len(task.board), len(task.board[0]), task.total) == (16, 30, 99)


@given(seeds)
@settings(max_examples=20, deadline=None)
def test_the_second_opinion_is_that_of_brute_force(seed):
    rng = Random(seed)
    mines = set(rng.sample(range(12), 3))
    board = ("????",) * 3
    for cell in rng.sample([cell for cell in range(12) if cell not in mines], 3):
        board = opened(board, mines, cell)
    for total in (3, None):
        assert refuted(board, total) == certain(board, total)


def test_a_placement_agrees_with_the_numbers_and_the_total():
    task = sample(MinesweeperDeduction, 1, 6)
    (cell, *_) = set(covered(task.board)) - task.certain().mines - task.certain().safe
    for assumed in (((cell,), ()), ((), (cell,))):
        example = placement(task.board, task.total, *assumed)
        assert all(len(example.mines & cells) == count for cells, count in limits(task.board))
        assert len(example.mines) + example.number == task.total
        assert 0 <= example.number <= len(example.free)
    (forced, *_) = task.certain().safe
    assert placement(task.board, task.total, (forced,), ()) is None
