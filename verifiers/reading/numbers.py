"""Readers of numbers: whole numbers, fractions, lists of them, rows of digits.

Every reader takes time linear in the length of the text, and raises :class:`InvalidAnswer` with
what it expected for any other text.
"""

import re
from fractions import Fraction

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import items, opened, plain

DIGITS = 400
"""The most digits of a number; no task needs more, and arithmetic on them is fast."""

_INTEGER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?", re.ASCII)
_FRAC = re.compile(r"([+-]?)\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}")
_LAST_DIGITS = re.compile(
    r"(?:\.{3}|\u2026)?(?:\d+(?: \d+)*|\d{1,3}(?:,\d{3})+|\d(?:[,;] ?\d)+)", re.ASCII
)
_PARTED = re.compile(r"\d\s++(?!\d{3}(?!\d))\d")
_NAME = re.compile(r"(?:[A-Za-z][A-Za-z_]{0,15}\d?\s*)?=\s*(?=[-+\d.\\])")


def unspaced(text: str) -> str:
    """Return a plain text without spaces, which may separate digits only as thousands.

    Raises :class:`InvalidAnswer` for spaces between digits that are not groups of thousands.

    >>> unspaced("2x + 10 000")
    '2x+10000'
    """
    body = plain(text)
    if _PARTED.search(body):
        raise InvalidAnswer(
            "a space between two digits; expected spaces in numbers only between thousands"
        )
    return "".join(body.split())


def integer(text: str, what: str = "a whole number") -> int:
    """Read a whole number of up to :data:`DIGITS` digits, with or without commas for thousands.

    ``what`` names in the error what was expected.

    >>> integer("-1,024")
    -1024
    """
    body = plain(text)
    if not body.isdigit():
        body = _without_name(body)
    if len(body) > DIGITS or not _INTEGER.fullmatch(body):
        raise InvalidAnswer(f"expected {what}")
    return int(body.replace(",", ""))


def _without_name(text: str) -> str:
    r"""A number without a name and an equals sign before it, thousands in LaTeX as plain commas.

    >>> _without_name("x = 42"), _without_name(r"1{,}024"), _without_name("3 = 4")
    ('42', '1,024', '3 = 4')
    """
    if "=" in text:
        text = text[name.end() :] if (name := _NAME.match(text)) else text
    return text.replace("{,}", ",").replace("\\,", ",") if "\\" in text or "{" in text else text


def rational(text: str, what: str = "a number") -> Fraction:
    r"""Read a whole number, a fraction or a finite decimal, without rounding.

    ``what`` names in the error what was expected.

    >>> [str(rational(text)) for text in ("3/6", "0.25", "-\\frac{1}{3}", "2")]
    ['1/2', '1/4', '-1/3', '2']
    """
    body = _without_name(plain(text))
    if len(body) > 2 * DIGITS:
        raise InvalidAnswer(f"expected {what}")
    if framed := _FRAC.fullmatch(body):
        body = f"{framed[1]}{framed[2]}/{framed[3]}"
    above, slash, below = body.partition("/")
    if not slash:
        return _decimal(above, what)
    bottom = integer(below, what)
    if bottom == 0:
        raise InvalidAnswer("a fraction has the denominator 0")
    return Fraction(integer(above, what), bottom)


def _decimal(text: str, what: str) -> Fraction:
    if not any(map(str.isdigit, text)) or not _DECIMAL.fullmatch(text):
        raise InvalidAnswer(f"expected {what}")
    return Fraction(text.replace(",", ""))


def integers(
    text: str, length: int | None = None, what: str = "a list of whole numbers"
) -> list[int]:
    """Read a list of whole numbers: exactly ``length`` of them, or any number for ``None``.

    ``what`` names in the error what was expected.

    >>> integers("(3, -1 4)", length=3)
    [3, -1, 4]
    """
    if "=" in text:
        text = _without_name(plain(text))
    numbers = [integer(item, what) for item in items(text, what)]
    if length is not None and len(numbers) != length:
        noun = "whole number" if length == 1 else "whole numbers"
        raise InvalidAnswer(f"expected {length} {noun}, got {len(numbers)}")
    return numbers


def digit_row(text: str, length: int, lowest: int, highest: int) -> str:
    """Read ``length`` digits from ``lowest`` to ``highest``, with any separators between them.

    >>> digit_row("1, 3 - 2", length=3, lowest=1, highest=4)
    '132'
    """
    row = "".join(filter(str.isalnum, plain(text)))
    if not (row.isascii() and row.isdigit()):
        raise InvalidAnswer("expected a row of digits")
    if len(row) != length:
        raise InvalidAnswer(f"expected {length} digits, got {len(row)}")
    if not all(lowest <= int(digit) <= highest for digit in row):
        raise InvalidAnswer(f"expected digits from {lowest} to {highest}")
    return row


def last_digits(text: str, length: int) -> str:
    """Read the last ``length`` digits of a number: as one word, one by one, or in groups.

    A minus sign, a decimal point or a percent sign would make another number, and is refused.

    >>> last_digits("...0512", 4), last_digits("0, 5, 1, 2", 4), last_digits("0512 3748", 8)
    ('0512', '0512', '05123748')
    """
    body = opened(_without_name(plain(text)))
    if len(body) > 4 * DIGITS or not _LAST_DIGITS.fullmatch(body):
        raise InvalidAnswer("expected a row of digits")
    row = "".join(filter(str.isdigit, body))
    if len(row) != length:
        raise InvalidAnswer(f"expected {length} digits, got {len(row)}")
    return row
