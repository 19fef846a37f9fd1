"""Tests of arithmetic/decimal_chain_sum."""

import pytest

from palaestra.envs.arithmetic.decimal_chain_sum import DecimalChainSum


@pytest.mark.parametrize(("mode", "right"), [("up", "0.3"), ("even", "0.2"), ("down", "0.2")])
def test_halves_are_rounded_as_stated(mode, right):
    task = DecimalChainSum(start="0.5", steps=(("*", "0.5"),), places=1, rounding=mode)
    assert task.answer() == right
    assert task.audit(right)
    assert task.verify("0.25").value == 0
