"""Minesweeper as a game: opening, rewards, and that no guess is necessary."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.games.deduction.minesweeper import Minesweeper
from palaestra.episode import BARE, Episode
from palaestra.generators.cells import neighbours
from palaestra.generators.minesweeper import covered, opened, refuted


def game(level=2, seed=0):
    return Minesweeper.sample(Random(seed), Minesweeper.Knobs.at(level))


def play(task, moves):
    episode = Episode(task, BARE)
    for move in moves:
        episode.step(move)
    return episode


def test_a_zero_opens_its_surroundings_and_nothing_beyond():
    assert opened(("????", "????"), {3}, 0) == ("001?", "001?")


def test_a_game_by_hand():
    task = Minesweeper(board=("01?", "01?", "01?"), total=1, mines=(5,))
    episode = play(task, ["open r1c3", "r3 c3"])
    assert episode.score.correct
    assert episode.rewards == [pytest.approx(1 / 8), pytest.approx(7 / 8)]


@given(st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_each_move_of_the_solver_follows_from_the_open_cells(seed):
    """The proof by contradiction for each cell shares no code with the solver."""
    task = game(level=seed % 3, seed=seed)
    board, size = task.board, len(task.board)
    proved = set()
    for move in task.solve():
        row, column = (int(n) - 1 for n in move.removeprefix("open r").split("c"))
        cell = row * size + column
        if cell not in proved:
            proved = refuted(board, task.total).safe
        assert cell in proved
        board = opened(board, task.mines, cell)
    assert set(covered(board)) == set(task.mines)


def test_the_first_board_is_true():
    task = game(level=3)
    around = neighbours(len(task.board), len(task.board))
    for cell, sign in enumerate("".join(task.board)):
        if sign != "?":
            assert cell not in task.mines
            assert int(sign) == len(set(around[cell]) & set(task.mines))


def test_a_mine_loses_everything_even_at_the_end():
    task = game()
    moves = list(task.solve())
    row, column = divmod(task.mines[0], len(task.board))
    episode = play(task, [*moves[:-1], f"open r{row + 1}c{column + 1}"])
    assert episode.score.value == 0
    assert sum(episode.rewards) == pytest.approx(0)


def test_moves_that_open_nothing_cost_a_turn_each():
    task = game()
    row, column = next(
        (r, c) for r, line in enumerate(task.board) for c, s in enumerate(line) if s != "?"
    )
    episode = play(task, [f"open r{row + 1}c{column + 1}", "open r99c1", "flag r1c1", ""])
    assert not any(episode.rewards)
    assert episode.turn.state.endswith(f"{task.turns() - 4} left")


def test_a_stalled_game_earns_no_more_than_an_honest_try():
    """Credit for open cells is paid back where the moves run out, as where a mine is opened."""
    task = game(level=4)
    moves = list(task.solve())[:-1]
    episode = play(task, moves + ["?"] * (task.turns() - len(moves)))
    assert episode.score.value == 0
    assert sum(episode.rewards) == pytest.approx(0)
    assert max(episode.rewards) > 0


def test_opening_cells_at_random_earns_next_to_nothing():
    earned = []
    for seed in range(40):
        task = Address.of("games/minesweeper", seed, 0).task()
        episode, rng = Episode(task, BARE), Random(seed)
        while episode.scores is None:
            episode.step(rng.choice(episode.turn.legal_moves))
        earned.append(episode.score.value)
    assert sum(earned) / len(earned) <= 0.05


def test_the_top_level_is_the_expert_board():
    task = game(Minesweeper.Knobs.levels() - 1)
    assert (len(task.board), len(task.board[0]), task.total) == (16, 30, 99)
    assert play(task, task.solve()).score.correct
