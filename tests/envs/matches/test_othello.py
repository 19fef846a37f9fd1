"""Othello: its rules against published counts and against rules that are written another way."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.matches.othello import Othello
from palaestra.episode import BARE, Episode
from palaestra.generators.matches.othello import PASS, State
from palaestra.generators.matches.othello import Othello as Rules
from palaestra.generators.matches.rules import perft
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer

WAYS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]


def enclosed(board, size, cell, player):
    """The discs that a new disc encloses, cell by cell."""
    turned = []
    for down, right in WAYS:
        line, (row, column) = [], (cell[0] + down, cell[1] + right)
        while board.get((row, column)) == 1 - player:
            line.append((row, column))
            row, column = row + down, column + right
        if line and board.get((row, column)) == player:
            turned += line
    return turned


def placeable(board, size, player):
    cells = [(row, column) for row in range(size) for column in range(size)]
    return [c for c in cells if c not in board and enclosed(board, size, c, player)]


def board_of(state, size):
    cells = range(size * size)
    sides = (state.first, state.second)
    return {divmod(n, size): p for p in (0, 1) for n in cells if sides[p] >> n & 1}


@pytest.mark.parametrize("size", [4, 6, 8])
def test_games_go_by_the_rules(size):
    rules, rng = Rules(size), Random(size)
    for _ in range(4):
        state = rules.start()
        while rules.outcome(state) is None:
            board, player = board_of(state, size), state.turn
            cells = placeable(board, size, player)
            legal = rules.legal(state)
            assert sorted(legal) == sorted(r * size + c for r, c in cells) or legal == (PASS,)
            move = rng.choice(legal)
            if move == PASS:
                assert not cells
            else:
                cell = divmod(move, size)
                board |= dict.fromkeys([cell, *enclosed(board, size, cell, player)], player)
            state = rules.apply(state, move)
            assert board_of(state, size) == board
            assert state.turn == 1 - player
        board = board_of(state, size)
        assert not placeable(board, size, 0)
        assert not placeable(board, size, 1)
        lead = sum(1 if owner == 0 else -1 for owner in board.values())
        assert rules.outcome(state) == 1 + (lead > 0) - (lead < 0)


def test_perft():
    """Published by Paul Byrne and by Aart Bik: https://www.aartbik.com/strategy.php."""
    rules = Rules(8)
    counts = [perft(rules, rules.start(), depth) for depth in range(1, 7)]
    assert counts == [4, 12, 56, 244, 1_396, 8_200]


def test_the_second_player_wins_on_four_by_four():
    """The small board is solved: White wins (Feinstein, 1993, states it for six by six, too)."""
    rules = Rules(4)
    assert Solver(rules).worth(rules.start(), 1) == 2


@pytest.mark.parametrize("text", ["r1c3", "R1 C3", "row 1, column 3", "(1, 3)", "1, 3"])
def test_moves_are_read(text):
    rules = Rules(8)
    with pytest.raises(InvalidAnswer):
        rules.read(rules.start(), text)
    assert rules.read(State(1 << 0, 1 << 1, 0), text) == 2


def test_passing_is_for_those_who_cannot_move():
    rules = Rules(4)
    with pytest.raises(InvalidAnswer, match="may not pass"):
        rules.read(rules.start(), "pass")
    blocked = State(0b0001, 0b0010, 1)  # O encloses nothing; X does, with r1c3
    assert rules.legal(blocked) == (PASS,)
    assert rules.read(blocked, "Pass.") == PASS
    assert rules.player(rules.apply(blocked, PASS)) == 0


def test_the_final_scene_has_the_last_move():
    task = Address.of("matches/othello", 2, 1).task()
    assert isinstance(task, Othello)
    episode = Episode(task, BARE)
    for move in task.solve():
        episode.step(move)
    scene = task.final_scene(["no move", *episode.moves])
    assert len(scene.last) == 1
    assert scene != episode.turn.scene()
    discs = sum(cell.mark == "disc" for row in scene.cells for cell in row)
    assert discs > sum(cell.mark == "disc" for row in episode.turn.scene().cells for cell in row)
