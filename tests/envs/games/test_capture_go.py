"""Tests of games/capture_go."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.generators.games import capture_go
from palaestra.task import InvalidAnswer


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


@pytest.mark.parametrize(("size", "moves"), [(3, 1), (4, 2), (3, 3), (5, 2)])
def test_captures_are_found_as_a_search_without_cuts_finds_them(size: int, moves: int) -> None:
    found = 0
    for seed in range(25):
        board = capture_go.drawn(Random(seed), size, 0.6)
        for target, _ in capture_go.groups(board, size):
            right = capture_go.winning_moves(board, target, moves, size)[0]
            plain = capture_go.plainly(board, target, moves, size, frozenset({board}))
            assert set(right) == set(plain)
            found += len(right)
    assert found > 5


def test_go_is_judged_by_sets_of_moves() -> None:
    drawn = task("games/capture_go", 3, 2)
    rows = drawn.answer().splitlines()
    told = [", ".join(reversed(row.upper().split(", "))) for row in rows]
    assert drawn.verify("\n".join(told)).value == 1
    n = next(n for n, row in enumerate(rows) if row != "none")

    def instead(row: str) -> str:
        return "\n".join([*rows[:n], row, *rows[n + 1 :]])

    assert drawn.verify(instead("none")).value == 0
    assert drawn.verify(instead(f"{rows[n]}, r5c5")).value == 0
    with pytest.raises(InvalidAnswer):
        drawn.verify(instead(f"{rows[n]}, {rows[n]}"))
