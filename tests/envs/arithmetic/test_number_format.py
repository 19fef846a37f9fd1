"""Tests of arithmetic/number_format."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.generators.arithmetic import number_format

SEEDS = st.integers(0, 10**6)


def roman_value(text: str) -> int:
    sizes = [dict(zip("IVXLCDM", (1, 5, 10, 50, 100, 500, 1000)))[sign] for sign in text]
    return sum(-a if a < b else a for a, b in zip(sizes, [*sizes[1:], 0]))


@given(st.integers(1, 3999))
def test_roman_numerals_add_up(number: int) -> None:
    assert roman_value(number_format.roman(number)) == number


def value_of_words(text: str) -> int:
    total = part = 0
    for word in text.replace("-", " ").split():
        if word in number_format.UNITS:
            part += number_format.UNITS.index(word)
        elif word in number_format.TENS:
            part += 10 * number_format.TENS.index(word)
        elif word == "hundred":
            part *= 100
        elif word == "thousand":
            total, part = total + 1000 * part, 0
    return total + part


@given(st.integers(0, 999_999))
def test_words_of_numbers_are_read_back(number: int) -> None:
    assert value_of_words(number_format.in_words(number)) == number


@settings(max_examples=20)
@given(SEEDS)
def test_notations_by_reading_the_prompt(seed: int) -> None:
    task = sampled("arithmetic/number_format", seed, 3)
    sizes = {}
    for line in task.prompt().split("\n\n")[1].splitlines():
        label, numeral = line.split(". ", 1)
        number, _, unit = numeral.replace(",", "").partition(" ")
        if number.rstrip("IVXLCDM") == "":
            sizes[label] = float(roman_value(number))
        elif number[0] == "0" and number[1] in "xob":
            sizes[label] = float(int(number, 0))
        elif "/" in number:
            above, below = number.split("/")
            sizes[label] = int(above) / int(below)
        elif number[0].isdigit():
            scale = {"thousand": 1000, "million": 10**6, "dozen": 12, "": 1}[unit]
            part = 0.01 if number.endswith("%") else 1
            sizes[label] = float(number.rstrip("%")) * scale * part
        else:
            sizes[label] = float(value_of_words(numeral))
    assert task.verify(" ".join(sorted(sizes, key=lambda label: sizes[label]))).correct
