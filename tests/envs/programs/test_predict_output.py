"""Tests of programs/predict_output."""

import pytest

from palaestra.envs.programs.predict_output import PredictOutput
from palaestra.task import InvalidAnswer


def test_values_are_compared_as_python_shows_them():
    source = "def f(n):\n    return (n > 2, [n, str(n)])"
    task = PredictOutput(source=source, calls=("f(1)", "f(3)"))
    assert task.verify("(False, [1, '1'])\n True,[3,\"3\"]").value == 1
    assert task.verify("f(1) -> (False, [1, '1'])\nf(3) -> (True, [3, '3'])").value == 1
    assert task.verify("(0, [1, '1'])\n(True, [3, '3'])").parts == {
        "call 1": 0,
        "call 2": 1,
        "progress": 0.5,
    }
    assert task.verify("[False, [1, '1']]\n(True, [3, '3'])").value == 0
    with pytest.raises(InvalidAnswer):
        task.verify("(False, [1, '1'])")
