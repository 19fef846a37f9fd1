"""Tests of machines/cellular_automaton."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.machines.cellular_automaton import before
from palaestra.envs.machines.cellular_automaton import stepped as automaton


@settings(max_examples=20)
@given(st.integers(0, 255), st.text("01", min_size=4, max_size=8))
def test_rows_before(rule, row):
    size = len(row)
    some = [p for p in map("".join, product("01", repeat=size)) if automaton(p, rule) == row]
    previous, number = before(row, rule)
    assert number == len(some)
    assert previous in some or (previous is None and not some)
