"""The game of a common attribute: its rules against rules that are written with texts."""

from functools import cache
from itertools import chain
from random import Random

import pytest

from palaestra.generators.matches.common_attribute import NONE, CommonAttribute, State
from palaestra.task import InvalidAnswer

RULES = CommonAttribute()
LINES = [
    *([(row, column) for column in range(4)] for row in range(4)),
    *([(row, column) for row in range(4)] for column in range(4)),
    [(n, n) for n in range(4)],
    [(n, 3 - n) for n in range(4)],
]


def lined(board):
    """Whether four pieces of a line, given as texts by cell, agree in a digit."""
    full = [[board[cell] for cell in line] for line in LINES if all(c in board for c in line)]
    return any(len(set(digits)) == 1 for codes in full for digits in zip(*codes))


def moves(board, left, hand):
    """All moves, as their names."""
    for row, column in ((r, c) for r in range(4) for c in range(4)):
        if (row, column) not in board:
            name = f"r{row + 1}c{column + 1}"
            if not left or lined(board | {(row, column): hand}):
                yield name
            else:
                yield from (f"{name} {piece}" for piece in left)


def played(board, left, hand, name):
    """What follows a move, by its name."""
    cell, *piece = name.split()
    after = board | {(int(cell[1]) - 1, int(cell[3]) - 1): hand}
    return after, left - set(piece), piece[0] if piece else None


@cache
def worth(cells, left, hand):
    """1, 0 or -1 for the player to move, of a game that goes on."""
    values = []
    for name in moves(dict(cells), sorted(left), hand):
        after, rest, piece = played(dict(cells), left, hand, name)
        if lined(after):
            return 1
        values.append(-worth(frozenset(after.items()), rest, piece) if piece else 0)
    return max(values)


def random_games(number):
    """Games of random moves: states with the same position as texts."""
    for seed in range(number):
        rng, state = Random(seed), RULES.start()
        board, left, hand = {}, frozenset(f"{n:04b}" for n in range(1, 16)), "0000"
        while True:
            yield state, board, left, hand
            if RULES.outcome(state) is not None:
                break
            safe = RULES.quiet(state)
            move = rng.choice(safe or RULES.legal(state))
            board, left, hand = played(board, left, hand, RULES.name(state, move))
            state = RULES.apply(state, move)


def test_games_go_by_the_rules():
    ends = set()
    for state, board, left, hand in random_games(30):
        outcome = RULES.outcome(state)
        if lined(board):
            assert outcome == (2 if state.turn else 0)  # the other player has moved last
        elif hand is None:
            assert outcome == 1
        else:
            assert outcome is None
            names = [RULES.name(state, move) for move in RULES.legal(state)]
            assert sorted(names) == sorted(moves(board, left, hand))
            assert [RULES.read(state, name) for name in names] == list(RULES.legal(state))
            codes = chain.from_iterable(
                row.split()[1:] for row in RULES.show(state).split("\n")[1:5]
            )
            assert [code for code in codes if "-" not in code] == [
                board[cell] for cell in sorted(board)
            ]
        ends.add(outcome)
    assert ends == {None, 0, 1, 2}


def test_the_search_agrees_with_brute_force():
    values = set()
    for state, board, left, hand in random_games(40):
        if hand is None or lined(board) or not 2 <= 16 - len(board) <= 4:
            continue
        value = worth(frozenset(board.items()), left, hand)
        assert RULES.solved(state) == 1 + (value if state.turn == 0 else -value)
        values.add(value)
    assert values == {-1, 0, 1}


def test_winning_moves_are_those_after_which_the_other_player_loses():
    number = 0
    for state, _, _, hand in random_games(20):
        if hand is None or RULES.outcome(state) is not None or RULES.free(state) > 5:
            continue
        if any(move[1] == NONE for move in RULES.legal(state)):
            continue
        after = {move: RULES.apply(state, move) for move in RULES.legal(state)}
        wins = {
            move
            for move, each in after.items()
            if RULES.solved(each) == (2 if state.turn == 0 else 0)
        }
        assert set(RULES.winning(state, 99)) == wins
        number += len(wins)
    assert number > 20


@pytest.mark.parametrize(
    "text",
    [
        "r2c3 0110",
        "r2c3, 0110",
        "R2C3 -> 0110",
        "row 2, column 3; 0110",
        "(2, 3), 0110",
        "I place it on r2c3 and hand over 0110.",
        "Put the piece at r2c3, give 0110",
    ],
)
def test_moves_are_read(text):
    assert RULES.read(RULES.start(), text) == (6, 6)


def test_illegal_moves_are_refused():
    state = RULES.apply(RULES.start(), (6, 6))
    with pytest.raises(InvalidAnswer, match="not free"):
        RULES.read(state, "r2c3 0001")
    with pytest.raises(InvalidAnswer, match="not one of"):
        RULES.read(state, "r1c1 0110")
    with pytest.raises(InvalidAnswer, match="has to place next"):
        RULES.read(state, "r1c1")
    with pytest.raises(InvalidAnswer):
        RULES.read(state, "r1c1 0001 0011")


def test_a_winning_move_hands_nothing_over():
    state = RULES.start()
    for move in [(0, 1), (1, 2), (2, 3), (4, 4)]:
        state = RULES.apply(state, move)
    state = State(*state)._replace(hand=4)
    won = RULES.read(state, "r1c4 0101")  # 0000, 0001, 0010 and 0100 have a 0 in common
    assert won == (3, NONE)
    assert RULES.name(state, won) == "r1c4"
    assert RULES.outcome(RULES.apply(state, won)) == 2
