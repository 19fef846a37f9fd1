"""Tests of arithmetic/random_calculation."""

import ast
import operator
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.arithmetic.random_calculation import SIGNS as CALCULATION
from palaestra.envs.arithmetic.random_calculation import RandomCalculation
from palaestra.generators.arithmetic.random_calculation import expression
from palaestra.task import InvalidAnswer
from palaestra.verifiers.expressions import second_opinion, worked

ALL = CALCULATION["remainders"]
PYTHON = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
}  # fmt: skip


def by_python(node):
    """The value of Python's syntax tree, in fractions."""
    if isinstance(node, ast.Constant):
        return Fraction(node.value)
    if isinstance(node, ast.UnaryOp):
        return -by_python(node.operand)
    result = PYTHON[type(node.op)](by_python(node.left), by_python(node.right))
    return Fraction(result)


@given(st.integers(0, 10**9), st.integers(1, 12))
@settings(max_examples=150, deadline=None)
def test_expressions_have_the_value_that_python_and_the_generator_compute(seed, length):
    term = expression(Random(seed), length, 30, ALL, minus=0.3)
    source = term.text.replace("^", "**").replace("mod", "%")
    assert worked(term.text, ALL).value == term.value == by_python(ast.parse(source).body[0].value)
    assert len(worked(term.text, ALL).steps) == length - 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3 * 4", 14), ("2^3^2", 512), ("-2^2", -4), ("(-2)^2", 4), ("2 - 3 - 4", -5),
        ("-7 // 2", -4), ("-7 mod 2", 1), ("7 mod -2", -1), ("8 / 3 * 3", 8), ("2 × 3 − 1", 5),
        ("2^-1", Fraction(1, 2)), ("1/2/2", Fraction(1, 4)), ("6 ÷ 4", Fraction(3, 2)),
    ],
)  # fmt: skip
def test_conventions(text, value):
    assert worked(text, ALL).value == value


@pytest.mark.parametrize(
    "text",
    ["", "1 +", "1 2", "(1", "1)", "2**3**9**9", "9^9^9", "1/0", "1 // (2 - 2)", "1.5", "x", "0^0",
     "2^(1/2)", "(" * 500 + "1", "-" * 500 + "1", "1+" * 5_000 + "1", "9" * 401, "()", "1,000",
     "(2^2000)^3", "*".join(["9" * 300] * 9), "abs(3)", "1e5", "1_0"],
)  # fmt: skip
def test_no_expression(text):
    with pytest.raises(InvalidAnswer):
        worked(text, ALL)


def test_only_allowed_signs():
    with pytest.raises(InvalidAnswer, match="not allowed"):
        worked("2 ^ 3")
    assert second_opinion("__import__('os')") is None


def test_calculation_takes_every_form_of_the_value():
    task = RandomCalculation(expression="1 / 4 - 1")
    assert {form: task.verify(form).value for form in ("-3/4", "-6/8", "-0.75", "3/4", "-0.7")} == {
        "-3/4": 1, "-6/8": 1, "-0.75": 1, "3/4": 0, "-0.7": 0,
    }  # fmt: skip


def test_the_rule_of_remainders_comes_with_that_of_quotients():
    task = RandomCalculation(expression="22 mod (-24) * 3")
    assert "rounded down" in task.prompt()
    assert task.verify("-6").correct
    assert task.verify("66").value == 0
