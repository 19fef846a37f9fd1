"""Tests of grids/numberlink."""

from tests.envs.sampling import sample

from palaestra.envs.grids.numberlink import Numberlink


def test_numberlink_at_its_most_lines() -> None:
    """There are never more lines than letters, however short they are to be."""
    task = sample(Numberlink, 1, size=10, longest=5)
    assert len(task.letters()) <= 26


def test_numberlink_refuses_a_ring_beside_the_line() -> None:
    task = Numberlink(board=("..BCA", ".....", "B....", "C....", "A...."))
    ring = "A A B C A\nA A B C A\nB B B C A\nC C C C A\nA A A A A"
    assert task.verify(ring).reason == "the cells of A are not one line"
    assert not task.audit(ring)


def test_numberlink_lines_do_not_touch_themselves() -> None:
    task = Numberlink(board=("A.A", "B..", "..B"))
    assert task.verify("A A A\nB B B\nB B B").value == 0
    assert task.verify("A A A\nB B B\nA A B").value == 0
    free = Numberlink(board=("A..", "..A", "B.B"))
    assert free.verify("A A A\nA A A\nB B B").value == 0
