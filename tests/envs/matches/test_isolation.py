"""Isolation: its rules against rules that are written another way, and its matches."""

from random import Random

import pytest

from palaestra.generators.matches.isolation import Isolation as Rules
from palaestra.generators.matches.isolation import State
from palaestra.generators.matches.rules import LOSS, WIN, perft
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer

WAYS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]


def reach(free, cell, queens):
    """The cells that a piece can enter, where ``free`` are the free cells of the board."""
    cells = set()
    for down, right in WAYS:
        end = cell[0] + down, cell[1] + right
        while end in free:
            cells.add(end)
            end = (end[0] + down, end[1] + right) if queens else None
    return cells


def parts(state, rows, columns):
    """The free cells, and the cells of the pieces, that of the player to move first."""
    cells = {divmod(n, columns): 1 << n for n in range(rows * columns)}
    free = {cell for cell, bit in cells.items() if not state.taken & bit}
    pieces = [next(c for c in cells if cells[c] == bit) for bit in (state.first, state.second)]
    return frozenset(free), *(pieces if state.turn == 0 else pieces[::-1])


def wins(free, mine, theirs, queens):
    """Whether the player to move wins, by plain search."""
    ends = reach(free, mine, queens)
    return any(not wins(free - {end}, theirs, end, queens) for end in ends)


def games(free, mine, theirs, queens, plies):
    ends = reach(free, mine, queens)
    if plies == 1:
        return len(ends)
    return sum(games(free - {end}, theirs, end, queens, plies - 1) for end in ends)


@pytest.mark.parametrize("queens", [False, True])
@pytest.mark.parametrize("size", [(3, 4), (5, 5), (7, 7)])
def test_counts_of_games(size, queens):
    rules = Rules(*size, queens)
    for plies in range(1, 4):
        expected = games(*parts(rules.start(), *size), queens, plies)
        assert perft(rules, rules.start(), plies) == expected


def test_first_moves():
    """A king at the edge has five moves, a queen in the middle of the edge of 7 by 7 18, of which
    the other queen on the same line bars one.
    """
    assert perft(Rules(7, 7, False), Rules(7, 7, False).start(), 1) == 5
    assert perft(Rules(7, 7, True), Rules(7, 7, True).start(), 1) == 17


@pytest.mark.parametrize("queens", [False, True])
@pytest.mark.parametrize("size", [(4, 4), (5, 6), (6, 3)])
def test_games_go_by_the_rules(size, queens):
    rules, rng = Rules(*size, queens), Random(f"{size} {queens}")
    for _ in range(8):
        state = rules.start()
        while rules.outcome(state) is None:
            free, mine, theirs = parts(state, *size)
            assert rules.free(state) == len(free)
            legal = rules.legal(state)
            ends = {divmod(n, size[1]) for n in legal}
            assert len(legal) == len(ends)
            assert ends == reach(free, mine, queens)
            move = rng.choice(legal)
            end = divmod(move, size[1])
            state = rules.apply(state, move)
            assert parts(state, *size) == (free - {end}, theirs, end)
        free, mine, _ = parts(state, *size)
        assert not reach(free, mine, queens)
        assert rules.outcome(state) == (WIN if state.turn else LOSS)


@pytest.mark.parametrize("queens", [False, True])
@pytest.mark.parametrize("size", [(1, 4), (2, 3), (3, 3), (2, 5)])
def test_winners(size, queens):
    rules = Rules(*size, queens)
    state = rules.start()
    if size[0] == 1:  # both would start in one cell
        state = State(0b0001, 0b0100, 0b0101, 0)
    won = Solver(rules).worth(state, 0) == WIN
    assert won == wins(*parts(state, *size), queens)


def test_a_piece_without_free_neighbours_has_lost():
    rules = Rules(3, 3, True)
    state = State(1 << 0, 1 << 8, 1 << 0 | 1 << 1 | 1 << 3 | 1 << 4 | 1 << 8, 0)
    assert rules.outcome(state) == LOSS
    assert rules.outcome(state._replace(turn=1)) is None
    assert rules.judgement(state, 0) == -4
    assert "#" in rules.show(state)


@pytest.mark.parametrize("text", ["r2c3", "R2 C3", "row 2, column 3", "(2, 3)", "2, 3", "2 3"])
def test_moves_are_read(text):
    rules = Rules(4, 5, False)
    assert rules.read(State(1 << 13, 1 << 1, 1 << 13 | 1 << 1, 0), text) == 7


def test_moves_that_are_refused():
    rules = Rules(4, 5, False)
    with pytest.raises(InvalidAnswer, match="not a legal move"):
        rules.read(rules.start(), "r1c1")
    with pytest.raises(InvalidAnswer, match="outside"):
        rules.read(rules.start(), "r1c6")
    with pytest.raises(InvalidAnswer, match="expected"):
        rules.read(rules.start(), "left")
