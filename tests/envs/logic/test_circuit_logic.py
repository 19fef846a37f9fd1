"""Tests of logic/circuit_logic."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.generators import circuits
from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10**6)


@settings(max_examples=20)
@given(SEEDS)
def test_circuits_are_the_same_row_by_row(seed: int) -> None:
    gates = circuits.circuit(Random(seed), 5, 12)
    tables = circuits.wires(gates, 5)
    for row in range(32):
        on = circuits.simulated(gates, [bool(row >> bit & 1) for bit in range(5)])
        assert on == [bool(table >> row & 1) for table in tables]


def test_not_has_one_input_and_other_gates_have_two() -> None:
    for seed in range(20):
        for gate, one, other in circuits.circuit(Random(seed), 5, 12):
            assert (gate == "NOT") == (one == other)


def test_rows_of_outputs_may_be_on_one_line() -> None:
    task = sampled("logic/circuit_logic", 2, 1)
    rows = task.answer().split()
    assert task.verify(", ".join(rows)).correct
    assert not task.verify(" ".join(rows[::-1])).correct
    for wrong in ("".join(rows), " ".join(rows[1:]), " ".join([*rows, rows[0]])):
        with pytest.raises(InvalidAnswer):
            task.verify(wrong)
