"""Breakthrough: its rules against rules that are written another way, and its matches."""

from random import Random

import pytest

from palaestra.generators.matches.breakthrough import Breakthrough as Rules
from palaestra.generators.matches.rules import LOSS, WIN, perft
from palaestra.generators.matches.solver import Solver
from palaestra.generators.matches.square_boards import Pieces
from palaestra.task import InvalidAnswer

START = {(row, column): "O" if row < 2 else "X" for row in (0, 1, 6, 7) for column in range(8)}


def moves(board, sign, rows=8, columns=8):
    """The moves of a player on a board that maps cells to signs."""
    down = 1 if sign == "O" else -1
    for (row, column), owner in board.items():
        for right in (-1, 0, 1):
            end = row + down, column + right
            inside = 0 <= end[0] < rows and 0 <= end[1] < columns
            blocked = {sign} if right else {"X", "O"}
            if owner == sign and inside and board.get(end) not in blocked:
                yield (row, column), end


def games(board, sign, plies):
    """The number of games of so many plies from a board on which nobody can win that soon."""
    if plies == 0:
        return 1
    other = "O" if sign == "X" else "X"
    after = (
        {cell: owner for cell, owner in board.items() if cell != start} | {end: sign}
        for start, end in moves(board, sign)
    )
    return sum(games(each, other, plies - 1) for each in after)


def test_perft():
    rules = Rules(8, 8)
    counts = [perft(rules, rules.start(), plies) for plies in range(1, 5)]
    assert counts == [22, 484, 11_132, 256_036]
    assert counts[:3] == [games(START, "X", plies) for plies in range(1, 4)]


def board_of(state, columns):
    sides = zip("XO", (state.first, state.second))
    return {divmod(n, columns): sign for sign, side in sides for n in range(64) if side >> n & 1}


@pytest.mark.parametrize(("rows", "columns"), [(5, 4), (6, 6), (7, 3)])
def test_games_go_by_the_rules(rows, columns):
    rules, rng = Rules(rows, columns), Random(rows)
    for _ in range(8):
        state = rules.start()
        while rules.outcome(state) is None:
            board, sign = board_of(state, columns), "XO"[state.turn]
            expected = {
                (a * columns + b, c * columns + d)
                for (a, b), (c, d) in moves(board, sign, rows, columns)
            }
            legal = rules.legal(state)
            assert len(legal) == len(set(legal))
            assert set(legal) == expected
            ends = {row for row, _ in (divmod(end, columns) for _, end in legal)}
            assert rules.threat(state) == bool(ends & {0, rows - 1})
            start, end = rng.choice(legal)
            del board[divmod(start, columns)]
            board[divmod(end, columns)] = sign
            state = rules.apply(state, (start, end))
            assert board_of(state, columns) == board
        over = rules.outcome(state)
        winner = "X" if over == WIN else "O"
        assert (0 if winner == "X" else rows - 1, winner) in {
            (row, owner) for (row, _), owner in board.items()
        } or set(board.values()) == {winner}


def test_ends():
    rules = Rules(5, 4)
    x, o = 1 << 12, 1 << 5
    assert rules.outcome(Pieces(x, o, 0)) is None
    assert rules.outcome(Pieces(x | 1 << 2, o, 1)) == WIN
    assert rules.outcome(Pieces(x, o | 1 << 17, 0)) == LOSS
    assert rules.outcome(Pieces(x, 0, 1)) == WIN
    assert rules.outcome(Pieces(0, o, 0)) == LOSS


def test_races():
    """Alone on its way, the player who is ahead wins, and with as many rows to go the mover."""
    rules = Rules(6, 6)
    ahead, behind = 1 << 12, 1 << 17  # X needs two moves, O needs three
    assert Solver(rules).worth(Pieces(ahead, behind, 1), 0) == WIN
    assert Solver(rules).worth(Pieces(1 << 18, behind, 0), 0) == WIN
    assert Solver(rules).worth(Pieces(1 << 18, behind, 1), 0) == LOSS


@pytest.mark.parametrize(
    "text",
    [
        "r4c1-r3c2",
        "R4C1 - R3C2",
        "r4c1 to r3c2",
        "(4, 1) -> (3, 2)",
        "row 4 column 1, row 3 column 2",
    ],
)
def test_moves_are_read(text):
    rules = Rules(5, 4)
    assert rules.read(Pieces(1 << 12, 1 << 9, 0), text) == (12, 9)
    with pytest.raises(InvalidAnswer, match="not a legal move"):
        rules.read(Pieces(1 << 12, 1 << 8, 0), text.replace("2", "1"))
    with pytest.raises(InvalidAnswer):
        rules.read(Pieces(1 << 12, 1 << 9, 0), "r4c1")
