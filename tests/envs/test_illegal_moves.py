"""What illegal moves cost in games and matches: a retry of a bounded number, or a turn."""

import pytest

import palaestra
from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.registry import load
from palaestra.task import Puzzle

GAMES = [
    name
    for name in palaestra.names()
    if name.startswith(("games/", "matches/")) and not issubclass(load(name), Puzzle)
]

COUNTED = {
    "games/circle_the_cat",  # the cat moves
    "games/game_2048",
    "games/mastermind",
    "games/minesweeper",
    "games/snake",  # the snake waits; four such moves end the game
    "games/word_guessing",
}
"""Games in which an illegal move counts as a turn."""

NONSENSE = "zzz qqq"


def episode_of(name):
    return Episode(Address.of(name, 1, 1).task(), BARE)


@pytest.mark.parametrize("name", sorted({*GAMES} - COUNTED))
def test_three_illegal_moves_are_forgiven_and_a_fourth_ends_the_game(name):
    episode = episode_of(name)
    before = episode.turn
    for left in (2, 1, 0):
        assert episode.step(NONSENSE) == 0
        assert f"still allowed: {left}" in episode.observation
        assert (episode.turn.state, episode.turn.legal_moves) == (before.state, before.legal_moves)
    episode.step(NONSENSE)
    assert episode.score.value == 0
    assert "illegal moves" in episode.score.reason


@pytest.mark.parametrize("name", sorted({*GAMES} - COUNTED))
def test_a_retry_costs_nothing(name):
    episode = episode_of(name)
    episode.step(NONSENSE)
    for move in episode.task.solve():
        episode.step(move)
    assert episode.score.value == 1


@pytest.mark.parametrize("name", sorted(COUNTED))
def test_no_move_is_made_in_place_of_an_illegal_one(name):
    """Whatever the illegal moves say, what follows is the same, and it is bounded."""
    first, second = episode_of(name), episode_of(name)
    for n in range(200):
        if first.score is not None:
            break
        assert first.step(NONSENSE) <= 0
        second.step(f"{n} ?")
        assert first.turn.state == second.turn.state
    assert first.score.value < 0.5
