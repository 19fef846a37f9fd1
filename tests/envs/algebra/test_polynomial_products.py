"""Products and quotients of polynomials, compared with SymPy."""

from fractions import Fraction

import pytest
import sympy

from palaestra.address import Address
from palaestra.envs.algebra.polynomial_division import PolynomialDivision
from palaestra.envs.algebra.polynomial_multiplication import PolynomialMultiplication
from palaestra.task import InvalidAnswer
from palaestra.verifiers.algebra.monomials import expanded

X = sympy.Symbol("x")


@pytest.mark.parametrize("level", range(7))
def test_products_and_quotients_by_sympy(level):
    task = Address.of("algebra/polynomial_multiplication", 5, level).task()
    right = sympy.prod(sympy.Poly(factor, X) for factor in task.factors)
    assert expanded(task.answer()) == {n: c for (n,), c in right.terms()}
    task = Address.of("algebra/polynomial_division", 5, level).task()
    parts = sympy.div(sympy.Poly(task.dividend, X), sympy.Poly(task.divisor, X), domain="QQ")
    read_parts = [expanded(line.partition(":")[2]) for line in task.answer().splitlines()]
    for coefficients, part in zip(read_parts, parts):
        assert coefficients == {n: Fraction(int(c.p), int(c.q)) for (n,), c in part.terms() if c}


def test_a_product_must_be_expanded():
    task = PolynomialMultiplication(factors=((1, -2), (1, 2)))
    assert task.verify("x^2 - 4").correct
    assert task.verify("-4 + x**2").correct
    assert task.verify("x^2 + 4").value == 0
    for text in (
        "(x-2)(x+2)",
        "(x - 2)*(x + 2)",
        "x*x - 4",
        "x^2 - 3 - 1",
        "expand((x-2)(x+2))",
        "x^9999",
        "",
    ):
        with pytest.raises(InvalidAnswer):
            task.verify(text)


def test_the_remainder_is_smaller():
    task = PolynomialDivision(dividend=(1, 0, 1), divisor=(1, 1))
    assert task.verify("remainder: 2\nquotient: x - 1").correct
    assert "remainder" in task.verify("quotient: 0\nremainder: x^2 + 1").reason
    assert "remainder" in task.verify("quotient: x\nremainder: -x + 1").reason
