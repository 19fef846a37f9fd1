"""What matches from won positions have in common, and those on boards of square cells."""

from random import Random

import pytest

import palaestra
from palaestra.episode import Episode
from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.square_boards import read_cell, read_hop
from palaestra.registry import load
from palaestra.task import InvalidAnswer

MATCHES = [
    "matches/alquerque",
    "matches/arrow_queens",
    "matches/breakthrough",
    "matches/checkers",
    "matches/chess",
    "matches/chomp",
    "matches/chopsticks",
    "matches/clobber",
    "matches/coin_turning",
    "matches/common_attribute",
    "matches/dodgem",
    "matches/domineering",
    "matches/dots_and_boxes",
    "matches/fox_and_hounds",
    "matches/go",
    "matches/gomoku",
    "matches/graph_pursuit",
    "matches/hex",
    "matches/isolation",
    "matches/kalah",
    "matches/kayles",
    "matches/letter_duel",
    "matches/lines_of_action",
    "matches/mill_game",
    "matches/nim",
    "matches/notakto",
    "matches/othello",
    "matches/quantum_tic_tac_toe",
    "matches/sim",
    "matches/three_mens_morris",
    "matches/three_player_line",
    "matches/tower_climbing",
    "matches/trick_taking",
    "matches/ultimate_tic_tac_toe",
    "matches/wild_lines",
]


def test_every_match_from_won_positions_is_listed():
    matches = [name for name in palaestra.names() if name.startswith("matches/")]
    assert [name for name in matches if issubclass(load(name), BoardMatch)] == MATCHES


@pytest.mark.parametrize("name", MATCHES)
def test_the_order_of_legal_moves_is_no_hint(name):
    """The rules list moves that are likely to be good first."""
    for seed in range(3):
        turn = Episode(palaestra.Address.of(name, seed, 2).task(), "bare").turn
        assert [*turn.legal_moves] == sorted(turn.legal_moves)


MAY_DRAW = {
    "matches/common_attribute",
    "matches/dots_and_boxes",
    "matches/kalah",
    "matches/quantum_tic_tac_toe",
    "matches/ultimate_tic_tac_toe",
    "matches/wild_lines",
}
"""Matches in which a mistake may leave a draw."""


@pytest.mark.parametrize("name", MATCHES)
def test_the_perfect_player_wins(name):
    for level in range(load(name).Knobs.levels()):
        task = palaestra.Address.of(name, 7, level).task()
        episode = Episode(task, "bare", list(task.solve()))
        assert episode.score.value == 1


@pytest.mark.parametrize("name", MATCHES)
def test_the_opponent_takes_what_a_mistake_gives(name):
    lost = 0
    for seed in range(8):
        task = palaestra.Address.of(name, seed, 2 + seed % 2).task()
        rules, start, best = task.rules(), task.start(), task.solver().best_moves(task.start())
        bad = [move for move in rules.legal(start) if move not in best]
        if not bad:
            continue
        episode, rng = Episode(task, "bare"), Random(seed)
        episode.step(rules.name(start, bad[0]))
        while episode.score is None:
            episode.step(rng.choice(episode.turn.legal_moves))
        assert episode.score.value <= 0.5 * (name in MAY_DRAW)
        lost += 1
    assert lost > 4


@pytest.mark.parametrize(
    "text",
    ["r2c3", "Move: r2c3", "My move: r2c3", "my move is r2c3", "to r2c3", "move to row 2 column 3",
     "I move to r2c3.", "r2c3!", "My next move = (2, 3)", "I play r2c3.", "Play r2c3",
     "play at r2c3", "I will place on r2c3", "I'll choose r2c3", "Place a stone on r2c3",
     "I put my stone at r2c3.", "I mark r2c3", "Put a mark in row 2, column 3"],
)  # fmt: skip
def test_lead_ins_of_cells_are_read(text):
    assert read_cell(text, 4, 4, range(16)) == 6


@pytest.mark.parametrize(
    "text",
    ["r2c3-r1c3", "My move: r2c3-r1c3", "Move: r2c3 -> r1c3!", "move r2c3 to r1c3",
     "I play r2c3-r1c3.", "I choose r2c3-r1c3"],
)  # fmt: skip
def test_lead_ins_of_hops_are_read(text):
    assert read_hop(text, 4, 4, [(6, 2)]) == (6, 2)


@pytest.mark.parametrize(
    "text",
    ["my move", "move:", "!", "to to r2c3", "not r2c3", "r2c3 or r1c1", "my move: " * 99, "I play",
     "I play not r2c3", "X", "play play r2c3", "put r2c3 not",
     "place no stone on r2c3", "a stone on r2c3 and r1c1", "O plays r2c3", "O: r2c3"],
)  # fmt: skip
def test_other_texts_are_refused(text):
    with pytest.raises(InvalidAnswer):
        read_cell(text, 4, 4, range(16))
