"""Puzzles on grids, held against referees that go another way about it."""

from itertools import combinations, permutations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.grids.binairo import Binairo
from palaestra.envs.grids.futoshiki import Futoshiki
from palaestra.envs.grids.minesweeper_deduction import MinesweeperDeduction
from palaestra.envs.grids.nonogram import Nonogram
from palaestra.envs.grids.sudoku import Sudoku
from palaestra.generators.grids import latin_squares, line_solver
from palaestra.generators.minesweeper import certain, covered, limits, opened
from palaestra.task import Unreadable

KINDS = (Sudoku, Binairo, Futoshiki, Nonogram, MinesweeperDeduction)
seeds = st.integers(0, 10**6)


def draw(kind, seed, level, **chosen):
    return kind.draw(Random(seed), kind.Knobs.at(level, **chosen))


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
    solutions, looks = latin_squares.solve(square, square.given(square.clues(rows)))
    assert len(solutions) == 1
    assert looks > 1, "it is known for needing trial and error"
    rows = square.grid(square.placed(solutions[0]))
    assert [*rows] == [tuple(map(int, row)) for row in SOLVED.split()]


def test_there_are_288_sudokus_of_four_and_576_latin_squares():
    boxed, plain = latin_squares.Square(4, 2, 2), latin_squares.Square(4)
    assert len(latin_squares.solve(boxed, boxed.full, limit=1000)[0]) == 288
    assert len(latin_squares.solve(plain, plain.full, limit=1000)[0]) == 576


@given(seeds)
@settings(max_examples=20, deadline=None)
def test_inequalities_leave_what_brute_force_finds(seed):
    rng = Random(seed)
    sides = [(r * 3 + c, r * 3 + c + 1) for r in range(3) for c in range(2)]
    sides += [(cell, cell + 3) for cell in range(6)]
    less = tuple(rng.choice([(a, b), (b, a)]) for a, b in rng.sample(sides, 4))
    found = {
        rows
        for rows in product(permutations((1, 2, 3)), repeat=3)
        if all(len(set(column)) == 3 for column in zip(*rows))
        and all(sum(rows, ())[a] < sum(rows, ())[b] for a, b in less)
    }
    square = latin_squares.Square(3, less=less)
    solutions, _ = latin_squares.solve(square, square.full, limit=100)
    assert {square.grid(square.placed(solution)) for solution in solutions} == found


def test_nonograms_have_the_solutions_that_brute_force_finds():
    def told(lines):
        across = [tuple(bool(row >> c & 1) for c in range(3)) for row in lines]
        return tuple(line_solver.runs(line) for some in (across, zip(*across)) for line in some)

    pictures = {}
    for lines in product(range(8), repeat=3):
        pictures.setdefault(told(lines), set()).add(lines)
    for clues, found in pictures.items():
        start = [line_solver.fillings(runs, 3) for runs in clues]
        assert set(line_solver.solve(start, 3, limit=100)[0]) == found


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
        found = certain(board, total)
        assert found.mines == set.intersection(*fits)
        assert found.safe == set(hidden) - set.union(*fits)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
@settings(max_examples=8, deadline=None)
def test_hand_set_knobs_within_bounds_draw(kind, seed):
    rng = Random(seed)
    chosen = {}
    for name, field in kind.Knobs.model_fields.items():
        bounds = [getattr(m, side, None) for m in field.metadata for side in ("ge", "le")]
        low, high = [b for b in bounds if b is not None] or [0, 1]
        if field.annotation is float:
            chosen[name] = rng.uniform(low, high)
        else:
            chosen[name] = (
                bool(rng.randrange(2)) if field.annotation is bool else rng.randint(low, high)
            )
    task = kind.draw(rng, kind.Knobs(**chosen))
    assert task.verify(task.answer()).correct


@pytest.mark.parametrize("kind", [Sudoku, Futoshiki])
def test_what_is_wrong_with_a_grid_of_numbers(kind):
    task = draw(kind, 1, 3)
    rows = [line.split() for line in task.answer().splitlines()]
    given_at = next((r, c) for r, row in enumerate(task.givens) for c, n in enumerate(row) if n)
    blank = next((r, c) for r, row in enumerate(task.givens) for c, n in enumerate(row) if not n)
    for (row, column), told in ((given_at, "is not the given"), (blank, "more than once")):
        spoilt = [[*line] for line in rows]
        spoilt[row][column] = str(int(spoilt[row][column]) % len(rows) + 1)
        result = task.verify("\n".join(map(" ".join, spoilt)))
        assert result.value == 0
        assert told in result.reason


def test_a_sudoku_with_good_rows_and_columns_may_have_bad_boxes():
    task = draw(Sudoku, 1, 0).model_copy(update={"givens": ((0,) * 4,) * 4})
    result = task.verify("1 2 3 4\n2 3 4 1\n3 4 1 2\n4 1 2 3")
    assert result.value == 0
    assert "box" in result.reason


def test_renaming_numbers_and_mirroring_leave_a_sudoku_the_same_problem():
    task = draw(Sudoku, 3, 3)
    renamed = [tuple(n and n % 9 + 1 for n in row)[::-1] for row in task.givens]
    assert task.model_copy(update={"givens": tuple(renamed)}).canonical() == task.canonical()


def test_an_inequality_that_fails_is_named():
    task = Futoshiki(givens=((0, 0, 0),) * 3, less=((1, 0), (0, 3)))
    assert task.verify("2 1 3\n3 2 1\n1 3 2").correct
    assert "r1c1 < r2c1" in task.verify("3 1 2\n2 3 1\n1 2 3").reason


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("0 0 1 1\n0 0 1 1\n1 1 0 0\n1 1 0 0", "rows 1 and 2 are the same"),
        ("0 0 0 1\n0 1 1 0\n1 0 0 1\n1 1 1 0", "three alike"),
        ("0 0 1 0\n0 1 1 0\n1 0 0 1\n1 1 0 1", "not as many"),
        ("0 0 1 1\n0 1 0 1\n1 0 1 0\n1 1 0 0", ""),
    ],
)
def test_the_rules_of_binairo(answer, told):
    result = Binairo(givens=("....",) * 4).verify(answer)
    assert told in result.reason
    assert result.correct == (not told)


def test_partial_credit_needs_certain_cells_only_and_more_than_the_obvious():
    task = draw(MinesweeperDeduction, 4, 5)
    found, easy = task.certain(), task.easy()
    assert task.verify(task.written([], [])).value == 0
    assert task.verify(task.written(found.mines & easy, found.safe & easy)).value == 0
    beyond = sorted((found.mines | found.safe) - easy)
    kept = set(beyond[1:]) | easy
    share = (len(beyond) - 1) / len(beyond)
    result = task.verify(task.written(found.mines & kept, found.safe & kept))
    assert result.value == pytest.approx(share / 2)
    doubtful = next(c for c in covered(task.board) if c not in found.mines | found.safe)
    assert task.verify(task.written(found.mines | {doubtful}, found.safe)).value == 0
    assert task.verify(task.written(found.safe, found.mines)).value == 0
    assert task.verify(task.written(found.mines | found.safe, found.mines | found.safe)).value == 0


@pytest.mark.parametrize(
    "text", ["mines: r1c1", "mines: r0c1\nsafe: none", "mines: r1c1 r1c1\nsafe:"]
)
def test_lists_of_cells_that_cannot_be_read(text):
    with pytest.raises(Unreadable):
        draw(MinesweeperDeduction, 0, 0).verify(text)
