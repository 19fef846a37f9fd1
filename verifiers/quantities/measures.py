"""Reading quantities: a number, its unit, and what is counted.

>>> measured("12 km/h").value, measured("3 apples").noun
(Fraction(12, 1), 'apple')
"""

import re
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from palaestra.task import InvalidAnswer
from palaestra.verifiers.quantities.units import Unit, counted, rare_unit, unit, unit_like
from palaestra.verifiers.reading.numerals import leading_number, tidy
from palaestra.verifiers.reading.values import opened

PARTS = 4
"""How many parts a quantity such as ``5 ft 10 in`` may have."""

_MONEY = re.compile(r"([+-]?)\s?((?:[A-Z]{1,2})?\\?\$|[€£¥₹₩₽₺]|[A-Z]{3}(?=\s?[\d.+-]))\s?")
_SCALE = re.compile(
    r"(?:dozen|hundred|thousand|million|billion|trillion)s?(?![a-z])", re.IGNORECASE
)
_PART = re.compile(r"([^\W\d_]+)\.?,?(?: and)? (?=[\d.])")
_WRAPPED = re.compile(r"\\(?:text|mathrm|mathbf|textbf)\{([^{}]*)\}")
_MATHS = re.compile(r"(?:\$([^$]+)\$|\\\(([^()]+)\\\))(?=[^\w$]|[^\W\d])\s*")


class Measured(NamedTuple):
    """A number as it is written, its unit, and what is counted; both may be missing."""

    value: Fraction
    unit: Unit | None
    noun: str | None


def measured(text: str, like: Unit | None = None, rare: bool = False) -> Measured:
    """A quantity, read exactly.

    A unit with several meanings is taken in that of ``like``. ``rare`` reads units of
    :func:`~palaestra.verifiers.quantities.units.rare_unit`, too.
    Raises :class:`~palaestra.task.InvalidAnswer` for anything else.

    >>> measured("5 ft 10 in").value
    Fraction(35, 6)
    >>> measured("$1.5 million").value, measured("3 red apples").noun
    (Fraction(1500000, 1), 'red apple')
    """
    body = tidy(text)
    if body.startswith("(") and opened(body) != body:
        body = tidy(opened(body))
    if wrapped := _WRAPPED.fullmatch(body):
        body = tidy(wrapped[1])
    sign, money, body = _money(_outside_maths(body))
    value, rest = leading_number(sign + body)
    while scale := _SCALE.match(rest):
        value *= _scale(scale[0])
        rest = rest[scale.end() :].strip()
    return _in_parts(value, rest) or _named(value, _joined(money, rest), like, rare)


def _outside_maths(text: str) -> str:
    """A quantity without the marks of LaTeX around its number alone.

    >>> _outside_maths("$5$ km"), _outside_maths("$5 or $6")
    ('5 km', '$5 or $6')
    """
    match = _MATHS.match(text)
    number = tidy(match[1] or match[2]) if match else ""
    try:
        whole = bool(match) and not leading_number(number)[1]
    except InvalidAnswer:
        whole = False
    return f"{number} {tidy(text[match.end() :])}" if match and whole else text


def _money(text: str) -> tuple[str, str, str]:
    """A sign, a currency and what follows; the first two may be empty."""
    match = _MONEY.match(text)
    money = unit(match[2]) if match else None
    if not match or not money or not money.dimension[0][0].startswith("currency"):
        return "", "", text
    return match[1], match[2], text[match.end() :]


def _joined(money: str, rest: str) -> str:
    """The whole name of a unit whose currency stands before the number."""
    return rest if money and rest and unit(money) == unit(rest) else f"{money} {rest}".strip()


def _scale(word: str) -> Fraction:
    scale = unit(word)
    return scale.factor if scale else Fraction(1)


def _named(value: Fraction, name: str, like: Unit | None, rare: bool) -> Measured:
    if not name:
        return Measured(value, None, None)
    one = unit_like(name, like) if like else unit(name)
    if one is None and rare:
        one = rare_unit(name)
    noun = None if one else counted(name)
    if not one and not noun:
        raise InvalidAnswer("not a number followed by a unit")
    return Measured(value, one, noun)


def _in_parts(value: Fraction, rest: str) -> Measured | None:
    """The sum of a quantity such as ``5 ft 10 in``, in its first unit; ``None`` for any other."""
    amounts: list[tuple[Fraction, Unit]] = []
    while part := _PART.match(rest):
        one = unit(part[1])
        if one is None:
            return None
        amounts.append((value, one))
        value, rest = leading_number(rest[part.end() :])
        if len(amounts) == PARTS:
            raise InvalidAnswer("a quantity in too many parts")
    last = unit(rest)
    if not amounts or last is None:
        return None
    amounts.append((value, last))
    return Measured(_sum(amounts), amounts[0][1], None)


def _sum(parts: list[tuple[Fraction, Unit]]) -> Fraction:
    """Parts in ever smaller units, in the first unit; the first sign holds for all."""
    first = parts[0][1]
    for (_, large), (_, small) in pairwise(parts):
        if large.dimension != small.dimension or large.factor <= small.factor or small.offset:
            raise InvalidAnswer("several quantities")
    total = sum((abs(value) * one.factor for value, one in parts), Fraction(0)) / first.factor
    return -total if parts[0][0] < 0 else total
