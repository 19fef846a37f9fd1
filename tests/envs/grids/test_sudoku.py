"""Tests of grids/sudoku."""

from itertools import product

import pytest
from tests.envs.grids.satisfiability import Referee
from tests.envs.sampling import sample

from palaestra.envs.grids.futoshiki import Futoshiki
from palaestra.envs.grids.sudoku import Sudoku
from palaestra.generators.grids import latin_squares

# A sudoku published by the Daily Telegraph in 2012 and its solution.
TELEGRAPH = """
8........ ..36..... .7..9.2.. .5...7... ....457.. ...1...3. ..1....68 ..85...1. .9....4..
"""
SOLVED = """
812753649 943682175 675491283 154237896 369845721 287169534 521974368 438526917 796318452
"""


def test_a_famous_sudoku_has_its_published_solution():
    square = latin_squares.Square(9, 3, 3)
    rows = [[int(s) for s in row.replace(".", "0")] for row in TELEGRAPH.split()]
    solutions, nodes = latin_squares.solve(square, square.candidates(square.clues(rows)))
    assert len(solutions) == 1
    assert nodes > 1, "it is known for needing trial and error"
    rows = square.grid(square.placed(solutions[0]))
    assert [*rows] == [tuple(map(int, row)) for row in SOLVED.split()]


def test_there_are_288_sudokus_of_four_and_576_latin_squares():
    boxed, plain = latin_squares.Square(4, 2, 2), latin_squares.Square(4)
    assert len(latin_squares.solve(boxed, boxed.full, limit=1000)[0]) == 288
    assert len(latin_squares.solve(plain, plain.full, limit=1000)[0]) == 576


@pytest.mark.parametrize("puzzle", [Sudoku, Futoshiki])
def test_what_is_wrong_with_a_grid_of_numbers(puzzle):
    task = sample(puzzle, 1, 3)
    rows = [line.split() for line in task.answer().splitlines()]
    given_at = next((r, c) for r, row in enumerate(task.givens) for c, n in enumerate(row) if n)
    blank = next((r, c) for r, row in enumerate(task.givens) for c, n in enumerate(row) if not n)
    for (row, column), reason in ((given_at, "is not the given"), (blank, "more than once")):
        spoilt = [[*line] for line in rows]
        spoilt[row][column] = str(int(spoilt[row][column]) % len(rows) + 1)
        result = task.verify("\n".join(map(" ".join, spoilt)))
        assert result.value == 0
        assert reason in result.reason


def test_a_sudoku_with_good_rows_and_columns_may_have_bad_boxes():
    task = sample(Sudoku, 1, 0).model_copy(update={"givens": ((0,) * 4,) * 4})
    result = task.verify("1 2 3 4\n2 3 4 1\n3 4 1 2\n4 1 2 3")
    assert result.value == 0
    assert "box" in result.reason


def test_renaming_numbers_and_mirroring_leave_a_sudoku_the_same_problem():
    task = sample(Sudoku, 3, 3)
    renamed = [tuple(n and n % 9 + 1 for n in row)[::-1] for row in task.givens]
    assert task.model_copy(update={"givens": tuple(renamed)}).canonical() == task.canonical()


def outside_solution(givens, height, width):
    """The numbers of the only solution of a sudoku by a SAT solver, in reading order."""
    size = height * width
    side = range(size)

    def holds(row, column, number):
        return (row * size + column) * size + number

    referee = Referee(size**3)
    for a, b in product(side, side):
        box = [(a // height * height + n // width, a % height * width + n % width) for n in side]
        for number in range(1, size + 1):
            if b == 0:
                referee.exactly([holds(a, column, number) for column in side], 1)
                referee.exactly([holds(row, a, number) for row in side], 1)
                referee.exactly([holds(*cell, number) for cell in box], 1)
        referee.exactly([holds(a, b, number) for number in range(1, size + 1)], 1)
        if givens[a][b]:
            referee.add(holds(a, b, givens[a][b]))
    return [(variable - 1) % size + 1 for variable in sorted(referee.only_solution())]


@pytest.mark.parametrize(("level", "seed"), [(6, 0), (7, 0), (7, 1), (8, 0), (8, 1), (8, 2)])
def test_a_solver_from_outside_finds_the_same_solution_and_no_other(level, seed):
    task = sample(Sudoku, seed, level)
    solution = outside_solution(task.givens, task.height, task.width)
    assert solution == [*map(int, task.answer().split())]


def test_the_largest_sudokus_need_a_search():
    task = sample(Sudoku, 3, 8)
    assert len(task.givens) == 16
    assert task.solved().nodes > 1
