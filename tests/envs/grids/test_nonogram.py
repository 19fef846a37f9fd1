"""Tests of grids/nonogram."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st
from tests.envs.sampling import sample

from palaestra.envs.grids.nonogram import Nonogram
from palaestra.generators.bitsets import bits
from palaestra.generators.grids.nonogram import Picture, consequences, runs, solve


def cells(line: int, size: int) -> list[bool]:
    return [bool(line >> cell & 1) for cell in range(size)]


def test_nonograms_have_the_solutions_that_brute_force_finds():
    pictures = {}
    for lines in product(range(8), repeat=3):
        rows = [cells(line, 3) for line in lines]
        clues = tuple(map(runs, [*rows, *zip(*rows)]))
        pictures.setdefault(clues, set()).add(sum(row << 3 * n for n, row in enumerate(lines)))
    for clues, matching in pictures.items():
        assert set(solve(Picture(clues, 3), limit=100).solutions) == matching


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=9), st.integers(0, 8))
def test_the_consequences_of_a_line_are_those_of_all_its_fillings(line, barred):
    size, lengths = len(line), runs([filled for filled, _ in line])
    filled = bits(n for n, (on, known) in enumerate(line) if on and known)
    empty = bits(n for n, (on, known) in enumerate(line) if known and not on)
    empty |= 1 << barred & (1 << size) - 1 & ~filled  # so that some lines cannot be filled
    every = [
        one
        for one in range(1 << size)
        if one & filled == filled and not one & empty and runs(cells(one, size)) == lengths
    ]
    if not every:
        assert consequences(lengths, size, filled, empty) is None
        return
    always = sometimes = every[0]
    for one in every:
        always, sometimes = always & one, sometimes | one
    assert consequences(lengths, size, filled, empty) == (always, (1 << size) - 1 & ~sometimes)


def test_the_upper_levels_take_more_than_reasoning_line_by_line():
    for level in (6, 8):
        task = sample(Nonogram, 1, level)
        picture = task.blank()
        assert picture.settle(range(len(picture.lines)))
        assert picture.open_cells()
        assert task.solved().unique
