"""Tests of machines/game_of_life_fate."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.generators.machines import game_of_life_fate


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


@given(st.lists(st.integers(0, 127), min_size=7, max_size=7))
@settings(max_examples=40, deadline=None)
def test_life_on_a_torus_goes_as_counting_neighbours_says(rows: list[int]) -> None:
    size = 7
    alive = {(r, c) for r in range(size) for c in range(size) if rows[r] >> c & 1}
    around = [(r, c) for r, c in product((-1, 0, 1), repeat=2) if r or c]
    after = []
    for r in range(size):
        row = 0
        for c in range(size):
            near = sum(((r + a) % size, (c + b) % size) in alive for a, b in around)
            row |= (near == 3 or (near == 2 and (r, c) in alive)) << c
        after.append(row)
    assert game_of_life_fate.stepped(tuple(rows)) == tuple(after)


@pytest.mark.parametrize("level", range(7))
def test_the_fate_of_a_board_is_what_going_on_shows(level: int) -> None:
    puzzle = task("machines/game_of_life_fate", 3, level)
    board, seen = puzzle.rows, []
    while board not in seen:
        seen.append(board)
        board = game_of_life_fate.stepped(board)
    first = seen.index(board)
    cells = sum(row.bit_count() for rows in seen[:first] for row in rows)
    assert puzzle.verify(f"{first}, {len(seen) - first}, {cells}").value == 1
    assert puzzle.verify(f"{first + 1}, {len(seen) - first}, {cells}").value == 0
