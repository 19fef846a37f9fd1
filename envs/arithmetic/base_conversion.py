"""Positional numerals in other bases: Leibniz on the binary (1703), Horner's scheme, division."""

import re
from fractions import Fraction
from functools import lru_cache
from math import gcd
from random import Random
from typing import Self

from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import DIGITS
from palaestra.verifiers.reading.values import items, joined

SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SUBSCRIPTS = {0x2080 + digit: f"_{digit}" for digit in range(10)}
NUMERAL = re.compile(r"(-?)([0-9A-Z]+)(?:\.([0-9A-Z]+))?", re.ASCII)

Conversion = tuple[str, int, int]
"""A numeral, its base, and the base to convert it to."""


class BaseConversion(Puzzle):
    """Write numbers in another base, from 2 to 36, with signs and fractions at higher levels."""

    tags = {"calculation", "numerals", "unique-solution"}
    calculation = True
    answer_type = "digits"

    class Knobs(Puzzle.Knobs):
        conversions: int = ladder(1, 1, 1, 2, 2, 3, 3, high=10)
        digits: int = ladder(2, 3, 4, 5, 6, 8, 12, low=2, high=30)
        base: int = ladder(9, 16, 16, 16, 20, 36, 36, low=3, high=36)
        places: int = ladder(0, 0, 0, 0, 2, 3, 4, high=8)
        negative: bool = ladder(False, False, False, True)
        decimal: bool = ladder(True, True, False)  # whether one of the two bases is ten

    conversions: tuple[Conversion, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        return cls(conversions=tuple(_conversion(rng, knobs) for _ in range(knobs.conversions)))

    def canonical(self) -> str:
        return repr(sorted(self.conversions))

    def prompt(self) -> str:
        lines = "\n".join(
            f"{numeral} from base {base} to base {other}"
            for numeral, base, other in self.conversions
        )
        lead = self.phrase("Convert:", "Write in the other base:")
        digits = (
            "Digits above 9 are letters: A is 10, B is 11, and so on to Z, which is 35. "
            if max(max(base, other) for _, base, other in self.conversions) > 10
            else ""
        )
        point = (
            "A point separates the whole part from the fraction, whose digits count negative "
            "powers of the base; every fraction here is finite in the new base too. "
            if any("." in numeral for numeral, _, _ in self.conversions)
            else ""
        )
        example = joined((["-1011", "110", "10"] * len(self.conversions))[: len(self.conversions)])
        shape = (
            "Give the new numeral alone, without a prefix or the base, such as '-1011'."
            if len(self.conversions) == 1
            else "Give the new numerals alone, without prefixes or bases, in the order listed and "
            f"separated by commas, such as '{example}'."
        )
        return f"{lead}\n\n{lines}\n\n{digits}{point}{shape}"

    def answer(self) -> str:
        return ", ".join(
            written(value(numeral, base), other) for numeral, base, other in self.conversions
        )

    def verify(self, answer: str) -> Score:
        numerals = items(answer, "a list of numerals")
        if len(numerals) != len(self.conversions):
            raise InvalidAnswer(f"{len(numerals)} numerals instead of {len(self.conversions)}")
        for numeral, (source, base, other) in zip(numerals, self.conversions):
            if value(_without_base(numeral, other), other) != value(source, base):
                return Score(0, f"the numeral for {source} from base {base} has another value")
        return Score(1)

    def audit(self, answer: str) -> bool:
        right = [written(value(text, base), other) for text, base, other in self.conversions]
        bases = [other for _, _, other in self.conversions]
        numerals = map(_without_base, items(answer), bases)
        return [_trimmed(numeral) for numeral in numerals] == right

    def difficulty(self) -> float:
        """Digits to read and to write."""
        numerals = [*(numeral for numeral, _, _ in self.conversions), *self.answer().split(", ")]
        return sum(len(numeral.strip("-")) for numeral in numerals)


def _conversion(rng: Random, knobs: BaseConversion.Knobs) -> Conversion:
    bases = range(2, knobs.base + 1)
    pair = [10, rng.choice([base for base in bases if base != 10])]
    base, other = rng.sample(pair if knobs.decimal else bases, 2)
    least = max(base ** (knobs.digits - 1), other)
    number: Fraction | int = rng.randrange(least, least * max(base, 2))
    shared = gcd(base, other)
    if knobs.places and shared > 1:  # so that the fraction is finite in both bases
        number += Fraction(rng.randrange(1, shared**knobs.places), shared**knobs.places)
    if knobs.negative and rng.random() < 0.4:
        number = -number
    return written(number, base), base, other


@lru_cache(maxsize=1_024)
def value(numeral: str, base: int) -> Fraction:
    """The value of a numeral.

    >>> str(value("-1A.8", 16))
    '-53/2'
    """
    read = NUMERAL.fullmatch(numeral) if len(numeral) <= DIGITS else None
    if not read or any(SIGNS.index(sign) >= base for sign in (*read[2], *(read[3] or ""))):
        raise InvalidAnswer(f"not a numeral in base {base}")
    fraction = read[3] or ""
    number = Fraction(int(read[2] + fraction, base), base ** len(fraction))
    return -number if read[1] else number


def written(number: Fraction | int, base: int) -> str:
    """The numeral of a number whose fraction is finite in that base.

    Raises ``ValueError`` for a base below 2.

    >>> written(Fraction(-53, 2), 16)
    '-1A.8'
    """
    if base < 2:
        raise ValueError(f"no numerals have the base {base}")
    whole, rest = divmod(-number if number < 0 else number, 1)
    digits = ""
    while whole:
        whole, digit = divmod(whole, base)
        digits = SIGNS[digit] + digits
    decimals = "." if rest else ""
    while rest:
        digit, rest = divmod(rest * base, 1)
        decimals += SIGNS[digit]
    return "-" * (number < 0) + (digits or "0") + decimals


def _without_base(numeral: str, base: int) -> str:
    """A numeral in capitals, without its base as a subscript.

    >>> _without_base("1a_16", 16), _without_base("(101)_{2}", 2), _without_base("1A₁₆", 16)
    ('1A', '101', '1A')
    """
    body = numeral.translate(SUBSCRIPTS).replace("{", "").replace("}", "").upper()
    body, underscore, subscript = body.partition("_")
    if underscore and subscript.replace("_", "") != str(base):
        raise InvalidAnswer(f"expected a numeral in base {base}")
    return body[1:-1] if underscore and body[:1] == "(" and body[-1:] == ")" else body


def _trimmed(numeral: str) -> str:
    """A numeral without leading zeros, and without trailing zeros of the fraction."""
    whole, _, decimals = numeral.lstrip("-").partition(".")
    sign, decimals = "-" * numeral.startswith("-"), decimals.rstrip("0")
    return sign + (whole.lstrip("0") or "0") + ("." + decimals if decimals else "")
