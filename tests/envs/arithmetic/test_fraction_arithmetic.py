"""Tests of arithmetic/fraction_arithmetic."""

import pytest

from palaestra.envs.arithmetic.fraction_arithmetic import FractionArithmetic
from palaestra.task import InvalidAnswer


def test_fractions_in_lowest_terms():
    task = FractionArithmetic(row=("1/2", "1/6", "+"), mixed=False)
    values = {"2/3": 1, " 2 / 3 ": 1, "4/6": 0.5, "-2/-3": 0.5, "3/2": 0, "1": 0, "0.667": 0}
    values |= {r"\frac{2}{3}": 1, r"\dfrac{4}{6}": 0.5, r"-\frac{2}{3}": 0}
    values |= {"4/6 = 2/3": 1, "2/3 \u2248 0.667": 1, "1 2/3": 0}
    assert {text: task.verify(text).value for text in values} == values
    for text in ("nan", "2/0", "2/3 = 0.667", "2/3/1", "inf", "1/2 + 1/6", ""):
        with pytest.raises(InvalidAnswer):
            task.verify(text)
