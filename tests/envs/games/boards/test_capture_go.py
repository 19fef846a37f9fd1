"""Tests of games/capture_go."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.generators.games.boards import capture_go
from palaestra.task import InvalidAnswer


@pytest.mark.parametrize(("size", "moves"), [(3, 1), (4, 2), (3, 3), (5, 2)])
def test_pruning_loses_no_capturing_move(size: int, moves: int) -> None:
    captures = 0
    for seed in range(25):
        board = capture_go.random_board(Random(seed), size, 0.6)
        for target, _ in capture_go.groups(board, size):
            right = capture_go.winning_moves(board, target, moves, size)[0]
            plain = capture_go.exhaustive_moves(board, target, moves, size, frozenset({board}))
            assert set(right) == set(plain)
            captures += len(right)
    assert captures > 5


def test_the_order_of_moves_does_not_matter() -> None:
    task = Address.of("games/capture_go", 3, 2).task()
    rows = task.answer().splitlines()
    lines = [", ".join(reversed(row.upper().split(", "))) for row in rows]
    assert task.verify("\n".join(lines)).value == 1
    n = next(n for n, row in enumerate(rows) if row != "none")

    def with_row(row: str) -> str:
        return "\n".join([*rows[:n], row, *rows[n + 1 :]])

    assert task.verify(with_row("none")).value == 0
    assert task.verify(with_row(f"{rows[n]}, r5c5")).value == 0
    with pytest.raises(InvalidAnswer):
        task.verify(with_row(f"{rows[n]}, {rows[n]}"))
