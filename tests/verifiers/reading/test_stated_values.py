"""Values in short sentences, behind labels and before units."""

import pytest

from palaestra.verifiers.reading.probabilities import probability
from palaestra.verifiers.reading.stated_values import LENGTH, stated


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7/43", "7/43"),
        ("Probability: 7/43", "7/43"),
        ("**The probability is 7/43.**", "7/43"),
        ("P(A = 1 | not (B or C)): 7/43", "7/43"),
        (r"\\mathbb{E}[N] = 7/43", "7/43"),
        ("E[N] = 7/43 steps", "7/43"),
        ('{"answer": "7/43"}', "7/43"),
        ('{"answer": 0.5}', "0.5"),
        ("(7)/(43)", "7/43"),
        ("7/43 (about 0.1628)", "7/43 \u2248 0.1628"),
        ("7/43, approximately 16.3%", "7/43 \u2248 16.3%"),
        (
            "Answer: The probability that A = 1 is 7/43",
            "7/43",
        ),
        (r"7/43 \approx 0.1628", r"7/43 \approx 0.1628"),
        ("not A: 7/43", "not A: 7/43"),
        ("P(A) < 7/43", "P(A) < 7/43"),
        ('{"A": "1/2", "B": "1/3"}', '{"A": "1/2", "B": "1/3"}'),
        ("1 - P(A) = 7/43", "1 - P(A) = 7/43"),
    ],
)
def test_what_stands_around_a_value(text, value):
    assert stated(text.replace("\\\\", "\\"), ["steps"]) == value


def test_a_wrong_rounded_value_is_refused():
    assert probability(stated("1/4 (about 0.25)")) == probability("1/4")
    with pytest.raises(ValueError, match="rounded value"):
        probability(stated("1/4 (about 0.31)"))


@pytest.mark.parametrize(
    "text", ["P(" * 900, "the " * 400, "(" * 1_900, " ~" * 900, "about " * 300]
)
def test_texts_without_a_value_are_left(text):
    assert isinstance(stated(text), str)
    assert stated(text * 3 if len(text) * 3 > LENGTH else text + "x" * LENGTH).count("x") >= 0


def test_long_texts_are_not_looked_at():
    text = "Probability: " + "1" * LENGTH
    assert stated(text) == text


def test_a_key_with_two_values_is_left_to_the_reader():
    text = '{"answer": "A", "answer": "B"}'
    assert stated(text) == text
