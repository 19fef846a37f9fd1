"""Tests of planning/quantum_lock."""

from itertools import product

import pytest
from tests.envs.sampling import sample

from palaestra.envs.planning.quantum_lock import QuantumLock


@pytest.mark.parametrize("level", [0, 3])
def test_no_single_button_opens_a_lock(level):
    """Such a row is the example in the question."""
    for seed in range(150):
        task = sample(QuantumLock, seed, level)
        assert all(task.verify(row).value == 0 for row in task.shortcuts())


def test_the_chance_to_open_a_lock():
    """Against all rows of buttons."""
    for seed in range(10):
        task = sample(QuantumLock, seed, 1)
        rows = list(product("ABCD", repeat=task.presses))
        right = sum(task.verify(", ".join(row)).value for row in rows)
        assert task.random_baseline() == right / len(rows)
