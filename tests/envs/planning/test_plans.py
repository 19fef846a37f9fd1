"""Plans of moving puzzles: the whole plan is right, a plan without its last step is not."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sample

from palaestra.envs.games.boards.circle_the_cat import CircleTheCat
from palaestra.envs.planning.knight_swap import KnightSwap
from palaestra.envs.planning.peg_solitaire import PegSolitaire
from palaestra.envs.planning.row_column_shift import RowColumnShift
from palaestra.envs.planning.rubiks_cube import RubiksCube
from palaestra.envs.planning.rush_hour import RushHour
from palaestra.envs.planning.tile_rotation import TileRotation
from palaestra.envs.planning.token_sliding_on_graph import TokenSlidingOnGraph
from palaestra.envs.planning.twiddle import Twiddle

SEEDS = st.integers(0, 10**6)
PLANNED = (
    KnightSwap, PegSolitaire, RowColumnShift, RubiksCube, RushHour, TileRotation,
    TokenSlidingOnGraph, Twiddle,
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from(PLANNED))
def test_a_plan_is_needed_in_full(seed, env):
    """The oracle's plan is right in both opinions, and is not without its last step."""
    task = sample(env, seed, seed % 3)
    answer = task.answer()
    assert task.verify(answer).value == 1
    assert task.audit(answer)
    last = " " if env is RubiksCube else ", " if ", " in answer else "\n"
    assert task.verify(answer.rpartition(last)[0]).value == 0


CORNERS = (
    (TokenSlidingOnGraph, {"nodes": 6, "extra": 1, "tokens": 2, "least": 13}),
    (TokenSlidingOnGraph, {"nodes": 12, "extra": 5, "tokens": 2, "least": 13}),
    (TokenSlidingOnGraph, {"nodes": 12, "extra": 5, "tokens": 4, "least": 13}),
    (KnightSwap, {"cells": 12, "knights": 1, "least": 14}),
    (RushHour, {"cars": 6, "drives": 9}),
    (RushHour, {"cars": 13, "drives": 2}),
    (RowColumnShift, {"rows": 2, "columns": 3, "shifts": 7}),
    (Twiddle, {"rows": 3, "columns": 3, "block": 3, "turns": 7}),
    (TileRotation, {"rows": 3, "columns": 3, "fixed": 10, "moves": 4}),
    (PegSolitaire, {"shape": "diamond", "pegs": 15}),
    (CircleTheCat, {"size": 5, "walls": 24}),
)


@pytest.mark.parametrize(("env", "knobs"), CORNERS)
def test_corners_of_the_knobs(env, knobs):
    """Knobs that are set by hand to their ends, all at once, have tasks too."""
    assert env.sample(Random(1), env.Knobs.at(0, **knobs), tries=2_000).is_valid()


@pytest.mark.parametrize(("env", "forms"), [(RowColumnShift, 195), (PegSolitaire, 250)])
def test_the_lowest_level_is_varied(env, forms):
    assert len({sample(env, seed, 0).canonical() for seed in range(1_500)}) >= forms
