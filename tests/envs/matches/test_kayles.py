"""Kayles: published Grundy values, plain search, the reader, and the match."""

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.generators.matches.impartial import ImpartialSolver
from palaestra.generators.matches.kayles import Kayles, State, value_of_run
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer

EXCEPTIONS = {
    0: 0, 3: 3, 6: 3, 9: 4, 11: 6, 15: 7, 18: 3, 21: 4, 22: 6, 28: 5, 34: 6, 39: 3, 57: 4, 70: 6,
}  # fmt: skip


def test_values_of_rows():
    """Winning Ways, chapter 4: period 12 with 14 exceptions, of which 70 pins is the last."""
    period = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7]
    for pins in range(120):
        assert value_of_run(pins) == EXCEPTIONS.get(pins, period[pins % 12])
    listed = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7]
    assert [value_of_run(pins) for pins in range(24)] == listed


@cache
def wins(rows):
    """Whether the player to move wins, by trying every move on texts of pins and gaps."""
    for n, row in enumerate(rows):
        for first in range(len(row)):
            for length in (1, 2):
                if row[first : first + length] == "I" * length:
                    after = f"{row[:first]}{'.' * length}{row[first + length :]}"
                    if not wins((*rows[:n], after, *rows[n + 1 :])):
                        return True
    return False


@settings(max_examples=60)
@given(st.integers(0, 2**12 - 1))
def test_wins_and_winning_moves_are_those_of_a_search(mask):
    rules, state = Kayles(3, 4), State(mask, 0)
    lines = tuple(
        "".join("I" if mask >> 4 * r + c & 1 else "." for c in range(4)) for r in range(3)
    )
    assert rules.wins(state) == wins(lines)
    losing = [m for m in rules.legal(state) if not rules.wins(rules.apply(state, m))]
    assert [*rules.winning(state)] == losing
    assert rules.choices(state) == len(rules.legal(state))


def test_the_solver_agrees_with_alpha_beta():
    rules, rng = Kayles(2, 5), Random(1)
    for _ in range(10):
        state = State(rng.getrandbits(10) | 1, rng.randrange(2))
        searched, known = Solver(rules), ImpartialSolver(rules)
        assert searched.value(state) == known.value(state)
        assert searched.best_moves(state) == known.best_moves(state)


def test_rows_are_not_connected():
    rules = Kayles(2, 2)
    assert sorted(rules.legal(rules.start())) == [0b1, 0b10, 0b11, 0b100, 0b1000, 0b1100]
    last = rules.apply(State(0b1100, 0), 0b1100)
    assert rules.outcome(last) == 2
    assert rules.outcome(State(0, 0)) == 0


ONE = ["r2c3", "R2 C3", "row 2, column 3", "(2, 3)", "2, 3", "knock down r2c3", "row 2, pin 3",
       "pin r2c3", "row 2: pin 3."]  # fmt: skip
TWO = ["r2c3, r2c4", "r2c4 and r2c3", "r2c3-r2c4", "(2, 3), (2, 4)", "row 2, pins 3 and 4",
       "I knock down r2c3 and r2c4", "r2c3 to r2c4", "Row 2: pins 3-4", "r2c3 r2c4"]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "move"), [*((text, 1 << 6) for text in ONE), *((text, 3 << 6) for text in TWO)]
)
def test_moves_are_read(text, move):
    rules = Kayles(3, 4)
    assert rules.read(rules.start(), text) == move


@pytest.mark.parametrize("text", ["r1c1", "r2c1, r2c3", "r2c4, r3c1", "r2c5", "", "r2c2 r2c3 r2c4"])
def test_other_texts_are_refused(text):
    rules = Kayles(3, 4)
    with pytest.raises(InvalidAnswer):
        rules.read(State(rules.start().pins & ~1, 0), text)
