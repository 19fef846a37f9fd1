"""Tests of programs/predict_input."""

import pytest

from palaestra.envs.programs.predict_input import PredictInput
from palaestra.generators.programs.mini_python.parameters import Parameter
from palaestra.generators.programs.mini_python.run import compiled
from palaestra.task import InvalidAnswer

XS = Parameter("xs", "numbers", 0, 9, 3, 5)
TOTAL = "def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total"


def test_any_input_within_bounds_is_right():
    task = PredictInput(source=TOTAL, name="f", signature=(XS,), wanted="12", call="f([4, 4, 4])")
    for answer in ("f([3, 9, 0])", "f( [0,0, 3, 9] )", "f([4,4,4,])"):
        assert task.verify(answer).value == 1
        assert task.audit(answer)
    assert task.verify("f([1, 2, 3])").reason == "that returns 6"
    for answer in ("f([12])", "f([10, 1, 1])", "f([6, 6])", "f((4, 4, 4))", "[4, 4, 4]",
                   "g([4, 4, 4])",
                   "f([4, 4, 4], 1)", "f(xs)", "f([True, 9, 2])", "f([4, 4, 2 + 2])"):  # fmt: skip
        with pytest.raises(InvalidAnswer):
            task.verify(answer)


def test_an_example_call_returns_a_value():
    raises = []
    for k in range(9):
        source = f"def f(xs):\n    return [6 // (xs[0] - {k}), xs]"
        shown = f"[6, [{k + 1}, 1, 9, 2]]"
        task = PredictInput(
            source=source, name="f", signature=(XS,), wanted=shown, call=f"f({shown[4:-1]})"
        )
        raises.append(compiled(source).call(task.example()).fault)
        assert task.is_valid() != raises[-1]
        assert task.verify(f"f([{k}, 1, 9, 2])").reason == "that raises ZeroDivisionError"
    assert any(raises)
