"""Notations of numbers: words, Roman numerals, powers of ten, other bases, dozens."""

from collections.abc import Callable
from fractions import Fraction
from random import Random

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety"
UNITS, TENS = _UNITS.split(), _TENS.split()
ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
    (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def in_words(number: int) -> str:
    """A whole number below a million in words.

    >>> in_words(12_345), in_words(700)
    ('twelve thousand three hundred and forty-five', 'seven hundred')
    """
    if number < 20:
        return UNITS[number]
    if number < 100:
        ones = f"-{UNITS[number % 10]}" if number % 10 else ""
        return TENS[number // 10] + ones
    size, name, link = (100, "hundred", " and ") if number < 1000 else (1000, "thousand", " ")
    if name == "thousand" and number % size < 100:
        link = " and "
    rest = link + in_words(number % size) if number % size else ""
    return f"{in_words(number // size)} {name}{rest}"


def roman(number: int) -> str:
    """A whole number below 4,000 in Roman numerals.

    >>> roman(1984)
    'MCMLXXXIV'
    """
    text = ""
    for size, letters in ROMAN:
        text += letters * (number // size)
        number %= size
    return text


def decimal(value: Fraction) -> str:
    """A finite decimal without trailing zeros, with at most six decimal places.

    >>> decimal(Fraction(5, 2)), decimal(Fraction(40))
    ('2.5', '40')
    """
    return f"{float(value):.6f}".rstrip("0").rstrip(".")


def scientific(value: Fraction) -> str:
    """A positive number as a factor from 1 to below 10 and a power of ten.

    >>> scientific(Fraction(1230))
    '1.23e3'
    """
    power = len(str(int(value))) - 1
    return f"{decimal(value / 10**power)}e{power}"


WRITTEN: dict[str, tuple[Callable[[Fraction], str], Fraction]] = {
    "plain": (lambda v: f"{int(v):,}", Fraction(1)),
    "decimal": (lambda v: f"{int(v):,}.{int(v % 1 * 100):02}", Fraction(1, 4)),
    "words": (lambda v: in_words(int(v)), Fraction(1)),
    "scientific": (scientific, Fraction(1)),
    "thousand": (lambda v: f"{decimal(v / 1000)} thousand", Fraction(1)),
    "million": (lambda v: f"{decimal(v / 10**6)} million", Fraction(1)),
    "fraction": (lambda v: f"{v.numerator}/{v.denominator}", Fraction(1, 7)),
    "percent": (lambda v: f"{decimal(v * 100)}%", Fraction(1, 4)),
    "dozen": (lambda v: f"{int(v / 12)} dozen", Fraction(12)),
    "roman": (lambda v: roman(int(v)), Fraction(1)),
    "hexadecimal": (lambda v: f"0x{int(v):X}", Fraction(1)),
    "octal": (lambda v: f"0o{int(v):o}", Fraction(1)),
    "binary": (lambda v: f"0b{int(v):b}", Fraction(1)),
}
"""For each notation, the function that writes a number, and the numbers' common divisor."""


def near(rng: Random, form: str, low: int, high: int) -> Fraction:
    """A number that a notation can express, between two bounds up to rounding."""
    grain = WRITTEN[form][1]
    return grain * round(Fraction(rng.randint(low * 8, high * 8), 8) / grain)
