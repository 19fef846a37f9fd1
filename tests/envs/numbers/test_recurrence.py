"""Tests of numbers/recurrence."""

import pytest

from palaestra.address import Address


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


@pytest.mark.parametrize("level", range(3))
def test_recurrences_are_told_by_their_first_terms(level: int) -> None:
    for seed in range(10):
        drawn = task("numbers/recurrence", seed, level)
        row = [*drawn.start]
        while len(row) < drawn.place + 2:
            back = zip(drawn.factors, reversed(row))
            row.append((sum(a * b for a, b in back) + drawn.constant) % drawn.modulus)
        assert drawn.verify(f"{row[-2]}, {row[-1]}").value == 1
