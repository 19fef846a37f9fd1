"""Tests of numbers/prime_factorization."""

from collections import Counter
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.numbers.prime_factorization import PrimeFactorization
from palaestra.task import InvalidAnswer
from palaestra.verifiers.numbers.factors import by_trial, factors, is_prime


def test_is_prime_against_a_sieve():
    sieve = [False, False] + [True] * 19_998
    for n in range(2, 142):
        sieve[n * n :: n] = [False] * len(sieve[n * n :: n])
    assert [n for n in range(20_000) if is_prime(n)] == [n for n in range(20_000) if sieve[n]]


@pytest.mark.parametrize("pseudoprime", [561, 3_215_031_751, 3_825_123_056_546_413_051, 2**61 + 1])
def test_strong_pseudoprimes_are_not_prime(pseudoprime):
    assert not is_prime(pseudoprime)


def test_large_primes_and_beyond():
    assert is_prime(2**61 - 1)
    with pytest.raises(ValueError, match="too large"):
        is_prime(2**127 - 1)


@given(st.integers(1, 10**7))
def test_factors(number):
    exponents = factors(number)
    assert exponents == by_trial(number)
    assert prod(p**e for p, e in exponents.items()) == number


@settings(deadline=None)
@given(st.lists(st.sampled_from([2, 3, 7, 25, 997, 1_000_003, 9_973**2]), min_size=1, max_size=3))
def test_factors_of_hard_composites(parts):
    assert factors(prod(parts)) == sum(map(by_trial, parts), Counter())


TASK = PrimeFactorization(number=2**3 * 5 * 7**2)


@pytest.mark.parametrize(
    "answer",
    [
        "2^3 * 5 * 7^2",
        "7 x 7 x 5 x 2 x 2 x 2",
        "2**3·5·7**2",
        "7 2 2 5 7 2",
        "2^{3} \\cdot 5 × 7^2",
    ],
)
def test_right_factorizations(answer):
    assert TASK.verify(answer).correct


@pytest.mark.parametrize(
    "answer",
    ["1960", "4 * 2 * 5 * 49",
     "2^3 * 5 * 7", "2^3 * 5 * 7^2 * 1", "2^999999999 * 5", "2^3 * 5 * 7^3",
     "-2 * -2 * 2 * 5 * 7^2", "0", "1", "2 * 980", "3 * 5"],
)  # fmt: skip
def test_wrong_factorizations(answer):
    score = TASK.verify(answer)
    assert score.value == 0
    assert score.reason


@pytest.mark.parametrize(
    "answer", ["", "2^", "2^0 * 3", "2^-1", "^2", "2^3^2", "two", "2 + 3", "2.5", "nan"]
)
def test_no_factorizations(answer):
    with pytest.raises(InvalidAnswer):
        TASK.verify(answer)
