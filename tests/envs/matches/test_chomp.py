"""Chomp: the bars that are lost against plain search and theorems, and the match."""

from functools import cache
from itertools import product
from random import Random

import pytest

from palaestra.generators.matches.chomp import Chomp, State, lost_bars
from palaestra.generators.matches.impartial import ImpartialSolver
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer


@cache
def wins(squares):
    """Whether the player to move wins, on sets of squares (row, column)."""
    if not squares:
        return True
    after = (frozenset((r, c) for r, c in squares if r < row or c < column)
             for row, column in squares)  # fmt: skip
    return not all(wins(each) for each in after)


def test_lost_bars_are_those_of_a_search():
    bars = [bar for bar in product(range(6), repeat=4) if [*bar] == sorted(bar, reverse=True)]
    squares = {bar: frozenset((r, c) for r, n in enumerate(bar) for c in range(n)) for bar in bars}
    assert lost_bars(4, 5) == {bar for bar in bars if not wins(squares[bar])}


def test_known_results():
    """Gale: a square is won by (2, 2), two rows by the last square, and any rectangle is won."""
    square = Chomp(5, 5)
    assert [*square.winning(square.start())] == [6]
    rows = Chomp(2, 9)
    assert [*rows.winning(rows.start())] == [17]
    assert [bar for bar in lost_bars(2, 9) if bar[1]] == [
        bar for bar in lost_bars(2, 9) if bar[0] == bar[1] + 1 and bar[1]
    ]
    for size in product(range(1, 7), range(1, 8)):
        assert Chomp(*size).wins(Chomp(*size).start()) == (size != (1, 1))


def test_the_rectangle_with_two_winning_moves():
    """Ken Thompson: 8 by 10 is the smallest rectangle with more than one winning first move."""
    rules = Chomp(8, 10)
    assert len(rules.winning(rules.start())) == 2
    assert len(Chomp(7, 10).winning(Chomp(7, 10).start())) == 1


def test_the_solver_agrees_with_alpha_beta():
    rules, rng = Chomp(3, 4), Random(1)
    for _ in range(20):
        bar = tuple(sorted((rng.randint(0, 4) for _ in range(3)), reverse=True))
        if not bar[0]:
            continue
        state = State(bar, rng.randrange(2))
        searched, known = Solver(rules), ImpartialSolver(rules)
        assert searched.value(state) == known.value(state)
        assert searched.best_moves(state) == known.best_moves(state)


def test_moves():
    rules = Chomp(3, 4)
    state = State((4, 4, 2), 0)
    assert len(rules.legal(state)) == rules.choices(state) == 10
    assert rules.apply(state, 1) == State((1, 1, 1), 1)
    assert rules.apply(state, 7) == State((4, 3, 2), 1)
    assert rules.outcome(rules.apply(state, 0)) == 0
    assert rules.outcome(State((1, 0, 0), 0)) is None


@pytest.mark.parametrize("text", ["r2c3", "R2 C3", "row 2, column 3", "(2, 3)", "2 3"])
def test_moves_are_read(text):
    rules = Chomp(3, 4)
    assert rules.read(State((4, 3, 2), 0), text) == 6
    with pytest.raises(InvalidAnswer):
        rules.read(State((4, 2, 2), 0), text)
