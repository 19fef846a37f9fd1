"""Konane: its rules against rules that are written another way, and its matches."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.matches.konane import Konane
from palaestra.episode import BARE, Episode
from palaestra.generators.matches.konane import Konane as Rules
from palaestra.generators.matches.konane import State
from palaestra.generators.matches.rules import LOSS, WIN, perft
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer


def board_of(state, columns):
    sides = zip("XO", (state.first, state.second))
    return {divmod(n, columns): sign for sign, side in sides for n in range(64) if side >> n & 1}


def moves(board, size, sign):
    """The moves of a player, each with the board after it."""
    cells = {(row, column) for row in range(size[0]) for column in range(size[1])}
    for start, owner in board.items():
        for way in (1, 0), (-1, 0), (0, 1), (0, -1):
            rest = {cell: each for cell, each in board.items() if cell != start}
            cell = start
            while owner == sign:
                over = cell[0] + way[0], cell[1] + way[1]
                cell = over[0] + way[0], over[1] + way[1]
                if rest.get(over) in {None, sign} or cell in rest or cell not in cells:
                    break
                del rest[over]
                yield start, cell, rest | {cell: sign}


def games(board, size, sign, plies):
    after = [each for _, _, each in moves(board, size, sign)]
    other = "O" if sign == "X" else "X"
    return len(after) if plies == 1 else sum(games(b, size, other, plies - 1) for b in after)


@pytest.mark.parametrize("size", [(4, 4), (6, 6), (4, 7)])
def test_counts_of_games(size):
    rules = Rules(*size)
    board = board_of(rules.start(), size[1])
    assert len(board) == size[0] * size[1] - 2
    for plies in range(1, 5):
        assert perft(rules, rules.start(), plies) == games(board, size, "X", plies)


@pytest.mark.parametrize("size", [(4, 4), (5, 6), (6, 5)])
def test_games_go_by_the_rules(size):
    rules, rng = Rules(*size), Random(str(size))
    for _ in range(6):
        state = rules.start()
        while rules.outcome(state) is None:
            board, sign = board_of(state, size[1]), "XO"[state.turn]
            expected = {
                (a * size[1] + b, c * size[1] + d): after
                for (a, b), (c, d), after in moves(board, size, sign)
            }
            legal = rules.legal(state)
            assert len(legal) == len(expected)
            assert set(legal) == expected.keys()
            move = rng.choice(legal)
            state = rules.apply(state, move)
            assert board_of(state, size[1]) == expected[move]
        sign = "XO"[state.turn]
        assert not [*moves(board_of(state, size[1]), size, sign)]
        assert rules.outcome(state) == (LOSS if sign == "X" else WIN)


def wins(board, size, sign):
    """Whether the player to move wins, by plain search."""
    other = "O" if sign == "X" else "X"
    return any(not wins(after, size, other) for _, _, after in moves(board, size, sign))


@pytest.mark.parametrize("size", [(2, 4), (3, 4), (4, 4)])
def test_winners(size):
    rules = Rules(*size)
    for turn in (0, 1):
        start = rules.start()._replace(turn=turn)
        won = Solver(rules).worth(start, turn) == WIN
        assert won == wins(board_of(start, size[1]), size, "XO"[turn])


def test_jumps_in_a_line_may_stop_early():
    rules = Rules(1, 7)
    state = State(0b0000001, 0b0101010, 0)  # X O . O . O .
    assert {rules.name(state, move) for move in rules.legal(state)} == {
        "r1c1-r1c3", "r1c1-r1c5", "r1c1-r1c7",
    }  # fmt: skip
    assert rules.apply(state, (0, 4)) == State(0b0010000, 0b0100000, 1)


@pytest.mark.parametrize(
    "text",
    [
        "r1c1-r1c5", "R1C1 -> R1C5", "(1, 1) to (1, 5)", "r1c1-r1c3-r1c5", "r1c1, r1c5",
        "Move from r1c1 to r1c5", "row 1 column 1 - row 1 column 5",
    ],
)  # fmt: skip
def test_moves_are_read(text):
    assert Rules(1, 7).read(State(0b0000001, 0b0101010, 0), text) == (0, 4)


def test_moves_that_are_refused():
    rules, state = Rules(1, 7), State(0b0000001, 0b0101010, 0)
    with pytest.raises(InvalidAnswer, match="not a legal move"):
        rules.read(state, "r1c1-r1c4")
    with pytest.raises(InvalidAnswer, match="expected"):
        rules.read(state, "r1c1")
    with pytest.raises(InvalidAnswer, match="outside"):
        rules.read(state, "r1c1-r1c9")


def test_the_perfect_player_wins():
    for seed in range(4):
        task = Address.of("matches/konane", seed, 2).task()
        episode = Episode(task, BARE)
        for move in task.solve():
            episode.step(move)
        assert episode.score.value == 1


def test_the_opponent_takes_what_a_mistake_gives():
    lost = 0
    for seed in range(8):
        task = Address.of("matches/konane", seed, 3).task()
        assert isinstance(task, Konane)
        rules, start, solver = task.rules(), task.start(), task.solver()
        bad = [m for m in rules.legal(start) if m not in solver.best_moves(start)]
        if not bad:
            continue
        episode = Episode(task, BARE)
        episode.step(rules.name(start, bad[0]))
        rng = Random(seed)
        while episode.score is None:
            episode.step(rng.choice(episode.turn.legal_moves))
        assert episode.score.value == 0
        lost += 1
    assert lost > 3
