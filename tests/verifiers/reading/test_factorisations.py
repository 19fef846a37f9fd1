"""Products of powers in every notation."""

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hostile_texts import on_hostile_texts

from palaestra import InvalidAnswer
from palaestra.verifiers.reading.factorisations import factorisation


@given(st.lists(st.tuples(st.integers(2, 10**6), st.integers(1, 9)), min_size=1, max_size=5))
def test_every_notation_of_any_product(factors):
    number = prod(factor**times for factor, times in factors)
    forms = [f"{factor}^{times}" if times > 1 else f"{factor}" for factor, times in factors]
    braces = [f"{factor}^{{{times}}}" for factor, times in factors]
    raised = [f"{factor}" + "⁰¹²³⁴⁵⁶⁷⁸⁹"[times] for factor, times in factors]
    product = " * ".join(forms)
    for text in (
        *(
            product,
            f"{number} = {product}",
            f"{product} = {number}",
            product.replace("*", "\u00d7"),
        ),
        *(" \u00b7 ".join(raised), r" \times ".join(braces), r"\cdot".join(braces)),
        *(product.replace("^", "**"), product.replace("*", "\u00d7"), f"{number:,} = {product}"),
    ):
        assert factorisation(text, number) == factors, text


@pytest.mark.parametrize(
    "text",
    ["13 = 2^2 * 3", "2^2 * 3 = 13", "2^0 * 12", "2^-1", "", "2 + 10", "2^2 * 3 = 12 = 1", "x"],
)
def test_refused(text):
    with pytest.raises(InvalidAnswer):
        factorisation(text, 12)


@on_hostile_texts
def test_anything_is_read_or_refused(text):
    try:
        factors = factorisation(text, 12)
    except InvalidAnswer:
        return
    assert all(times > 0 for _, times in factors)
