"""Gaussian rationals, a + bi with fractions a and b: reading, writing and working with them."""

import re
from fractions import Fraction

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.notation import in_ascii
from palaestra.verifiers.reading.numbers import DIGITS, rational, unnamed, unspaced

Gaussian = tuple[Fraction, Fraction]
"""The real and the imaginary part."""

_TERM = re.compile(r"[+-]?[^+-]+")
_UNIT = re.compile(r"([+-]?)(.*?)\*?i(/\d+)?", re.ASCII)


def gaussian(text: str) -> Gaussian:
    """Read a complex number: at most one real part and one imaginary part, exactly.

    >>> [str(part) for part in gaussian("3/4 - 2i")], [str(part) for part in gaussian("i/2")]
    (['3/4', '-2'], ['0', '1/2'])
    """
    number = unspaced(in_ascii(unnamed(text))).lower()
    terms = _TERM.findall(number)
    if len(number) > 4 * DIGITS or "".join(terms) != number or not 1 <= len(terms) <= 2:
        raise InvalidAnswer("not a number of the form a+bi")
    read = [_term(term) for term in terms]
    if len({imaginary for imaginary, _ in read}) < len(read):
        raise InvalidAnswer("not a number of the form a+bi: two parts of one kind")
    parts = dict(read)
    return parts.get(False, Fraction(0)), parts.get(True, Fraction(0))


def _term(text: str) -> tuple[bool, Fraction]:
    """One part: whether it is imaginary, and its size."""
    unit = _UNIT.fullmatch(text)
    if not unit:
        return False, rational(text, "a number of the form a+bi")
    size = unit[2]
    if size.startswith("(") and size.endswith(")"):
        size = size[1:-1]
    if unit[3] and "/" in size:
        raise InvalidAnswer("not a number of the form a+bi")
    return True, rational(f"{unit[1]}{size or 1}{unit[3] or ''}", "a number of the form a+bi")


def written(number: Gaussian) -> str:
    """A complex number as people write it.

    >>> written((Fraction(1, 2), Fraction(-1))), written((Fraction(0), Fraction(2, 3)))
    ('1/2 - i', '2/3i')
    """
    real, imaginary = number
    if not imaginary:
        return str(real)
    size = "" if abs(imaginary) == 1 else str(abs(imaginary))
    if not real:
        return f"{'-' * (imaginary < 0)}{size}i"
    return f"{real} {'-' if imaginary < 0 else '+'} {size}i"


def joined(sign: str, left: Gaussian, right: Gaussian) -> Gaussian:
    """A sum, difference, product or quotient.

    >>> i = Fraction(0), Fraction(1)
    >>> written(joined("*", i, i))
    '-1'
    """
    (a, b), (c, d) = left, right
    if sign == "+":
        return a + c, b + d
    if sign == "-":
        return a - c, b - d
    if sign == "*":
        return a * c - b * d, a * d + b * c
    size = c * c + d * d
    return (a * c + b * d) / size, (b * c - a * d) / size
