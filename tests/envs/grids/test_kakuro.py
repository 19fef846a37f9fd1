"""Tests of grids/kakuro."""

from itertools import product
from random import Random

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st
from tests.envs.sampling import sample

from palaestra.envs.grids.kakuro import Kakuro
from palaestra.generators.grids.kakuro import (
    LONGEST,
    filled,
    narrowed,
    runs_of,
    settled_digits,
    sums_of,
    walled,
)


def outside_solution(board, runs, sums):
    """The digits of the only solution, 0 for walls, by Z3."""
    solver = z3.SolverFor("QF_FD")
    digits = [z3.BitVec(f"d{number}", 8) for number in range(len(board))]
    for sign, digit in zip(board, digits):
        if sign.isdecimal() or sign == "#":
            solver.add(digit == int(sign.replace("#", "0")))
        else:
            solver.add(z3.UGE(digit, 1), z3.ULE(digit, 9))
    for run, total in zip(runs, sums):
        solver.add(z3.Distinct(*(digits[cell] for cell in run)))
        solver.add(z3.Sum(*(digits[cell] for cell in run)) == total)
    assert solver.check() == z3.sat
    model = solver.model()
    solution = [model.eval(digit).as_long() for digit in digits]
    solver.add(z3.Or(*(digit != value for digit, value in zip(digits, solution))))
    assert solver.check() == z3.unsat, "there is a second solution"
    return solution


@pytest.mark.parametrize(("level", "seed"), [(5, 0), (7, 0), (8, 0), (8, 1)])
def test_a_solver_from_outside_finds_the_same_digits_and_no_others(level, seed):
    task = sample(Kakuro, seed, level)
    solution = outside_solution("".join(task.board), task.runs(), task.sums)
    assert [int(sign.replace("#", "0")) for sign in task.answer().split()] == solution


def test_the_largest_kakuro_has_twelve_rows():
    assert len(sample(Kakuro, 0, 8).board) == 12


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("level", [5, 8])
def test_the_sums_alone_settle_the_digits(level, seed):
    board = "".join(sample(Kakuro, seed, level).board)
    assert {*board} == {"#", "."}


@pytest.mark.parametrize("seed", range(4))
def test_digits_are_settled_beside_known_ones(seed):
    rng, settled = Random(seed), []
    while not settled:
        board = walled(rng, 6, 0.25)
        known = [cell for cell, sign in enumerate(board) if sign == "."][:2]
        digits = filled(rng, board, runs_of(board, 6))
        settled = digits and settled_digits(rng, board, digits, known)
    assert [settled[cell] for cell in known] == [digits[cell] for cell in known]
    shown = [str(settled[n]) if n in known else sign for n, sign in enumerate(board)]
    runs = runs_of(board, 6)
    assert outside_solution("".join(shown), runs, sums_of(runs, settled)) == settled


@pytest.mark.parametrize("share", [0.12, 0.35])
def test_runs_are_short_and_each_free_cell_is_in_two(share):
    board = walled(Random(0), 12, share)
    runs = runs_of(board, 12)
    assert max(map(len, runs)) <= LONGEST
    cells = sorted(cell for run in runs for cell in run)
    assert cells == sorted(2 * [cell for cell, sign in enumerate(board) if sign == "."])
    assert board == board[::-1]


@given(
    st.lists(st.integers(1, 2**9 - 1).map(lambda digits: digits << 1), min_size=2, max_size=5),
    st.integers(3, 35),
)
def test_no_digit_of_a_filling_is_dropped_from_a_run(domains, total):
    fillings = [
        digits
        for digits in product(range(1, 10), repeat=len(domains))
        if sum(digits) == total
        and len(set(digits)) == len(digits)
        and all(domain >> digit & 1 for domain, digit in zip(domains, digits))
    ]
    left = narrowed(tuple(domains), total)
    assert all(
        domain >> digit & 1
        for digits in fillings
        for domain, digit in zip(left or (0,) * 9, digits)
    )
    assert all(not some & ~domain for some, domain in zip(left, domains))
