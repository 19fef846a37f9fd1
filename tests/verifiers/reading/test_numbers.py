"""Readers of numbers: what is taken for the same, what is refused, and never a crash."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra import InvalidAnswer
from palaestra.testing import HOSTILE, MONSTERS
from palaestra.verifiers.reading import matrices, numbers


@given(st.integers())
def test_whole_numbers(number):
    for text in (str(number), f" {number} ", f"{number:,}", str(number).replace("-", "\u2212")):
        assert numbers.integer(text) == number


@given(st.integers(0, 10**12))
def test_digits_of_other_scripts(number):
    arabic = str(number).translate({ord(str(d)): chr(0x660 + d) for d in range(10)})
    assert numbers.integer(arabic) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "1.5",
        "1,2",
        "1,00",
        "12,34,567",
        "--1",
        "1e5",
        "1_000",
        "²",
        "½",
        "9" * 401,
        "0x1f",
    ],
)
def test_no_whole_number(text):
    with pytest.raises(InvalidAnswer):
        numbers.integer(text)


@given(st.fractions())
def test_fractions(number):
    fraction = f"{number.numerator}/{number.denominator}"
    sign = "-" if number < 0 else ""
    framed = f"{sign}\\frac{{{abs(number.numerator)}}}{{{number.denominator}}}"
    for text in (fraction, framed, fraction.replace("/", " / ")):
        assert numbers.rational(text) == number


@given(
    st.decimals(
        allow_nan=False, allow_infinity=False, places=6, min_value=-(10**9), max_value=10**9
    )
)
def test_decimals_are_exact(number):
    assert numbers.rational(f"{number:f}") == Fraction(number)


@pytest.mark.parametrize(
    "text",
    ["", ".", "1/0", "1//2", "1/2/3", "nan", "inf", "1e5", "1.2.3", "1/2.5", "\\frac{1}{0}", "50%"],
)
def test_no_number(text):
    with pytest.raises(InvalidAnswer):
        numbers.rational(text)


@given(
    st.lists(st.integers(-999, 999), min_size=1, max_size=20),
    st.sampled_from([", ", " ", ";", ","]),
)
def test_lists(row, separator):
    joined = separator.join(map(str, row))
    for text in (joined, f"[{joined}]", f"({joined})", f"{{{joined}}}"):
        assert numbers.integers(text) == row
    assert numbers.integers(joined, len(row)) == row
    with pytest.raises(InvalidAnswer, match=f"expected {len(row) + 1} .*, got {len(row)}"):
        numbers.integers(joined, len(row) + 1)


READERS = [
    numbers.integer, numbers.rational, numbers.integers, matrices.rows_of_integers,
    lambda text: numbers.digit_row(text, 3, 0, 9),
]  # fmt: skip


@pytest.mark.parametrize("text", [*HOSTILE, *MONSTERS], ids=range(len(HOSTILE) + len(MONSTERS)))
def test_readers_read_or_refuse_anything(text):
    for read in READERS:
        try:
            read(text)
        except InvalidAnswer as flaw:
            message = str(flaw)
            assert 0 < len(message) < 500, message[:80]
