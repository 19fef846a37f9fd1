"""Tests of grids/futoshiki."""

from itertools import permutations, product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.grids.futoshiki import Futoshiki
from palaestra.generators.grids import latin_squares

seeds = st.integers(0, 10**6)


@given(seeds)
@settings(max_examples=20, deadline=None)
def test_inequalities_leave_what_brute_force_finds(seed):
    rng = Random(seed)
    sides = [(r * 3 + c, r * 3 + c + 1) for r in range(3) for c in range(2)]
    sides += [(cell, cell + 3) for cell in range(6)]
    less = tuple(rng.choice([(a, b), (b, a)]) for a, b in rng.sample(sides, 4))
    expected = {
        rows
        for rows in product(permutations((1, 2, 3)), repeat=3)
        if all(len(set(column)) == 3 for column in zip(*rows))
        and all(sum(rows, ())[a] < sum(rows, ())[b] for a, b in less)
    }
    square = latin_squares.Square(3, less=less)
    solutions, _ = latin_squares.solve(square, square.full, limit=100)
    assert {square.grid(square.placed(solution)) for solution in solutions} == expected


def test_an_inequality_that_fails_is_named():
    task = Futoshiki(givens=((0, 0, 0),) * 3, less=((1, 0), (0, 3)))
    assert task.verify("2 1 3\n3 2 1\n1 3 2").correct
    assert "r1c1 < r2c1" in task.verify("3 1 2\n2 3 1\n1 2 3").reason
