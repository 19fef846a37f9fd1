r"""Readers of numbers: whole numbers, fractions, lists of them, rows of digits.

A number has the same value in each of these forms, and no other form is read:

- Digits of any script, with a sign directly before them; thousands in groups of three, separated by
  commas or spaces, also those of LaTeX (``1{,}024``).
- A finite decimal (``0.375``), and scientific notation (``3.75e-1``, ``3.75 \times 10^{-1}``).
- A fraction (``3/8``, ``\frac{3}{8}``, ``⅜``), and a mixed number (``1 1/2``, ``1\frac{1}{2}``).
  A whole number may be a decimal with zeros only (``42.0``), but no fraction.
- Equal values with equals signs between them (``3/8 = 0.375``), if they are equal exactly; the
  last may be rounded if the sign says so (``1/3 ≈ 0.333``).
- A name and an equals sign before it (``x = 42``, ``P(A) = 3/8``), and behind it a unit that the
  question names (``5 cm``).

What could be two numbers is refused: ``1.000`` as a whole number, ``0,375``, ``- 5`` (a minus sign
or a bullet), ``1/2e3``. Every reader takes time linear in the length of the text, and raises
:class:`InvalidAnswer` with what it expected for any other text.
"""

import re
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeVar

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.numerals import leading_number, tidy
from palaestra.verifiers.reading.values import items, opened, plain
from palaestra.verifiers.replies import unwrapped

T = TypeVar("T")

DIGITS = 400
"""The most digits of a number; no task needs more, and arithmetic on them is fast."""

MOST = 10_000
"""The most items of a list."""

SIDES = 8
"""The most values with equals signs between them."""

_WHOLE = re.compile(r"[+-]?\d{1,400}", re.ASCII)
_FRACTION = re.compile(r"([+-]?\d{1,400})(?: ?/ ?([+-]?\d{1,400}))?", re.ASCII)
_RATIO = re.compile(r"([+-]?) ?(?:(\d+) )?(\d[\d,]*) ?/ ?(\d[\d,]*)", re.ASCII)
_DECIMAL = re.compile(r"[+-]?[\d,]*\.(\d*)", re.ASCII)
_GROUP_OR_DECIMAL = re.compile(r"[+-]?\d{1,3}\.000", re.ASCII)
_LONE_SIGN = re.compile(r"[+-]\s|[~=]")
_ABOUT = re.compile(r"\u2248|\\approx(?![A-Za-z])")
_NAME = re.compile(
    r"(?!(?:not|no|never)\b)\\?[A-Za-z][A-Za-z_]{0,15}(?:\d{1,4}|\{\w{1,9}\})?"
    r"(?:\s?\([^()\n]{0,80}\)|\s[A-Za-z])?\s*=\s*(?=\S)",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"(?:\\[,;:! ]|[~\s])*+(?:\\(?:text|mathrm|textrm)\s*\{\s*([^{}]*)\}|([^\\{}]*))"
)
_LATEX_GROUP = re.compile(r"(?<=\d)(?:\{,\}|\\[,;:! ])(?=\d{3}(?!\d))", re.ASCII)
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+", re.ASCII)
_APART = re.compile(r"[,;]\s|;|[,;]$")
_BETWEEN = re.compile(r"[,;]|\sor\s")
_LAID_OUT = re.compile(r"[\n*`\"'\u201c\\\[]|\sand\s")
_MIXED = re.compile(r"[+-]?\d{1,400}\s+\d{1,400}/\d{1,400}", re.ASCII)
_SPACED_MIXED = re.compile(r"(?<![\d/])\d+\s+\d+/\d", re.ASCII)
_LAST_DIGITS = re.compile(
    r"(?:\.{3}|\u2026)?(?:\d+(?: \d+)*|\d{1,3}(?:,\d{3})+|\d(?:[,;] ?\d)+)", re.ASCII
)
_PARTED = re.compile(r"\d\s++(?!\d{3}(?!\d))\d")


class _Side(NamedTuple):
    """A number as it is written: its value, and its parts if it is a fraction."""

    value: Fraction
    ratio: tuple[int, int] | None
    text: str


def integer(text: str, what: str = "a whole number", units: Collection[str] = ()) -> int:
    """Read a whole number of up to :data:`DIGITS` digits.

    ``what`` names in the error what was expected; one of ``units`` may follow the number.

    >>> integer("-1,024"), integer("n = 84/2 = 42"), integer("3 days", units=["day", "days"])
    (-1024, 42, 3)
    """
    body = plain(text)
    if _WHOLE.fullmatch(body):
        return int(body)
    last = _sides(body, what, units)[-1]
    if last.ratio or last.value.denominator > 1 or _GROUP_OR_DECIMAL.fullmatch(last.text):
        raise InvalidAnswer(f"expected {what}")
    return int(last.value)


def rational(text: str, what: str = "a number", units: Collection[str] = ()) -> Fraction:
    r"""Read a whole number, a fraction or a finite decimal, without rounding.

    ``what`` names in the error what was expected; one of ``units`` may follow the number.

    >>> [str(rational(text)) for text in ("3/6", "0.25 = 1/4", "-\\frac{1}{3}", "1 1/2")]
    ['1/2', '1/4', '-1/3', '3/2']
    """
    body = plain(text)
    if plain_fraction := _FRACTION.fullmatch(body):
        return _quotient(int(plain_fraction[1]), int(plain_fraction[2] or 1))
    return _sides(body, what, units)[-1].value


def fraction(text: str, what: str = "a fraction") -> tuple[int, int]:
    """Read a number like :func:`rational`; return its numerator and denominator as written.

    Of several equal values, the last fraction counts. A decimal is a number of tenths, hundredths
    and so on; the sign of a mixed number holds for the whole.

    >>> fraction("6/16"), fraction("6/16 = 3/8 = 0.375"), fraction("-1 2/4"), fraction("0.5")
    ((6, 16), (3, 8), (-6, 4), (5, 10))
    """
    sides = _sides(plain(text), what)
    if ratios := [side.ratio for side in sides if side.ratio]:
        return ratios[-1]
    last = sides[-1]
    decimal = _DECIMAL.fullmatch(last.text)
    below = 10 ** len(decimal[1]) if decimal else last.value.denominator
    return int(last.value * below), below


def _quotient(above: int, below: int) -> Fraction:
    if below == 0:
        raise InvalidAnswer("a fraction has the denominator 0")
    return Fraction(above, below)


def _sides(text: str, what: str, units: Collection[str] = ()) -> list[_Side]:
    """The equal values of an answer, as they are written from left to right."""
    if len(text) > 8 * DIGITS:
        raise InvalidAnswer(f"expected {what}")
    body = unnamed(unwrapped(text))
    exact, *rounded = _ABOUT.split(body, SIDES)
    texts = exact.split("=")
    if len(texts) + len(rounded) > SIDES:
        raise InvalidAnswer(f"expected {what}")
    sides = [_side(side, what, units) for side in texts]
    if any(side.value != sides[0].value for side in sides):
        raise InvalidAnswer("two different values have an equals sign between them")
    for side in rounded:
        _check_rounded(sides[-1].value, _side(side, what, units))
    return sides


def _check_rounded(exact: Fraction, rounded: _Side) -> None:
    decimal = _DECIMAL.fullmatch(rounded.text)
    if abs(exact - rounded.value) > Fraction(1, 10 ** len(decimal[1]) if decimal else 1):
        raise InvalidAnswer("the rounded value is not that of the exact one before it")


def _side(text: str, what: str, units: Collection[str]) -> _Side:
    body = _numeral(text)
    if not body or _LONE_SIGN.match(body):
        raise InvalidAnswer(f"expected {what}")
    if plain_fraction := _FRACTION.fullmatch(body):
        above, below = int(plain_fraction[1]), int(plain_fraction[2] or 1)
        return _Side(_quotient(above, below), (above, below) if plain_fraction[2] else None, body)
    try:
        value, rest = leading_number(body)
    except InvalidAnswer as refusal:
        raise InvalidAnswer(f"expected {what}: {refusal}", refusal.status) from None
    numeral = body.removesuffix(rest).rstrip()
    too_large = max(abs(value.numerator), value.denominator) >= 10**DIGITS
    if too_large or ("/" in numeral and "." in numeral) or not _is_unit(rest, units):
        raise InvalidAnswer(f"expected {what}")
    return _Side(value, _ratio(numeral), numeral)


def _numeral(text: str) -> str:
    r"""The text of a number on one line, without brackets around it or behind its sign.

    >>> _numeral(r"\frac{3}{8}"), _numeral("(3/8)"), _numeral("-(3/8)")
    ('3/8', '3/8', '-3/8')
    """
    body = text.strip()
    if "\u2248" in body or _LONE_SIGN.match(body):
        return ""
    sign = body[0] if body[:2] in {"-(", "+("} and body.endswith(")") else ""
    inner = body[len(sign) :]
    inner = opened(inner) if inner[:1] == "(" else inner
    body = tidy(inner)
    if sign and not body[:1].isdigit():
        return ""
    if body[:2] in {"- ", "+ "} and "frac" in inner:
        body = body[0] + body[2:]
    return sign + body


def _ratio(numeral: str) -> tuple[int, int] | None:
    """The numerator and the denominator of a fraction or mixed number, as they are written."""
    match = _RATIO.fullmatch(numeral)
    if not match:
        return None
    above, below = (int(part.replace(",", "")) for part in match.group(3, 4))
    above += int(match[2] or 0) * below
    return (-above if match[1] == "-" else above), below


def _is_unit(text: str, units: Collection[str]) -> bool:
    """Whether a text is empty, or one of the units."""
    if not text:
        return True
    match = _UNIT.fullmatch(text)
    name = (match[1] or match[2] or "").strip().casefold() if match else ""
    return name in {unit.casefold() for unit in units}


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


def integers(
    text: str,
    length: int | None = None,
    what: str = "a list of whole numbers",
    names: Sequence[str] = (),
) -> list[int]:
    """Read a list of whole numbers: exactly ``length`` of them, or any number for ``None``.

    ``what`` names in the error what was expected. With ``names``, the numbers are those with these
    names, in the order of the names; an answer may leave out the names, or all but the numbers.

    >>> integers("(3, -1 4)", length=3), integers("y = 2, x = 1", names="xy")
    ([3, -1, 4], [1, 2])
    """
    numbers = [integer(part, what) for part in _parts(text, length or len(names) or None, names)]
    return _of_length(numbers, length or len(names) or None, "whole number")


def rationals(
    text: str,
    length: int | None = None,
    what: str = "a list of numbers",
    names: Sequence[str] = (),
    most: int = MOST,
) -> list[Fraction]:
    """Read a list of numbers like :func:`integers`, each of them like :func:`rational`.

    Raises :class:`InvalidAnswer` for more than ``most`` numbers.

    >>> [str(number) for number in rationals("2, -31 / 7; x = 4/2, 3 4/13")]
    ['2', '-31/7', '2', '43/13']
    """
    length = length or len(names) or None
    body = "/".join(part.strip() for part in text.split("/")) if "/" in text else text
    parts = _parts(body, length, names, mixed=True)
    if len(parts) > most:
        raise InvalidAnswer(f"expected {what} with at most {most} items, got {len(parts)}")
    return _of_length([rational(part, what) for part in parts], length, "number")


def _of_length(numbers: list[T], length: int | None, noun: str) -> list[T]:
    if length is not None and len(numbers) != length:
        nouns = noun if length == 1 else f"{noun}s"
        raise InvalidAnswer(f"expected {length} {nouns}, got {len(numbers)}")
    return numbers


def _parts(text: str, length: int | None, names: Sequence[str], mixed: bool = False) -> list[str]:
    """The numbers of a list as texts; ``mixed`` tells whether mixed numbers are read."""
    body = plain(text)
    if names and ("=" in body or ":" in body):
        tuple_of_names, _, numbers = body.partition("=")
        if items(tuple_of_names) != [*names]:
            values = pairs(body, names, variables=True)
            return [values[name] for name in names]
        body = numbers
    if "=" in body and body.count("=") == 1 and (name := _NAME.match(body)):
        body = body[name.end() :]
    if "\\" in body or "{" in body:
        body = _LATEX_GROUP.sub("", body)
    if _LAID_OUT.search(body):
        body = layout.list_text(body)
    body = opened(body)
    parts = _grouped(body, length) or _separated(body, length, mixed)
    if len(parts) > MOST:
        raise InvalidAnswer(f"expected a list with at most {MOST} items, got {len(parts)}")
    return parts


def _grouped(text: str, length: int | None) -> list[str]:
    """The items of a list whose commas without a space group thousands; without any, none.

    >>> _grouped("1,024, 2,048", None), _grouped("1,024", None), _grouped("1,024", 1)
    (['1,024', '2,048'], [], ['1,024'])
    """
    parts = [part.strip() for part in _APART.split(text)]
    grouped = [part for part in parts if "," in part]
    if not grouped or not all(map(_GROUPED.fullmatch, grouped)):
        return []
    if any(len(part.lstrip("+-")) > 3 for part in parts if "," not in part):
        return []  # a number of four digits is not grouped, so that commas separate numbers
    if len(parts) != length and (length is not None or len(parts) == 1):
        return []
    return parts


def _separated(text: str, length: int | None, mixed: bool) -> list[str]:
    """The items of a list that is separated by commas and semicolons, or else by spaces."""
    parts = [part.strip() for part in _BETWEEN.split(text)]
    if len(parts) == 1 == length:
        return parts
    if len(parts) == 1 and mixed and "=" not in text and _SPACED_MIXED.search(text):
        if length is None:
            raise InvalidAnswer("'1 1/2' may be one number or two; separate numbers by commas")
        return text.split()
    result: list[str] = []
    for part in parts:
        whole = "=" in part or _ABOUT.search(part) or (mixed and _MIXED.fullmatch(part))
        result += [part] if whole else part.split()
    return result


def numbers_by_name(text: str, names: Collection[str]) -> dict[str, int]:
    """Read a whole number for each name, one name per line.

    >>> numbers_by_name("bo: 3", ["Bo"])
    {'Bo': 3}
    """
    return {name: integer(value) for name, value in pairs(text, names).items()}


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
    body = opened(_LATEX_GROUP.sub(",", unnamed(plain(text))))
    if len(body) > 4 * DIGITS or not _LAST_DIGITS.fullmatch(body):
        raise InvalidAnswer("expected a row of digits")
    row = "".join(filter(str.isdigit, body))
    if len(row) != length:
        raise InvalidAnswer(f"expected {length} digits, got {len(row)}")
    return row


def unnamed(text: str) -> str:
    """Return a text without a name and an equals sign before it.

    >>> unnamed("x = 42"), unnamed("3 = 4")
    ('42', '3 = 4')
    """
    name = _NAME.match(text)
    return text[name.end() :] if name else text
