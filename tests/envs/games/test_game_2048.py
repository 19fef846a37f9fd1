"""2048: sliding, players who do not look, and tiles that depend only on the task."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.envs.games.game_2048 import Game2048
from palaestra.episode import BARE, Episode
from palaestra.generators.games.game_2048 import cycled, cycles, packed, slides, with_new_tile

tiles = st.sampled_from([0, 2, 4, 8])
boards = st.integers(2, 4).flatmap(
    lambda n: st.lists(st.tuples(*[tiles] * n), min_size=n, max_size=n).map(tuple)
)


def game(level=0, seed=0):
    return Game2048.sample(Random(seed), Game2048.Knobs.at(level))


@pytest.mark.parametrize(
    ("row", "after"),
    [
        ((2, 2, 2, 0), (4, 2, 0, 0)),
        ((4, 2, 2, 0), (4, 4, 0, 0)),
        ((2, 0, 0, 2), (4, 0, 0, 0)),
        ((2, 4, 2, 4), (2, 4, 2, 4)),
        ((4, 4, 8, 8), (8, 16, 0, 0)),
    ],
)
def test_tiles_merge_once_and_the_first_ones_first(row, after):
    assert packed(row) == after


@given(boards)
def test_sliding_keeps_the_sum_and_commutes_with_symmetries(board):
    after = slides(board)
    assert all(sum(map(sum, other)) == sum(map(sum, board)) for other in after.values())
    mirrored = slides(tuple(row[::-1] for row in board))
    turned = slides(tuple(zip(*board)))
    assert after.get("left") == (
        tuple(row[::-1] for row in mirrored["right"]) if "right" in mirrored else None
    )
    assert after.get("left") == (tuple(zip(*turned["up"])) if "up" in turned else None)


@given(
    boards.filter(lambda board: any(0 in row for row in board)),
    st.floats(0, 0.999),
    st.floats(0, 0.999),
)
def test_a_new_tile_takes_an_empty_cell(board, where, which):
    pairs = [
        (a, b) for rows in zip(board, with_new_tile(board, (where, which))) for a, b in zip(*rows)
    ]
    ((before, after),) = [pair for pair in pairs if pair[0] != pair[1]]
    assert before == 0
    assert after == (4 if which < 0.1 else 2)


@pytest.mark.parametrize("level", range(Game2048.Knobs.levels()))
def test_no_cycle_of_moves_wins_and_credit_is_paid_back(level):
    task = game(level, seed=level)
    for cycle in cycles():
        episode = Episode(task, BARE)
        while episode.scores is None:
            episode.step(cycle[len(episode.replies) % len(cycle)])
        assert episode.score.value == 0
        assert sum(episode.rewards) == pytest.approx(0)
        assert cycled(task.board, task.lucks(), cycle) < task.target


def test_doublings_earn_credit():
    task = game(3)
    rewards = Episode(task, BARE, list(task.solve())).rewards
    assert sum(reward > 0 for reward in rewards) >= 2
    assert sum(rewards) == pytest.approx(1)
    assert 0 < sum(rewards[:-1]) <= 0.5


def test_new_tiles_do_not_depend_on_the_moves():
    task = game(3)
    one, other = Episode(task, BARE), Episode(task, BARE)
    one.step("?")  # a wasted turn uses its random numbers
    assert one.turn.state.splitlines()[:-1] == other.turn.state.splitlines()[:-1]
    move = other.turn.legal_moves[0]
    other.step(move)
    again = Episode(task, BARE, [move])
    assert again.turn.state == other.turn.state


def test_a_move_that_changes_nothing_costs_a_turn():
    task = Game2048(board=((2, 0), (0, 0)), target=16, moves=3, chance_seed=1)
    episode = Episode(task, BARE, ["left", "up"])
    assert episode.turn.state == "2 .\n. .\n1 left"
    episode.step("left")
    assert episode.score.value == 0


def test_a_full_board_without_a_merge_ends_the_game():
    task = Game2048(board=((2, 4), (8, 2)), target=16, moves=5, chance_seed=1)
    with_move = task.model_copy(update={"board": ((2, 4), (2, 8)), "target": 64})
    episode = Episode(with_move, BARE, ["down"])
    assert episode.score is None or "no move" in episode.score.reason
    assert Episode(task, BARE).score.reason == "no move is left that changes the board"


@pytest.mark.parametrize("power", [5, 7, 8, 9])
@pytest.mark.parametrize("tiles", [4, 6])
def test_any_knobs_can_be_sampled(power, tiles):
    task = Game2048.sample(Random(1), Game2048.Knobs.at(0, power=power, tiles=tiles))
    assert task.moves <= 200
    assert list(task.solve())
