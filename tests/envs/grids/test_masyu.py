"""Tests of grids/masyu."""

from tests.envs.sampling import sample

from palaestra.envs.grids.masyu import Masyu
from palaestra.generators.grids import masyu
from palaestra.generators.grids.masyu import outline


def test_masyu_wants_one_loop() -> None:
    ring = "F--7\nIxxI\nIxxI\nL--J"
    assert Masyu(pearls=("....", "....", "....", "....")).verify(ring).value == 1
    assert Masyu(pearls=("B...", "....", "....", "....")).verify(ring).value == 1
    assert Masyu(pearls=(".W..", "....", "....", "....")).verify(ring).value == 1
    assert Masyu(pearls=("W...", "....", "....", "....")).verify(ring).value == 0
    assert Masyu(pearls=("x...", "....", "....", "....")).verify(ring).value == 0
    two = "F7F7\nLJLJ\nF7F7\nLJLJ"
    assert "more than one" in Masyu(pearls=("oo..", "....", "....", "....")).verify(two).reason
    open_end = "F--7\nIxxI\nIxxI\nL--x"
    assert "breaks off" in Masyu(pearls=("....", "....", "....", "....")).verify(open_end).reason
    assert outline(0b1, 3).bit_count() == 4


def test_masyu_solutions_by_brute_force() -> None:
    """Every loop on a small board is tried out."""
    for seed in range(3):
        task = sample(Masyu, seed, 0)
        assert sum(task.verify(each).value for each in task.candidates()) == 1


def test_signs_added_to_a_settled_board_leave_what_they_leave_together() -> None:
    for seed in range(5):
        task = sample(Masyu, seed, 5)
        size, signs = len(task.pearls), dict(task.signs_by_cell())
        more = {cell: sign for cell, sign in signs.items() if sign in "ox"}
        first = {cell: sign for cell, sign in signs.items() if cell not in more}
        sheet = masyu.board(size, tuple(first.items()))
        marks = masyu.settled(sheet, (0, 0))
        for cell, sign in more.items():
            sheet, marks = masyu.with_signs(sheet, marks, {cell: sign}, size)
        together = masyu.board(size, tuple(sorted(signs.items())))
        assert marks == masyu.settled(together, (0, 0))
