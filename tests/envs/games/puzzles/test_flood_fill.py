"""Flood filling, against a search of its own on rules that are written another way."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.games.puzzles.flood_fill import FloodFill
from palaestra.episode import BARE, Episode
from palaestra.generators.games.puzzles.flood_fill import NAMES
from palaestra.generators.games.puzzles.flood_fill import FloodFill as Rules
from palaestra.task import InvalidAnswer


def filled(board, colour):
    """A board, as a dictionary of cells, after a move."""
    old, waiting, board = board[0, 0], [(0, 0)], dict(board)
    while waiting:
        row, column = waiting.pop()
        if board.get((row, column)) == old:
            board[row, column] = colour
            waiting += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return board


def fewest_moves(board):
    """The length of a shortest plan, breadth first."""
    wave, moves = {tuple(sorted(board.items()))}, 0
    while not any(len({colour for _, colour in one}) == 1 for one in wave):
        wave = {
            tuple(sorted(filled(dict(one), colour).items()))
            for one in wave
            for colour in {c for _, c in one} - {dict(one)[0, 0]}
        }
        moves += 1
    return moves


@pytest.mark.parametrize("seed", range(12))
def test_plans_are_shortest(seed):
    task = Address.of("games/flood_fill", seed, seed % 3).task()
    assert isinstance(task, FloodFill)
    board = {divmod(n, task.size): colour for n, colour in enumerate(task.start())}
    shortest = fewest_moves(board)
    assert len(list(task.solve())) == shortest
    spare = FloodFill.Knobs.at(seed % 3).spare
    assert task.moves == shortest + spare


@pytest.mark.parametrize("seed", range(20))
def test_moves_fill_and_estimates_are_never_too_high(seed):
    rng, rules = Random(seed), Rules(4)
    board = tuple(rng.randrange(4) for _ in range(16))
    while len(set(board)) > 1:
        cells = {divmod(n, 4): colour for n, colour in enumerate(board)}
        assert rules.distance(board) <= fewest_moves(cells)
        move = rng.choice(rules.legal(board))
        board = rules.apply(board, move)
        assert {divmod(n, 4): colour for n, colour in enumerate(board)} == filled(cells, move)
    assert rules.distance(board) == 0


@pytest.mark.parametrize(
    "text", ["blue", "Blue.", "B", "fill with blue", "colour blue", "I choose the color blue."]
)
def test_colours_are_read(text):
    assert NAMES[Rules(2).read((0, 2, 1, 2), text)] == "blue"


@pytest.mark.parametrize("text", ["red", "white", "", "blue green", "3"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer, match="expected one of green, blue"):
        Rules(2).read((0, 2, 1, 2), text)


def test_too_many_moves_lose_and_pay_the_credit_back():
    task = Address.of("games/flood_fill", 3, 3).task()
    episode = Episode(task, BARE)
    while episode.score is None:
        episode.step(episode.turn.legal_moves[-1 if len(episode.replies) % 2 else 0])
    assert episode.score.value == 0
    assert sum(episode.rewards) == pytest.approx(0)
