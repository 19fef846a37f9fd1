"""Tests of arithmetic/base_conversion."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.arithmetic.base_conversion import SIGNS, BaseConversion, written
from palaestra.task import InvalidAnswer


@given(st.integers(-(10**30), 10**30), st.integers(2, 36))
def test_python_reads_what_is_written(number, base):
    assert int(written(Fraction(number), base), base) == number


def test_conversion_takes_every_way_to_write_a_number():
    task = BaseConversion(conversions=(("-53.5", 10, 16), ("255", 10, 16)))
    assert task.answer() == "-35.8, FF"
    assert task.verify("-035.80\nff").correct
    assert task.verify("(-35.8; FF)").correct
    assert task.verify("-35.8_16, (FF)_{16}").correct
    assert task.verify("-35.8\u2081\u2086, ff\u2081\u2086").correct
    assert task.verify("-35.8, FE").value == 0
    for text in (
        "-35.8",
        "-35.8, 0xFF",
        "-35.8, FG",
        "-35.8, F F",
        "-.8, FF",
        "1e+5, FF",
        "²,FF",
        "-35.8, FF_8",
    ):
        with pytest.raises(InvalidAnswer):
            task.verify(text)


def test_top_level_fractions_end_in_both_bases():
    tasks = [Address.of("arithmetic/base_conversion", seed, level=6).task() for seed in range(40)]
    assert any("." in numeral for task in tasks for numeral, _, _ in task.conversions)
    assert all(set(part) <= {*SIGNS, *"-., "} for task in tasks for part in task.answer())
