"""Expressions, polynomials, functions and complex numbers in every notation."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra import InvalidAnswer
from palaestra.verifiers.algebra.functions import read
from palaestra.verifiers.algebra.monomials import as_text, expanded
from palaestra.verifiers.expressions import second_opinion, worked
from palaestra.verifiers.gaussian import gaussian

RIGHT = [
    "8 / (3 - 8 / 3)",
    "8 / (3 - 8/3) = 24",
    "24 = 8 / (3 - 8/3)",
    "8 \u00f7 (3 \u2212 8 \u00f7 3)",
    r"8 \div \left(3 - 8 \div 3\right)",
    r"\frac{8}{3 - \frac{8}{3}}",
    r"\frac{8}{3 - \frac{8}{3}} = 24",
    "8 / [3 - 8/3]",
    r"8 / (3 - \frac83) = 48/2",
]


@pytest.mark.parametrize("text", RIGHT)
def test_forms_of_an_expression(text):
    for reader in (worked, second_opinion):
        result = reader(text)
        assert result.value == 24
        assert sorted(result.numbers) == [3, 3, 8, 8]


@pytest.mark.parametrize("text", ["4(6 - 2)", "4 (6 - 2)", "(6 - 2)(1 + 3)", "2 + 2 * (6 - 2) + 6"])
def test_a_product_with_a_bracket_needs_no_sign(text):
    assert worked(text).value == second_opinion(text).value == 16


@pytest.mark.parametrize(
    "text",
    [
        *("8 * 3 = 25", "8 * 3 = 2 * 13", "8 * 3 =", "= 24 =", "8 / 2(1 + 3)", "8 3", "(8)3"),
        *(r"1\frac{1}{2} * 16", "8 * 3 = 24 = 24 + 0", "8 * 3 \u2248 24", "8 * 3 or 6 * 4", "8(+"),
    ],
)
def test_no_expression(text):
    with pytest.raises(InvalidAnswer):
        worked(text)


POWERS = st.dictionaries(
    st.integers(0, 12), st.fractions(max_denominator=99).filter(bool), min_size=1, max_size=6
)


@given(POWERS)
def test_forms_of_a_polynomial(coefficients):
    text = as_text(coefficients)
    frac = " ".join(
        f"\\frac{{{p.partition('/')[0]}}}{{{p.partition('/')[2].split('*')[0]}}}"
        + ("*" + p.partition("*")[2] if "*" in p else "")
        if "/" in p
        else p
        for p in text.replace("- ", "-").replace("-", "- ").split(" ")
    )
    braces = "".join(
        f"^{{{part[: len(part) - len(part.lstrip('0123456789'))]}}}{part.lstrip('0123456789')}"
        if n
        else part
        for n, part in enumerate(text.split("^"))
    )
    for form in (
        *(text, f"P(x) = {text}", f"y = {text}", text.replace("^", "**"), text.replace("*", "")),
        *(text.replace("*", r" \cdot "), text.replace("*", "\u00b7"), frac, braces),
        *(text.replace("-", "\u2212"), text.replace("*", r" \times "), braces.replace("*", "")),
    ):
        assert expanded(form) == coefficients, form
        if "/" not in form or text.replace("*", "") != form.replace("{", "").replace(
            "}", ""
        ):  # elsewhere 1/2x may be half of x or 1/(2x)
            assert read(form) == read(text), form


def test_raised_digits_are_powers():
    assert expanded("7x\u00b2 + x\u00b9\u2070 - 3") == {2: 7, 10: 1, 0: -3}
    assert expanded("3x^{2}") == {2: 3}
    for text in ("x^{2}3", r"1\frac{1}{2}x", "2 x = 3", "x^2 = x^3"):
        with pytest.raises(InvalidAnswer):
            expanded(text)


def test_forms_of_a_function():
    right = read("-2/17*x^16*exp(21*x) + cos(19*x)")
    for text in (
        r"-\frac{2}{17} x^{16} e^{21x} + \cos(19x)",
        r"f(x) = -\frac{2}{17} x^{16} \exp\left(21x\right) + \cos\left(19x\right)",
        r"-\frac{2x^{16}}{17} \cdot e^{21 x} + \cos(19 \cdot x)",
        "\u22122/17\u00b7x\u00b9\u2076\u00b7exp(21x) + cos(19x)",
        "-2/17*x**16*exp(21*x) + cos(19*x)",
    ):
        assert read(text) == right, text


def test_forms_of_a_complex_number():
    right = (Fraction(17, 23), Fraction(-30, 23))
    for text in (
        *("17/23 - 30/23i", "17/23 - 30/23 i", "17/23 - 30i/23", "z = 17/23 - 30/23i"),
        *(r"\frac{17}{23} - \frac{30}{23}i", r"\frac{17}{23} - \frac{30}{23} \cdot i"),
        *("17/23 \u2212 (30/23)i", "-30/23i + 17/23"),
    ):
        assert gaussian(text) == right, text
