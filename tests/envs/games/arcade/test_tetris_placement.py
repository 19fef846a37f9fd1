"""Tests of games/tetris_placement."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.games.arcade.tetris_placement import TetrisPlacement
from palaestra.generators.games.arcade import tetris_placement, tetrominoes

SEEDS = st.integers(0, 10_000)


def test_pieces_fall_and_full_rows_are_cleared() -> None:
    gap = (0b01111, 0b01111, 0b01111, 0b00111, 0, 0)  # five columns, the last one open
    put = tetrominoes.Placement
    drop = tetrominoes.dropped(gap, "I", put(2, 5), 5, 6)
    assert drop == ((0b10111, 0, 0, 0, 0, 0), 3)
    assert tetrominoes.dropped(gap, "I", put(2, 6), 5, 6) is None  # beside the board
    assert tetrominoes.dropped(gap, "I", put(2, 1), 5, 6) is None  # sticks out above
    assert [len(tetrominoes.turns(piece)) for piece in "IOTSZJL"] == [2, 1, 4, 2, 2, 4, 4]


@pytest.mark.parametrize("level", range(6))
def test_verify_agrees_with_the_simulation_of_squares(level: int) -> None:
    task = Address.of("games/tetris_placement", 4, level).task()
    rng = Random(level)
    for _ in range(60):
        plan = [rng.choice([*tetrominoes.options(p, task.width)]) for p in task.pieces]
        answer = "\n".join(f"{p}{w.turn} {w.column}" for p, w in zip(task.pieces, plan))
        assert (task.verify(answer).value == 1) == task.audit(answer)


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_drops_agree_with_the_simulation_of_squares(seed: int) -> None:
    rng = Random(seed)
    board = tetris_placement.rubble(rng, rng.randint(1, 5), 6, 7)
    full = {(r, c) for r, row in enumerate(board) for c in range(6) if row >> c & 1}
    piece = rng.choice("IOTSZJL")
    for turn, column in product(range(1, len(tetrominoes.turns(piece)) + 1), range(8)):
        where = tetrominoes.Placement(turn, column)
        drop = tetrominoes.dropped(board, piece, where, 6, 7)
        slow = tetrominoes.dropped_by_squares(full, piece, where, 6, 7)
        assert (drop is None) == (slow is None)
        if drop is not None:
            after = {(r, c) for r, row in enumerate(drop.board) for c in range(6) if row >> c & 1}
            assert (after, drop.cleared) == slow


@pytest.mark.parametrize("level", [0, 1])
def test_the_random_baseline_is_exact(level: int) -> None:
    task = Address.of("games/tetris_placement", 2, level).task()
    plans = list(product(*(list(tetrominoes.options(p, task.width)) for p in task.pieces)))
    good = sum(task.cleared(plan)[0] >= task.goal() for plan in plans)
    assert good > 0
    assert task.random_baseline() == pytest.approx(good / len(plans))


def test_mirror_images_have_one_canonical_form() -> None:
    one = TetrisPlacement(board=(0b00111, 0b01111, 0, 0, 0, 0), pieces="JS", width=5)
    two = TetrisPlacement(board=(0b11100, 0b11110, 0, 0, 0, 0), pieces="LZ", width=5)
    assert one.canonical() == two.canonical()
    assert one.canonical() != two.model_copy(update={"pieces": "JS"}).canonical()
