r"""Readers of factorisations: products of numbers, some of them with exponents.

Factors stand between ``*`` or another sign of multiplication, or are a list; an exponent follows
``^`` or ``**``, is in braces or raised. The product may have the factored number before or behind
it, with an equals sign between them (``12 = 2^2 * 3``).
"""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.notation import in_ascii
from palaestra.verifiers.reading.numbers import integer

Factors = list[tuple[int, int]]
"""Numbers with their exponents, as they are written from left to right."""

_BETWEEN = re.compile(r"\s*[*xX,;]\s*|\s+", re.ASCII)
_POWER = re.compile(r"\s?\^\s?")


def factorisation(text: str, number: int) -> Factors:
    r"""Read a factorisation of a number; the caller checks that the product is right.

    >>> factorisation("2^3 * 5 * 7 * 7", 1960), factorisation(r"40 = 2^{3} \cdot 5", 40)
    ([(2, 3), (5, 1), (7, 1), (7, 1)], [(2, 3), (5, 1)])
    """
    body = _POWER.sub("^", in_ascii(text).replace("**", "^"))
    sides = [side.strip() for side in body.split("=")]
    if len(sides) == 2 and number in map(_number, sides):
        sides.remove(next(side for side in sides if _number(side) == number))
    if len(sides) != 1 or not sides[0]:
        raise InvalidAnswer("expected a product of numbers, such as '2^3 * 5'")
    return [_factor(part) for part in _BETWEEN.split(sides[0])]


def _number(text: str) -> int | None:
    """The value of a text that is a whole number in digits, otherwise ``None``."""
    digits = text.replace(",", "")
    return int(digits) if digits.isdecimal() and len(digits) < 400 else None


def _factor(text: str) -> tuple[int, int]:
    factor, power, exponent = text.strip("()").partition("^")
    times = integer(exponent.strip("()"), "an exponent") if power else 1
    if times < 1:
        raise InvalidAnswer("expected exponents from 1 on")
    return integer(factor.strip("()"), "a product of numbers, such as '2^3 * 5'"), times
