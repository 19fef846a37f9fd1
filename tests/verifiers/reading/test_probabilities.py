"""Probabilities in every form; odds and false equations are refused."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hostile_texts import on_hostile_texts

from palaestra import InvalidAnswer
from palaestra.verifiers.reading.probabilities import probability

RIGHT = [
    *("3/8", "0.375", "37.5%", "37.5 %", "37.5\\%", "37.5 percent", "3 in 8", "3 out of 8"),
    *("3/8 = 0.375", "3/8 = 37.5%", "3/8 (37.5%)", "3/8 or 37.5%", "P = 3/8", "P(A) = 3/8"),
    *("3/8 \u2248 0.38", "3/8 (\u2248 38%)", "3/8 \\approx 37.5\\%", "\\frac{3}{8}", "6/16 = 3/8"),
    *("$\\frac{3}{8} = 37.5\\%$", "P(X = 2) = 3/8"),
]


@pytest.mark.parametrize("text", RIGHT)
def test_forms(text):
    assert probability(text) == Fraction(3, 8)


@pytest.mark.parametrize(
    "text",
    [
        *("3:8", "3 to 5", "3/8 = 0.38", "3/8 = 38%", "3/8 (38%)", "3/8 or 1/2", "about 3/8", "%"),
        *(
            "\u2248 0.375",
            "3/8 \u2248 0.5",
            "37,5%",
            "3 in 0",
            "",
            "not 3/8",
            "3 in 8 in 9",
            "37.5%%",
        ),
    ],
)
def test_refused(text):
    with pytest.raises(InvalidAnswer):
        probability(text)


@given(st.fractions(0, 1, max_denominator=10**6))
def test_every_form_of_any_value(value):
    above, below = value.numerator, value.denominator
    for text in (
        f"{above}/{below}",
        f"{above} in {below}",
        f"{above}/{below} (\u2248 {float(value):.4f})",
    ):
        assert probability(text) == value


@on_hostile_texts
def test_anything_is_read_or_refused(text):
    try:
        value = probability(text)
    except InvalidAnswer:
        return
    assert isinstance(value, Fraction)
