"""Tests of numbers/recurrence."""

import pytest

from palaestra.address import Address


@pytest.mark.parametrize("level", range(3))
def test_terms_follow_from_the_first_ones(level: int) -> None:
    for seed in range(10):
        task = Address.of("numbers/recurrence", seed, level).task()
        row = [*task.start]
        while len(row) < task.index + 2:
            back = zip(task.factors, reversed(row))
            row.append((sum(a * b for a, b in back) + task.constant) % task.modulus)
        assert task.verify(f"{row[-2]}, {row[-1]}").value == 1
