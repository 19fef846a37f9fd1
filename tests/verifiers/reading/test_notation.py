"""Mathematical notation as ASCII: the same expression in every notation, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hostile_texts import on_hostile_texts

from palaestra import InvalidAnswer
from palaestra.verifiers.reading.notation import in_ascii


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("2 \u00d7 3 \u2212 1", "2 * 3 - 1"),
        (r"2 \times 3", "2 *3"),
        (r"2\cdot 3", "2*3"),
        ("8 \u00f7 4", "8 / 4"),
        (r"8 \div 4", "8 /4"),
        (r"\frac{1}{2}", "(1/2)"),
        (r"\tfrac 1 2", "(1/2)"),
        (r"\frac{x+1}{2}", "((x+1)/(2))"),
        (r"\dfrac {\frac{1}{2}} {x}", "(((1/2))/(x))"),
        ("x^{2}", "x^2"),
        ("x^{ -2 }", "x^-2"),
        ("x\u00b2 + 1", "x^2 + 1"),
        ("e^{3x}", "e^(3x)"),
        (r"\left[ 1 + 2 \right]", "( 1 + 2 )"),
        (r"\mathrm{e}^x \, \operatorname{sin}(x)", "e^x   sin(x)"),
        (r"1{,}024", "1024"),
        (r"$8$ \% 3", "8 % 3"),
    ],
)
def test_notations(text, plain):
    assert in_ascii(text) == plain


def test_a_power_ends_where_its_braces_end():
    assert in_ascii("2^{3}4") == "2^(3)4"
    assert in_ascii("2\u00b34") == "2^3 4"


@pytest.mark.parametrize(
    "text", [r"1\frac{1}{2}", r"\sqrt{2}", r"\frac{1}", r"\frac{1}{2", "}", "{", r"\frac"]
)
def test_refused(text):
    with pytest.raises(InvalidAnswer):
        in_ascii(text)


@given(st.text("0123456789+-*/^() x."))
def test_plain_text_stays(text):
    assert in_ascii(text) == text.strip()


def reads_or_refuses(text):
    try:
        length = len(in_ascii(text))
    except InvalidAnswer as refused:
        return 0 < len(str(refused)) < 500
    return length <= 2 * len(text)


@on_hostile_texts
def test_anything_is_read_or_refused(text):
    assert reads_or_refuses(text)


@pytest.mark.parametrize("opening", ["\\frac{", "{"])
def test_deep_text_is_read_or_refused(opening):
    assert reads_or_refuses(opening * (120_000 // len(opening)))
