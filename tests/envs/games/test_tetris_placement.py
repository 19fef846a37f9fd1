"""Tests of games/tetris_placement."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.games.tetris_placement import TetrisPlacement
from palaestra.generators.games import tetris_placement

SEEDS = st.integers(0, 10_000)


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


def test_pieces_fall_and_full_rows_go_away() -> None:
    gap = (0b01111, 0b01111, 0b01111, 0b00111, 0, 0)  # five columns, the last one open
    put = tetris_placement.Placement
    drop = tetris_placement.dropped(gap, "I", put(2, 5), 5, 6)
    assert drop == ((0b10111, 0, 0, 0, 0, 0), 3)
    assert tetris_placement.dropped(gap, "I", put(2, 6), 5, 6) is None  # beside the board
    assert tetris_placement.dropped(gap, "I", put(2, 1), 5, 6) is None  # sticks out above
    assert [len(tetris_placement.turns(piece)) for piece in "IOTSZJL"] == [2, 1, 4, 2, 2, 4, 4]


@pytest.mark.parametrize("level", range(6))
def test_a_tetris_plan_is_judged_as_square_by_square(level: int) -> None:
    drawn = task("games/tetris_placement", 4, level)
    rng = Random(level)
    for _ in range(60):
        plan = [rng.choice([*tetris_placement.options(p, drawn.width)]) for p in drawn.pieces]
        told = "\n".join(f"{p}{w.turn} {w.column}" for p, w in zip(drawn.pieces, plan))
        assert (drawn.verify(told).value == 1) == drawn.audit(told)


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_a_drop_is_the_same_square_by_square(seed: int) -> None:
    rng = Random(seed)
    board = tetris_placement.rubble(rng, rng.randint(1, 5), 6, 7)
    full = {(r, c) for r, row in enumerate(board) for c in range(6) if row >> c & 1}
    piece = rng.choice("IOTSZJL")
    for turn, column in product(range(1, len(tetris_placement.turns(piece)) + 1), range(8)):
        where = tetris_placement.Placement(turn, column)
        drop = tetris_placement.dropped(board, piece, where, 6, 7)
        slow = tetris_placement.dropped_by_squares(full, piece, where, 6, 7)
        assert (drop is None) == (slow is None)
        if drop is not None:
            left = {(r, c) for r, row in enumerate(drop.board) for c in range(6) if row >> c & 1}
            assert (left, drop.cleared) == slow


@pytest.mark.parametrize("level", [0, 1])
def test_the_chance_of_a_random_tetris_plan_is_counted(level: int) -> None:
    drawn = task("games/tetris_placement", 2, level)
    plans = list(product(*(list(tetris_placement.options(p, drawn.width)) for p in drawn.pieces)))
    good = sum(drawn.cleared(plan)[0] >= drawn.goal() for plan in plans)
    assert good > 0
    assert drawn.random_baseline() == pytest.approx(good / len(plans))


def test_a_tetris_board_and_its_mirror_image_are_one_problem() -> None:
    one = TetrisPlacement(board=(0b00111, 0b01111, 0, 0, 0, 0), pieces="JS", width=5)
    two = TetrisPlacement(board=(0b11100, 0b11110, 0, 0, 0, 0), pieces="LZ", width=5)
    assert one.canonical() == two.canonical()
    assert one.canonical() != two.model_copy(update={"pieces": "JS"}).canonical()
