"""Tests of grids/magic_square."""

import pytest

from palaestra.envs.grids import magic_square
from palaestra.generators.grids.constraints import Board, Different, Total, between
from palaestra.task import InvalidAnswer


def test_there_are_eight_magic_squares_of_order_three():
    board = Board(9, [Different(tuple(range(9)), between(1, 9))])
    for line in magic_square.magic_lines(3):
        board.add(Total(line, 15))
    assert len(set(board.solve([between(1, 9)] * 9, limit=100).solutions)) == 8


def test_any_magic_square_will_do():
    task = magic_square.MagicSquare(first=1, givens=((0, 0, 0), (0, 5, 0), (0, 0, 0)))
    for square in ("2 7 6\n9 5 1\n4 3 8", "8 1 6\n3 5 7\n4 9 2"):
        assert task.verify(square).correct
        assert task.audit(square)
    assert not task.verify("1 2 3\n4 5 6\n7 8 9").correct
    with pytest.raises(InvalidAnswer):
        task.verify("2 7 6\n9 5 1")
    blank = task.model_copy(update={"givens": ((0,) * 3,) * 3})
    assert "falling diagonal has the sum 6" in blank.verify("2 7 6\n4 3 8\n9 5 1").reason
