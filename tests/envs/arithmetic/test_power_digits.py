"""Tests of arithmetic/power_digits."""

import pytest

from palaestra.envs.arithmetic.power_digits import PowerDigits
from palaestra.task import InvalidAnswer


def test_last_digits_have_no_sign_and_no_point():
    task = PowerDigits(base=7, exponents=(3,), modulus=1000, digits=3)
    for text in ("343", "3 4 3", "3, 4, 3", "(343)", "...343", "\u2026343"):
        assert task.verify(text).value == 1, text
    for text in ("-343", "+343", "3.43", "343%", "34.3", ".343", "3,43", "34/3",
                 "343a", "a343", "3-43", "343!", "3e43", "$3.43", "343.0", "0343"):  # fmt: skip
        with pytest.raises(InvalidAnswer):
            task.verify(text)


def test_last_digits_keep_their_zeros():
    task = PowerDigits(base=7, exponents=(4,), modulus=1000, digits=3)
    assert task.answer() == "401"
    assert PowerDigits(base=3, exponents=(20,), modulus=100, digits=2).answer() == "01"
    with pytest.raises(InvalidAnswer):
        task.verify("2401")
