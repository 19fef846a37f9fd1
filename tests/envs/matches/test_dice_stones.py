"""Stones moved by a die: rules by hand, a solution of another style, and the readers of moves."""

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from palaestra.generators.matches.dice_stones import OFF, DiceStones, State
from palaestra.task import InvalidAnswer

RULES = DiceStones(3, 3)


def after_hop(board, start, end):
    """A board is a set of (row, column, owner, number)."""
    (stone,) = [each for each in board if each[:2] == start]
    return frozenset(each for each in board if each[:2] not in {start, end}) | {(*end, *stone[2:])}


def hops(board, owner, roll, size):
    numbers = sorted(number for _, _, other, number in board if other == owner)
    lower = max((n for n in numbers if n <= roll), default=0)
    higher = min((n for n in numbers if n >= roll), default=0)
    step = 1 if owner == "X" else -1
    for row, column, other, number in sorted(board):
        if other != owner or number not in {lower, higher}:
            continue
        if roll in numbers and number != roll:
            continue
        for end in ((row + step, column), (row, column + step), (row + step, column + step)):
            if min(end) >= 0 and max(end) < size:
                yield (row, column), end


@cache
def chance_of(board, owner, size):
    """The probability that the player to roll wins."""
    other = "O" if owner == "X" else "X"
    home = (0, 0, other) if other == "O" else (size - 1, size - 1, other)
    if any(each[:3] == home for each in board) or not any(each[2] == owner for each in board):
        return Fraction(0)
    total = Fraction(0)
    for roll in (1, 2, 3):
        worths = (1 - chance_of(after_hop(board, *hop), other, size)
                  for hop in hops(board, owner, roll, size))  # fmt: skip
        total += max(worths)
    return total / 3


def as_board(state, size):
    return frozenset(
        (*divmod(cell, size), owner, number)
        for owner, stones in zip("XO", state[:2], strict=True)
        for number, cell in enumerate(stones, 1)
        if cell != OFF
    )


@pytest.mark.parametrize("seed", range(6))
def test_chances_and_moves_are_those_of_an_independent_solution(seed):
    rng, state = Random(seed), RULES.start()
    while RULES.outcome(state) is None:
        board, owner = as_board(state, 3), RULES.signs[state.turn]
        expected = chance_of(board, owner, 3)
        mine = expected if state.turn == 0 else 1 - expected
        assert RULES.win_chance(state) == pytest.approx(float(mine))
        state = RULES.apply(state, rng.randint(1, 3))
        expected = {(3 * a + b, 3 * c + d) for (a, b), (c, d) in hops(board, owner, state.die, 3)}
        assert {*RULES.legal(state)} == expected
        state = RULES.apply(state, rng.choice(RULES.legal(state)))


def test_a_captured_stone_lets_its_neighbours_move():
    state = State((0, OFF, 1), (8, 7, 5), 0, 2)
    assert {start for start, _ in RULES.legal(state)} == {0, 1}
    assert {start for start, _ in RULES.legal(state._replace(die=1))} == {0}


def test_own_stones_are_captured_too():
    state = RULES.apply(State((0, 3, 1), (8, 7, 5), 0, 1), (0, 1))
    assert state == State((1, 3, OFF), (8, 7, 5), 1, 0)


def test_the_ends_of_a_game():
    assert RULES.outcome(State((8, 3, 1), (7, 5, OFF), 1, 0)) == 2
    assert RULES.outcome(State((7, 3, 1), (0, 5, OFF), 0, 0)) == 0
    assert RULES.outcome(State((4, 3, 1), (OFF, OFF, OFF), 1, 0)) == 2
    assert RULES.outcome(State((4, 3, 1), (8, OFF, OFF), 1, 0)) is None


@pytest.mark.parametrize(
    "text", ["r1c1-r2c2", "r1c1 to r2c2", "(1, 1) -> (2, 2)", "My move: r1c1-r2c2", "R1C1, R2C2"]
)
def test_natural_moves_are_read(text):
    assert RULES.read(State((0, 3, 1), (8, 7, 5), 0, 1), text) == (0, 4)


@pytest.mark.parametrize("text", ["", "r1c1", "r1c2-r2c2", "r1c1-r1c1", "r1c1-r3c3", "X1"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(State((0, 3, 1), (8, 7, 5), 0, 1), text)


def test_the_scene_shows_stones_and_die():
    grid, die = RULES.scene(State((0, OFF, 1), (8, 7, 5), 0, 2), None).scenes
    shown = [[cell.text for cell in row] for row in grid.cells]
    assert shown == [["X1", "X3", ""], ["", "", "O3"], ["", "O2", "O1"]]
    assert die.rows[0][0].text == "2"


@pytest.mark.parametrize("text", ["X2: r1c2-r2c2", "X2 r1c2-r2c2", "Move X2 from r1c2 to r2c2"])
def test_a_stone_may_be_named(text):
    state = State((0, 1, OFF), (8, 7, 5), 0, 2)
    assert DiceStones(3, 3).read(state, text) == (1, 4)
    for wrong in (text.replace("X2", "X1"), text.replace("X2", "O2"), text.replace("X2", "X9")):
        with pytest.raises(InvalidAnswer):
            DiceStones(3, 3).read(state, wrong)
