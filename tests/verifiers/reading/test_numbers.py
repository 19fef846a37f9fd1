"""Readers of numbers: what is taken for the same, what is refused, and never a crash."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hostile_texts import on_hostile_texts

from palaestra import InvalidAnswer
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
        "1_000",
        "²",
        "½",
        "9" * 401,
        "1e401",
        "1.000",
        "0,375",
        "8/2",
        "42%",
        "42 m",
        "- 42",
        "42 = 43",
        "not = 42",
        "x != 42",
        "x >= 42",
        "42 or 43",
        "12 + 30",
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


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((text, 1024) for text in ("1{,}024", "1\\,024", "1 024", "1\u202f024", "1,024")),
        *((text, 42) for text in ("x = 42", "x_1 = 42", "x_{10} = 42", "x = 84/2 = 42", "42.0")),
        *(
            (text, 42)
            for text in ("gcd(84, 126) = 42", "a(10) = 42", "\\det(A) = 42", "\\det A = 42")
        ),
        *((text, 42) for text in ("**42**", "$42$", "`42`", "\\boxed{42}", "x = $42$", "42 = 42")),
        *(
            (text, 3000)
            for text in ("3e3", "3E+3", "3 \u00d7 10^3", "3 \\cdot 10^{3}", "3 * 10**3")
        ),
        *((text, -42) for text in ("-42", "\u221242", "\u2013\uff14\uff12", "x = -42", "-42.00")),
    ],
)
def test_forms_of_a_whole_number(text, value):
    assert numbers.integer(text) == value
    assert numbers.rational(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(
            (text, "3/8")
            for text in ("3/8 = 0.375", "0.375 = 3/8", "6/16 = 3/8", "x = 3/8 = 0.375")
        ),
        *(
            (text, "3/8")
            for text in ("(3/8)", "\\frac38", "$\\frac{3}{8}$", "P(A) = 3/8", "\u215c")
        ),
        *(
            (text, "1/3")
            for text in ("1/3 \u2248 0.333", "\\frac{1}{3} \\approx 0.3333", "1/3 \u2248 0.34")
        ),
        *((text, "3/2") for text in ("1 1/2", "1\\frac{1}{2}", "1\u00bd", "1.5", "+3/2", "3 / 2")),
        *(
            (text, "-3/2")
            for text in ("-1 1/2", "-1\\frac{1}{2}", "\\frac{-3}{2}", "-(3/2)", "3/-2")
        ),
        *((text, "5/1000") for text in ("5e-3", "5 \u00d7 10^-3", "5 \\times 10^{-3}", "0.005")),
        ("1,234/5", "1234/5"),
        ("\\frac{1{,}234}{5}", "1234/5"),
    ],
)
def test_forms_of_a_fraction(text, value):
    assert numbers.rational(text) == Fraction(value)


def test_units_of_the_prompt_may_stand_behind_the_number():
    for text in ("5 cm", "5cm", "5\\text{ cm}", "5\\,\\mathrm{cm}", "5 CM", "x = 5 cm", "5"):
        assert numbers.integer(text, units=("cm",)) == 5
    for text in ("5 m", "5 cm 3", "5 cm^2", "cm 5", "5 cm cm"):
        with pytest.raises(InvalidAnswer):
            numbers.integer(text, units=("cm",))
    with pytest.raises(InvalidAnswer):
        numbers.integer("5 cm")


@given(st.fractions(max_denominator=10**6))
def test_chains_hold_exactly(value):
    text = f"{value.numerator}/{value.denominator}"
    assert numbers.rational(f"{text} = {3 * value.numerator}/{3 * value.denominator}") == value
    assert numbers.fraction(f"{text} = {text}") == (value.numerator, value.denominator)
    with pytest.raises(InvalidAnswer, match="two different values"):
        numbers.rational(f"{text} = {value + Fraction(1, 10**7)}")


def test_fractions_as_they_are_written():
    for text, parts in (
        ("6/16", (6, 16)),
        ("6/16 = 3/8", (3, 8)),
        ("3/8 = 0.375", (3, 8)),
        ("0.375", (375, 1000)),
        ("-1 2/4", (-6, 4)),
        ("4", (4, 1)),
        ("4/1", (4, 1)),
        ("\\frac{-3}{8}", (-3, 8)),
        ("3/-8", (3, -8)),
    ):
        assert numbers.fraction(text) == parts


@given(
    st.decimals(
        allow_nan=False, allow_infinity=False, places=6, min_value=-(10**9), max_value=10**9
    )
)
def test_decimals_are_exact(number):
    assert numbers.rational(f"{number:f}") == Fraction(number)


@pytest.mark.parametrize(
    "text",
    [
        *("", ".", "1/0", "1//2", "1/2/3", "nan", "inf", "1.2.3", "1/2.5", "\\frac{1}{0}", "50%"),
        *("0,375", "3/8 = 0.38", "3/8 = 0.375 = 0.38", "\\approx 0.333", "1/3 \u2248 0.335"),
        *("1/3 = 0.333", "1 4/3", "1-1/2", "- 1/2", "1/2e3", "-\\frac{-1}{2}", "3:8", "1/2 m"),
        *("2\n743", "1\n\n000", "x = 2\n743"),
        *("=" * 50, "1 = " * 50 + "1", "x = y", "\\frac{1}{2}\\frac{1}{2}", "1e401"),
    ],
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
    numbers.rationals, numbers.fraction, lambda text: numbers.digit_row(text, 3, 0, 9),
    lambda text: numbers.integers(text, names="xy"), lambda text: numbers.integers(text, 2),
]  # fmt: skip


@on_hostile_texts
def test_readers_read_or_refuse_anything(text):
    for read in READERS:
        try:
            read(text)
        except InvalidAnswer as error:
            message = str(error)
            assert 0 < len(message) < 500, message[:80]


def test_lists_of_grouped_numbers():
    assert numbers.integers("1,024, 2,048") == [1024, 2048]
    assert numbers.integers("1,024; 2,048") == [1024, 2048]
    assert numbers.integers("1{,}024, 5") == [1024, 5]
    assert numbers.integers("1,024") == [1, 24]
    assert numbers.integers("1,024", length=1) == [1024]


def test_lists_with_names():
    for text in ("x = 3, y = -1", "x = 3\ny = -1", "y = -1; x = 3", "(x, y) = (3, -1)", "3, -1"):
        assert numbers.integers(text, names="xy") == [3, -1]
        assert numbers.rationals(text, names="xy") == [3, -1]
    for text in ("(y, x) = (3, -1)", "x = 3", "x = 3, x = -1", "x = 3, z = -1"):
        with pytest.raises(InvalidAnswer):
            numbers.rationals(text, names="xy")


def test_lists_of_fractions():
    half = Fraction(1, 2)
    for text in ("2, -1/2, 1 1/2", "[2, -1 / 2, 1\\frac{1}{2}]", "2; -0.5; 1.5", "2 -1/2 3/2"):
        assert numbers.rationals(text) == [2, -half, 3 * half]
    assert numbers.rationals("2, -1 5/10, 23 58/165") == [2, -3 * half, Fraction(3853, 165)]
    for text in ("x = 2, x = -1/2", "x = 2 or x = -1/2", "x_1 = 2, x_2 = -1/2", "2 and -1/2"):
        assert numbers.rationals(text) == [2, -half]
    assert numbers.rationals("1/2 \u2248 0.5", length=1) == [half]
    assert numbers.rationals("1/3 \u2248 0.333, 1/2") == [Fraction(1, 3), half]
    assert numbers.rationals("1 1/2", length=2) == [1, half]
    assert numbers.rationals("1 1/2", length=1) == [3 * half]
    with pytest.raises(InvalidAnswer, match="commas"):
        numbers.rationals("1 1/2")
