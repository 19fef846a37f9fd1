"""Monte Carlo tree search: its moves where the right one is known, and who may play it."""

import asyncio
from random import Random

import pytest

import palaestra
from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.matches.pig import Pig
from palaestra.generators.matches.solver import Solver
from palaestra.registry import load
from palaestra.trainers.ranking import player, run_games
from palaestra.trainers.ranking.tree_search import best_move, position_of


@pytest.mark.parametrize("name", ["matches/kalah", "matches/domineering", "matches/othello"])
def test_many_simulations_find_winning_moves(name):
    right = 0
    for seed in range(5):
        task = Address.of(name, seed, 1).task()
        rules, state = position_of(task, Episode(task, BARE).turn)
        move = best_move(rules, state, 1_500, Random(seed))
        right += move in Solver(rules).best_moves(state)
    assert right >= 4


def test_a_win_in_one_move_is_taken():
    for seed in range(6):
        task = Address.of("matches/hex", seed, 0, least_moves=1).task()
        rules, state = position_of(task, Episode(task, BARE).turn)
        wins = {
            move
            for move in rules.legal(state)
            if rules.outcome(rules.apply(state, move)) is not None
        }
        if wins:
            assert best_move(rules, state, 400, Random(0)) in wins


def test_the_same_chance_gives_the_same_move():
    task = Address.of("matches/othello", 3, 2).task()
    rules, state = position_of(task, Episode(task, BARE).turn)
    moves = {best_move(rules, state, 60, Random(7)) for _ in range(3)}
    assert len(moves) == 1


def test_dice_are_rolled_in_the_tree():
    task = Address.of("matches/pig", 0, 0).task()
    rules, state = position_of(task, Episode(task, BARE).turn)
    assert isinstance(rules, Pig)
    assert best_move(rules, state, 300, Random(1)) in rules.legal(state)


def test_it_beats_players_of_random_moves():
    addresses = [Address.of("matches/othello", seed, 2) for seed in range(4)]
    done = asyncio.run(run_games(addresses, [player("mcts:100"), player("random")]))
    first = done.standings()[0]
    assert first.player == "mcts:100"
    assert first.wins >= 6


@pytest.mark.parametrize("name", ["matches/connect_four", "matches/tic_tac_toe"])
def test_wins_of_line_games_are_found(name):
    for seed in range(4):
        task = Address.of(name, seed, 1).task()
        rules, state = position_of(task, Episode(task, BARE).turn)
        move = rules.name(state, best_move(rules, state, 1_000, Random(seed)))
        assert move == next(iter(task.solve()))


@pytest.mark.parametrize("name", ["matches/connect_four", "matches/tic_tac_toe"])
def test_line_games_are_those_of_the_match(name):
    for seed in range(8):
        task, rng = Address.of(name, seed, 1).task(), Random(seed)
        episode = Episode(task, BARE, seats=(0, 1))
        rules, state = position_of(task, episode.turn)
        while episode.scores is None:
            assert rules.player(state) == episode.player
            assert rules.outcome(state) is None
            assert position_of(task, episode.turn)[1] == state
            names = {rules.name(state, move): move for move in rules.legal(state)}
            assert {*names} == {*episode.turn.legal_moves}
            name_of_move = rng.choice(sorted(names))
            state = rules.apply(state, names[name_of_move])
            episode.step(name_of_move)
        assert rules.outcome(state) == 2 * episode.scores[0].value


MATCHES = [name for name in palaestra.names() if name.startswith("matches/")]

REFUSED = {"hidden-information", "hidden-state", "many-players", "simultaneous", "teams"}
"""Tags of the matches that it cannot play."""

SEARCHED = [name for name in MATCHES if not REFUSED & load(name).tags]


@pytest.mark.parametrize("name", MATCHES)
def test_matches_are_searched_or_refused(name):
    task = Address.of(name, 0, 0).task()
    turn = Episode(task, BARE).turn
    if name in SEARCHED:
        rules, state = position_of(task, turn)
        assert rules.name(state, best_move(rules, state, 10, Random(0))) in turn.legal_moves
    else:
        with pytest.raises(ValueError, match="tree search needs"):
            position_of(task, turn)


@pytest.mark.parametrize("name", ["matches/kuhn_poker", "matches/three_player_line"])
def test_a_match_that_it_cannot_play_is_refused(name):
    task = Address.of(name, 0, 0).task()
    with pytest.raises(ValueError, match="tree search needs"):
        position_of(task, Episode(task, BARE).turn)


def test_names():
    assert player("mcts").name == player("mcts:200").name == "mcts:200"
    for name in ("mcts:0", "mcts:200000"):
        with pytest.raises(ValueError, match="1 to 100000 simulations"):
            player(name)
    with pytest.raises(ValueError, match="no player 'mcts:x'"):
        player("mcts:x")
