"""Sums of terms are evaluated again by Python."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from palaestra.verifiers.sums import signed_sum

NAMES = ("x", "y", "z", "")
coefficients = st.lists(st.integers(-12, 12), min_size=4, max_size=4)


@given(coefficients, st.integers(1, 4))
def test_a_sum_has_the_value_of_its_terms(numbers: list[int], below: int) -> None:
    terms = [(Fraction(number, below), name) for number, name in zip(numbers, NAMES)]
    text = signed_sum(terms, times="*")
    values = {"x": 7, "y": -5, "z": 3}
    total = sum(coefficient * values.get(name, 1) for coefficient, name in terms)
    assert abs(eval(text, {}, values) - total) < 1e-9  # noqa: S307
    assert not text.startswith("+")


def test_a_sum_without_terms_is_0() -> None:
    assert signed_sum([]) == signed_sum([(0, "x")]) == "0"
