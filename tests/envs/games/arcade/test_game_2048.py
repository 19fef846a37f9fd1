"""2048: sliding, players who do not look, and tiles that depend only on the task."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.envs.games.arcade.game_2048 import Game2048, expert
from palaestra.episode import BARE, Episode
from palaestra.generators.games.arcade.game_2048.boards import (
    best,
    cycled,
    cycles,
    packed,
    random_tiles,
    scattered,
    slides,
    with_new_tile,
)
from palaestra.generators.games.arcade.game_2048.expectimax import code, player
from palaestra.testing.baselines import followed

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
    task = game(0)
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


@pytest.mark.parametrize("power", [6, 9])
@pytest.mark.parametrize("lacking", [8, 310])
def test_any_knobs_can_be_sampled(power, lacking):
    task = Game2048.sample(Random(1), Game2048.Knobs.at(3, power=power, lacking=lacking))
    assert best(task.board) < task.target
    assert list(task.solve())


@pytest.mark.parametrize(("size", "power", "target"), [(3, 11, 128), (4, 6, 256)])
def test_targets_fit_the_board(size, power, target):
    task = Game2048.sample(Random(1), Game2048.Knobs.at(0, size=size, power=power))
    assert task.target == target


def test_the_longest_game_has_fewer_moves_than_any_player_of_the_checks_makes():
    bounds = Game2048.Knobs.model_json_schema()["properties"]
    knobs = Game2048.Knobs.at(5, lacking=bounds["lacking"]["maximum"])
    assert Game2048.generate(Random(0), knobs).moves < 400


@given(boards)
def test_slides_of_coded_rows_agree_with_those_of_boards(board):
    rows = [code(row) for row in board]
    coded = player(len(board))
    decoded = {
        way: tuple(map(coded.tiles, after if way in {"left", "right"} else coded.turned(after)))
        for way, after in coded.slides(rows)
    }
    assert decoded == dict(slides(board))


@given(boards)
def test_the_worth_of_a_board_is_that_of_its_transpose(board):
    coded = player(len(board))
    rows = [code(row) for row in board]
    columns = [code(column) for column in zip(*board)]
    assert coded.turned(rows) == columns
    assert coded.value(rows) == coded.value(columns)


@pytest.mark.parametrize("level", [1, 4])
def test_the_solution_does_not_depend_on_tiles_to_come(level):
    """Other tiles from some turn on leave the moves up to that turn as they are."""
    task = game(level, 2)
    moves = expert(task.board, task.target, task.lucks())
    others = random_tiles(task.chance_seed + 1, task.moves)
    for turn in range(0, len(moves), 7):
        swapped = (*task.lucks()[:turn], *others[turn:])
        again = expert(task.board, task.target, swapped)
        assert not again or again[: turn + 1] == moves[: turn + 1]
    assert expert(task.board, task.target, others) != moves


@pytest.mark.parametrize("level", range(Game2048.Knobs.levels()))
def test_few_games_are_discarded_because_the_player_without_foresight_loses(level):
    games = [Game2048.generate(Random(seed), Game2048.Knobs.at(level)) for seed in range(10)]
    assert sum(bool(list(task.solve())) for task in games) >= 8


def test_a_player_of_one_ply_wins_less_up_the_ladder():
    def wins(level):
        tasks = [game(level, seed) for seed in range(10)]
        policies = [task.baselines(Random(0))["expert of one ply"] for task in tasks]
        return sum(followed(*pair).score.correct for pair in zip(tasks, policies))

    low, middle, top = wins(0), wins(1), wins(5)
    assert low > middle >= top


def test_the_greatest_tiles_are_in_order_from_a_corner():
    for seed in range(20):
        board = scattered(Random(seed), 4, 1748, 3)
        lines = [*board, *(row[::-1] for row in board), *zip(*board)]
        lines += [column[::-1] for column in zip(*board)]
        assert any(line[:3] == (1024, 512, 128) for line in lines)
        assert best(board) in (board[0][0], board[0][3], board[3][0], board[3][3])


def test_what_a_reply_that_is_no_move_costs_is_stated():
    task = game()
    for wording in range(2):
        worded = task.model_copy(update={"wording": wording})
        assert "a reply that is not a move" in worded.rules()
    episode = Episode(task, BARE, ["zzz"])
    assert "the reply counts as a move" in episode.observation
    assert f"{task.moves - 1} moves left" in episode.observation
