"""Kalah: published counts and values, rules written another way, the reader, and the match."""

from random import Random

import pytest

from palaestra.generators.matches.kalah import Kalah, State
from palaestra.generators.matches.rules import perft
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer


def sown(seeds, houses, player, number):
    """The contents after a move, by names such as ("X", 1) and ("X", "store"), and who is next."""
    board = dict(seeds)
    me, you = ("X", "O") if player == 0 else ("O", "X")
    ring = [*((me, n) for n in range(1, houses + 1)), (me, "store"),
            *((you, n) for n in range(1, houses + 1))]  # fmt: skip
    hand, at = board[me, number], number - 1
    board[me, number] = 0
    for _ in range(hand):
        at = (at + 1) % len(ring)
        board[ring[at]] += 1
    last = ring[at]
    if last[0] == me and last[1] != "store" and board[last] == 1:
        opposite = you, houses + 1 - last[1]
        if board[opposite]:
            board[me, "store"] += 1 + board[opposite]
            board[last] = board[opposite] = 0
    turn = player if last == (me, "store") else 1 - player
    mine, other = ("X", "O") if turn == 0 else ("O", "X")
    if not any(board[mine, n] for n in range(1, houses + 1)):
        for n in range(1, houses + 1):
            board[other, "store"] += board[other, n]
            board[other, n] = 0
    return board, turn


def names(state, houses):
    keys = [(side, n) for side in "XO" for n in (*range(1, houses + 1), "store")]
    return dict(zip(keys, state.seeds))


@pytest.mark.parametrize(("houses", "seeds"), [(3, 2), (4, 3), (6, 3), (6, 6)])
def test_games_go_by_the_rules(houses, seeds):
    rules, rng = Kalah(houses, seeds), Random(houses)
    for _ in range(10):
        state = rules.start()
        board, total = names(state, houses), 2 * houses * seeds
        while rules.outcome(state) is None:
            me = "XO"[state.turn]
            legal = rules.legal(state)
            assert {n + 1 for n in legal} == {n for n in range(1, houses + 1) if board[me, n]}
            move = rng.choice(legal)
            board, turn = sown(board, houses, state.turn, move + 1)
            state = rules.apply(state, move)
            assert (names(state, houses), state.turn) == (board, turn)
            assert sum(state.seeds) == total
            in_houses = sum(n for (_, at), n in board.items() if at != "store")
            assert rules.free(state) == in_houses
        first, second = board["X", "store"], board["O", "store"]
        assert rules.outcome(state) == 1 + (first > second) - (first < second)
        assert max(first, second) * 2 > total or first == second


def test_first_moves():
    """With six seeds in six houses, only house 1 ends in the store."""
    rules = Kalah(6, 6)
    again = [n for n in range(6) if rules.apply(rules.start(), n).turn == 0]
    assert again == [0]
    assert perft(rules, rules.start(), 2) == 5 * 6 + 5


SOLVED = {(2, "WLLLWW"), (3, "DWWW"), (4, "WW")}
"""The number of houses, and the values for 1, 2, 3, ... seeds in each."""


@pytest.mark.parametrize(("houses", "values"), sorted(SOLVED))
def test_small_games(houses, values):
    """Irving, Donkers and Uiterwijk, "Solving Kalah" (2000), table of small instances."""
    for seeds, value in enumerate(values, 1):
        rules = Kalah(houses, seeds)
        assert Solver(rules).value(rules.start()) == "LDW".index(value)


def test_special_moves():
    rules = Kalah(3, 2)
    capture = State((1, 0, 2, 0, 1, 4, 2, 0), 0)  # house 1 ends in house 2, opposite 4 seeds
    assert rules.apply(capture, 0) == State((0, 0, 2, 5, 1, 0, 2, 0), 1)
    nothing = State((1, 0, 2, 0, 1, 0, 2, 0), 0)
    assert rules.apply(nothing, 0) == State((0, 1, 2, 0, 1, 0, 2, 0), 1)
    around = State((0, 0, 7, 0, 1, 1, 1, 0), 0)  # past O's store, into the house it came from
    assert rules.apply(around, 2) == State((1, 1, 0, 4, 0, 2, 2, 0), 1)
    last = State((0, 0, 1, 2, 1, 2, 0, 3), 0)  # X moves again, but has no seeds
    assert rules.apply(last, 2) == State((0, 0, 0, 3, 0, 0, 0, 6), 0)


HOUSES = ["house 3", "House 3.", "3", "sow from house 3", "I sow house 3", "pit 3", "**house 3**",
          "sow the seeds from house 3", "play 3", "h3", "house #3", "I play house number 3",
          ]  # fmt: skip


@pytest.mark.parametrize("text", HOUSES)
def test_moves_are_read(text):
    rules = Kalah(6, 4)
    assert rules.read(rules.start(), text) == 2
    with pytest.raises(InvalidAnswer, match="empty"):
        rules.read(rules.apply(rules.start(), 2), text)


@pytest.mark.parametrize("text", ["house 7", "0", "-3", "house", "3 4", "house 3 and 4", ""])
def test_other_texts_are_refused(text):
    rules = Kalah(6, 4)
    with pytest.raises(InvalidAnswer):
        rules.read(rules.start(), text)
