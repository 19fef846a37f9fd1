"""Tests of numbers/modular_inverse."""

from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.numbers.modular_inverse import ModularInverse
from palaestra.task import InvalidAnswer


@given(st.integers(2, 300), st.integers(1, 300), st.integers(0, 300))
def test_all_solutions_of_a_congruence(modulus, factor, right):
    right = right * gcd(factor, modulus) % modulus
    task = ModularInverse(factor=factor, right=right, modulus=modulus)
    brute = [x for x in range(modulus) if (factor * x - right) % modulus == 0]
    assert sorted(map(int, task.answer().split(", "))) == brute
    assert task.verify(", ".join(map(str, reversed(brute)))).correct
    if len(brute) > 1:
        assert task.verify(", ".join(map(str, brute[1:]))).reason == "a solution is missing"


def test_only_the_stated_range_counts():
    task = ModularInverse(factor=3, right=1, modulus=7)
    assert task.verify("5").correct
    assert task.verify("x = 5").correct
    assert task.verify("5.0").correct
    for wrong in ("12", "-2", "5, 12", "5, 5", "4", "1e5"):
        assert task.verify(wrong).value == 0
    for text in ("5/1", "5.5", "1e999", "3x = 5", "five"):
        with pytest.raises(InvalidAnswer):
            task.verify(text)


@given(st.integers(0, 2**31 - 1))
def test_factors_of_the_lowest_level_are_small(seed):
    task = Address.of("numbers/modular_inverse", seed).task()
    assert task.factor in {2, 3}
    assert 400 <= task.modulus < 1600
