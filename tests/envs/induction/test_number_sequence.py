"""Tests of induction/number_sequence."""

from itertools import product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.generators.induction import (
    number_sequence,
)

SEEDS = st.integers(0, 10**6)


@settings(max_examples=10)
@given(SEEDS)
def test_sequences_by_all_rules(seed: int) -> None:
    terms = number_sequence.drawn(Random(seed), "second", 8)
    found = {
        number_sequence.extended("second", [(p, q, 0, s)], terms, 2)[-2:]
        for p, q in product(range(-3, 4), repeat=2)
        for s in range(-30, 31)
        if number_sequence.extended("second", [(p, q, 0, s)], terms[:2], 6) == terms
    }
    assert number_sequence.continuations("second", terms, 2) == found
    assert found


def test_fibonacci_and_two_woven_sequences() -> None:
    assert number_sequence.continuations("second", (1, 1, 2, 3, 5, 8, 13, 21), 2) == {(34, 55)}
    assert number_sequence.continuations("woven", (1, 9, 2, 7, 4, 5, 8, 3, 16, 1), 2) == {(32, -1)}
