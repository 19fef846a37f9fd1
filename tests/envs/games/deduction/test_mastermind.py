"""Mastermind: hints and the solver against brute force."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.games.deduction.mastermind import Mastermind, compare, fitting
from palaestra.episode import BARE, Episode

ROWS = st.text("123456", min_size=4, max_size=4)


def pegs(guess, code):
    """The hint by the rules of the board game: remove exact pegs, then match the others."""
    rest = [(g, c) for g, c in zip(guess, code) if g != c]
    left, misplaced = [c for _, c in rest], 0
    for g, _ in rest:
        if g in left:
            left.remove(g)
            misplaced += 1
    return len(code) - len(rest), misplaced


@given(ROWS, ROWS)
def test_hints(guess, code):
    assert compare(guess, code) == pegs(guess, code) == compare(code, guess)


@given(code=ROWS, guesses=st.lists(ROWS, max_size=5))
def test_the_solver_finds_a_fitting_code(code, guesses):
    clues = [(guess, compare(guess, code)) for guess in guesses]
    fit = fitting(clues, "123456", 4)
    assert fit is not None
    assert all(compare(guess, fit) == hint for guess, hint in clues)


def test_no_code_fits_clues_that_contradict():
    clues = [("1122", (4, 0)), ("1111", (0, 0))]
    assert fitting(clues, "123456", 4) is None


@pytest.mark.parametrize("level", range(6))
def test_first_clues_are_true_and_do_not_reveal_the_code(level):
    for seed in range(8):
        task = Address.of("games/mastermind", seed, level).task()
        assert all(compare(guess, task.code) == hint for guess, hint in task.clues)
        assert all(
            f"{guess}: {hint[0]} exact" in Episode(task).observation for guess, hint in task.clues
        )
        assert task.code not in Episode(task).observation
        if level < 2:
            codes = map("".join, product(task.signs(), repeat=len(task.code)))
            fit = [c for c in codes if all(compare(g, c) == h for g, h in task.clues)]
            assert task.code in fit


def played(moves):
    task = Mastermind(code="12", clues=(("21", (0, 2)),), digits=6, guesses=3)
    episode = Episode(task, BARE)
    for move in moves:
        episode.step(move)
    return episode


def test_invalid_guesses_cost_a_turn_and_get_no_hint():
    episode = played(["nothing", "17"])
    assert episode.turn.state == "21: 0 exact, 2 misplaced; 1 left"
    episode.step("11")
    assert episode.score.value == 0
    assert played(["x", "9", "1 2"]).score.value == 1


def test_the_observation_states_the_hint():
    assert "16: 1 exact, 0 misplaced. 2 guesses left." in played(["16"]).observation
