"""Domineering: published outcomes, rules written another way, the reader, and the match."""

from functools import cache
from random import Random

import pytest

from palaestra.generators.matches.domineering import Domineering, State
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer


def dominoes(free, player):
    """The pairs of free cells that a player may cover."""
    pairs = (((r, c), (r, c + 1) if player else (r + 1, c)) for r, c in free)
    return {frozenset(pair) for pair in pairs if free.issuperset(pair)}


@cache
def wins(free, player):
    return any(not wins(free - pair, 1 - player) for pair in dominoes(free, player))


def outcome(rows, columns):
    """The class of a board: V, H, 1 for the first player or 2 for the second."""
    solver = Solver(Domineering(rows, columns))
    vertical = {turn: solver.value(State(0, turn)) == 2 for turn in (0, 1)}
    return {(1, 1): "V", (0, 0): "H", (1, 0): "1", (0, 1): "2"}[vertical[0], vertical[1]]


@pytest.mark.parametrize(("size", "winner"), [(1, "2"), (2, "1"), (3, "1"), (4, "1"), (5, "2")])
def test_squares(size, winner):
    """Breuker, Uiterwijk and van den Herik, "Solving 8 x 8 Domineering" (2000)."""
    assert outcome(size, size) == winner


def test_boards_of_two_rows():
    """Berlekamp (1988), as Lachmann, Moore and Rapaport (2002) quote him: 2 by 4 is H, 2 by 5 V."""
    assert [outcome(2, columns) for columns in range(1, 9)] == [*"V11HV11H"]
    assert [outcome(rows, 2) for rows in range(1, 9)] == [*"H11VH11V"]


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (2, 5), (4, 3), (3, 4)])
def test_small_boards_against_search_on_sets(rows, columns):
    free = frozenset((r, c) for r in range(rows) for c in range(columns))
    solver = Solver(Domineering(rows, columns))
    for turn in (0, 1):
        assert (solver.worth(State(0, turn), turn) == 2) == wins(free, turn)


@pytest.mark.parametrize("size", [4, 5, 6])
def test_games_go_by_the_rules(size):
    rules, rng = Domineering(size, size), Random(size)
    for _ in range(4):
        state = State(0, rng.randrange(2))
        free = {(r, c) for r in range(size) for c in range(size)}
        while rules.outcome(state) is None:
            moves = {m: frozenset(divmod(n, size) for n in range(size**2) if m >> n & 1)
                     for m in rules.legal(state)}  # fmt: skip
            assert {*moves.values()} == dominoes(free, state.turn)
            move = rng.choice([*moves])
            free -= moves[move]
            state = rules.apply(state, move)
            assert rules.free(state) == len(free)
        assert not dominoes(free, state.turn)
        assert rules.outcome(state) == (0 if state.turn == 0 else 2)


DOWN = ["r1c2-r2c2", "r2c2-r1c2", "R1C2 - R2C2", "r1c2, r2c2", "(1, 2), (2, 2)", "r1c2 and r2c2",
        "(1, 2) to (2, 2)", "row 1 column 2 -> row 2 column 2"]  # fmt: skip


@pytest.mark.parametrize("text", DOWN)
def test_moves_are_read(text):
    rules = Domineering(4, 4)
    assert rules.read(State(0, 0), text) == 0b100010
    with pytest.raises(InvalidAnswer, match="not a legal move"):
        rules.read(State(0, 1), text)
    with pytest.raises(InvalidAnswer, match="not a legal move"):
        rules.read(State(0b10, 0), text)
