"""Clobber: its rules against rules that are written another way, and its matches."""

from random import Random

import pytest

from palaestra.generators.matches.clobber import Clobber as Rules
from palaestra.generators.matches.rules import LOSS, WIN, perft
from palaestra.generators.matches.solver import Solver
from palaestra.generators.matches.square_boards import Pieces
from palaestra.task import InvalidAnswer


def board_of(state, columns):
    sides = zip("XO", (state.first, state.second))
    return {divmod(n, columns): sign for sign, side in sides for n in range(64) if side >> n & 1}


def moves(board, sign):
    """The moves of a player, each with the board after it."""
    for (row, column), owner in board.items():
        for end in (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1):
            if owner == sign and board.get(end, sign) != sign:
                rest = {cell: each for cell, each in board.items() if cell != (row, column)}
                yield (row, column), end, rest | {end: sign}


def other(sign):
    return "O" if sign == "X" else "X"


def games(board, sign, plies):
    after = [each for _, _, each in moves(board, sign)]
    return len(after) if plies == 1 else sum(games(b, other(sign), plies - 1) for b in after)


def wins(board, sign):
    """Whether the player to move wins, by plain search."""
    return any(not wins(after, other(sign)) for _, _, after in moves(board, sign))


@pytest.mark.parametrize("size", [(2, 3), (3, 4), (5, 6)])
def test_counts_of_games(size):
    rules = Rules(*size)
    board = board_of(rules.start(), size[1])
    assert len(board) == size[0] * size[1]
    # Every two neighbours are opposed at the start.
    pairs = size[0] * (size[1] - 1) + size[1] * (size[0] - 1)
    assert perft(rules, rules.start(), 1) == pairs
    for plies in range(1, 4):
        assert perft(rules, rules.start(), plies) == games(board, "X", plies)


@pytest.mark.parametrize("size", [(3, 4), (4, 5), (6, 3)])
def test_games_go_by_the_rules(size):
    rules, rng = Rules(*size), Random(str(size))
    for _ in range(10):
        state = rules.start()
        while rules.outcome(state) is None:
            board, sign = board_of(state, size[1]), "XO"[state.turn]
            expected = {
                (a * size[1] + b, c * size[1] + d): after
                for (a, b), (c, d), after in moves(board, sign)
            }
            legal = rules.legal(state)
            assert len(legal) == len(expected)
            assert set(legal) == expected.keys()
            move = rng.choice(legal)
            state = rules.apply(state, move)
            assert board_of(state, size[1]) == expected[move]
        sign = "XO"[state.turn]
        assert not [*moves(board_of(state, size[1]), sign)]
        assert rules.outcome(state) == (LOSS if sign == "X" else WIN)


@pytest.mark.parametrize("size", [(1, 4), (1, 5), (2, 2), (2, 3), (2, 4), (3, 3), (1, 9)])
def test_winners(size):
    rules = Rules(*size)
    for turn in (0, 1):
        start = rules.start()._replace(turn=turn)
        won = Solver(rules).worth(start, turn) == WIN
        assert won == wins(board_of(start, size[1]), "XO"[turn])


def test_rows_of_alternating_pieces():
    """Whoever moves first wins on a row of alternating pieces of even length, except for six:
    conjectured by Albert et al. in 2004, proved by Chen et al. (arXiv:2509.08985, 2025).
    """
    for length in (2, 4, 6, 8, 10, 12):
        rules = Rules(1, length)
        assert (Solver(rules).worth(rules.start(), 0) == WIN) == (length != 6), length


def test_the_judgement_counts_pieces_that_can_move():
    rules = Rules(1, 6)
    state = Pieces(0b000101, 0b000010, 0)  # X O X . . .
    assert rules.judgement(state, 0) == 1
    assert rules.judgement(state, 1) == -1


@pytest.mark.parametrize(
    "text", ["r1c1-r1c2", "R1C1 -> R1C2", "(1, 1) to (1, 2)", "r1c1, r1c2", "from r1c1 to r1c2"]
)
def test_moves_are_read(text):
    rules = Rules(2, 3)
    assert rules.read(rules.start(), text) == (0, 1)


def test_moves_that_are_refused():
    rules = Rules(2, 3)
    with pytest.raises(InvalidAnswer, match="not a legal move"):
        rules.read(rules.start(), "r1c2-r1c1")
    with pytest.raises(InvalidAnswer, match="expected"):
        rules.read(rules.start(), "r1c1")
