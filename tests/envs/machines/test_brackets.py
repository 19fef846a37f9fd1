"""Rows of brackets: errors in them, and ways to complete them."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.generators.machines import brackets
from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10_000)


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


@given(SEEDS, st.integers(1, 12), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_brackets_are_judged_as_striking_out_pairs_does(seed: int, pairs: int, kinds: int) -> None:
    rng = Random(seed)
    row = brackets.balanced(rng, pairs, kinds)
    assert len(row) == 2 * pairs
    assert brackets.reduced(row) == ""
    position = rng.randrange(len(row))
    other = row[:position] + rng.choice(brackets.OPENING + brackets.CLOSING) + row[position + 1 :]
    assert (brackets.judged(other).position == 0) == (brackets.reduced(other) == "")


def test_ways_to_complete_brackets_are_counted_as_trying_all_does() -> None:
    for seed in range(5):
        puzzle = Address.of("machines/bracket_completion", seed, 3, pairs=4, kinds=2, gaps=5).task()
        signs = "()[]"
        gaps = [n for n, sign in enumerate(puzzle.row) if sign == "_"]
        completions = 0
        for filling in product(signs, repeat=len(gaps)):
            row = [*puzzle.row]
            for position, sign in zip(gaps, filling):
                row[position] = sign
            completions += brackets.reduced("".join(row)) == ""
            assert (puzzle.verify(" ".join(row)).value == 1) == (
                brackets.reduced("".join(row)) == ""
            )
        assert puzzle.random_baseline() == pytest.approx(completions / 4 ** len(gaps))


def test_a_completed_row_must_keep_the_brackets_given() -> None:
    puzzle = task("machines/bracket_completion", 0, 0)
    other = "()" * (len(puzzle.row) // 2)
    assert puzzle.verify(other).value == 0
    with pytest.raises(InvalidAnswer):
        puzzle.verify("()")


def test_gaps_anywhere_leave_half_of_the_row() -> None:
    for seed in range(5):
        knobs = {"pairs": 5, "gaps": 16, "anywhere": True}
        row = Address.of("machines/bracket_completion", seed, 0, **knobs).task().row
        assert row.count("_") == 5


def test_verdicts_on_brackets_may_stand_in_brackets_and_with_any_blanks() -> None:
    puzzle = task("machines/bracket_errors", 1, 2)
    assert puzzle.verify(f"[{puzzle.answer()}]").value == 1
    assert puzzle.verify(puzzle.answer().replace(" ", "\u00a0")).value == 1
    assert puzzle.verify(puzzle.answer().replace(", ", "\n").upper()).value == 1
