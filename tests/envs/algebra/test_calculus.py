"""Derivatives and antiderivatives, compared with SymPy."""

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.algebra.antiderivative import Antiderivative
from palaestra.envs.algebra.symbolic_derivative import SymbolicDerivative
from palaestra.task import InvalidAnswer
from palaestra.verifiers.algebra.functions import derivative, read, written

X = sympy.Symbol("x")


def by_sympy(text):
    """SymPy's expression of a function."""
    return sympy.sympify(text.replace("^", "**"), locals={"x": X})


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("level", range(5))
def test_calculus_by_sympy(level, seed):
    task = Address.of("algebra/symbolic_derivative", seed, level).task()
    miss = sympy.diff(by_sympy(task.function), X) - by_sympy(task.answer())
    whole = Address.of("algebra/antiderivative", seed, level).task()
    missed = sympy.diff(by_sympy(whole.answer()), X) - by_sympy(whole.function)
    for gap in (miss, missed):
        assert abs(sympy.N(gap.subs(X, sympy.Rational(2, 7)), 40)) < 1e-20


def test_calculus_takes_any_form_and_any_constant():
    task = SymbolicDerivative(function="x^2*sin(3*x)")
    for right in ("2x sin(3x) + 3x^2cos(3x)", "x*(2*sin(3*x) + 3*x*cos(3*x))"):
        assert task.verify(right).correct
    whole = Antiderivative(function="x*exp(2*x)")
    for right in ("(x/2 - 1/4)*e^(2x)", "1/2*x*exp(2*x) - exp(2*x)/4 + 17"):
        assert whole.verify(right).correct
    assert whole.verify("x^2/2*exp(2*x)").value == 0


@pytest.mark.parametrize(
    "text",
    ["Integral(x*exp(2*x), x)", "diff(x^2)", "int x", "F(x)", "1/2x", "x^x", "sin(x+1)",
     "sin(sin(x))", "1/sin(x)", "x/(x-x)", "(x+1)^9^9^9", "((x+sin(x))^60)^60", "nan", "oo",
     "exp(exp(x))",
     "x" * 4_000,
     "(" * 300 + "x" + ")" * 300, "9" * 90, "x**", "+ C", "x + C", "lambda x: x",
     "x.__class__", ""],
)  # fmt: skip
def test_no_function(text):
    with pytest.raises(InvalidAnswer):
        read(text)


TERM = st.sampled_from(
    ["x", "3*x^2", "sin(2*x)", "cos(x^2)", "exp(-x)", "(x + 2)", "1/3", "cos(3*x)", "sin(x)"]
)


@given(TERM, TERM, TERM, TERM)
@settings(max_examples=80, deadline=None)
def test_functions_agree_with_sympy(a, b, c, d):
    text = f"({a} - {b})*{c} + {d}*{a}"
    for function, right in (
        (read(text), by_sympy(text)),
        (derivative(read(text)), sympy.diff(by_sympy(text), X)),
    ):
        assert read(written(function)) == function
        error = sympy.N((by_sympy(written(function)) - right).subs(X, sympy.Rational(3, 5)), 30)
        assert abs(error) < 1e-20


def test_coefficients_are_exact_and_whole_where_they_can_be():
    """Arithmetic on whole numbers is several times as fast as on fractions."""
    for text in ("3 + 40*x^3", "-49x - 42x^2*exp(3x)", "(2x - 3)^3*cos(x)", "6/(3x)", "0.5*2x"):
        function = read(text)
        assert all(c.denominator == 1 for c in function.values())
        for exact in (function, derivative(function)):
            assert {type(c) for c in exact.values()} <= {int, Fraction}
    assert {type(c) for c in read("3 + 40*x^3 - (x - 1)^2").values()} == {int}
    assert read("2/3*x^3")[read("x^3").popitem()[0]] == Fraction(2, 3)
