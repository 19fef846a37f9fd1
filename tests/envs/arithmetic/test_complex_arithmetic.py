"""Tests of arithmetic/complex_arithmetic."""

import pytest

from palaestra.envs.arithmetic.complex_arithmetic import ComplexArithmetic
from palaestra.task import InvalidAnswer
from palaestra.verifiers.gaussian import gaussian


@pytest.mark.parametrize(
    "text", ["nan", "nani", "inf + i", "1+2+3i", "i+i", "1+2j", "(1,2)", "i^2", "", "+-i"]
)
def test_no_complex_number(text):
    with pytest.raises(InvalidAnswer):
        gaussian(text)


def test_complex_forms():
    task = ComplexArithmetic(row=("1 + i", "2 - i", "/"))
    for right in ("1/5 + 3/5i", "3i/5 + 0.2", "1/5+(3/5)*i", "2/10 + 0.6i"):
        assert task.verify(right).correct
    score = task.verify("1/5 - 3/5i")
    assert (score.value, score.reason) == (0, "wrong: the imaginary part")
