r"""Reading a number at the front of a text, exactly; what follows it is handed back.

Signs, thousands separators, decimals, fractions, mixed numbers and powers of ten are read, in
plain text, in Unicode and in LaTeX:

>>> texts = ("1,024", "-2 1/2", r"\frac{3}{4}", "6.02e2", "5 * 10⁻³", r"1{,}000")
>>> [str(leading_number(tidy(text))[0]) for text in texts]
['1024', '-5/2', '3/4', '602', '1/200', '1000']
>>> leading_number("9.81 m/s^2")
(Fraction(981, 100), 'm/s^2')

Infinities, NaN, underscores, bases other than ten and decimal commas are refused.
"""

import re
import unicodedata
from fractions import Fraction
from itertools import pairwise

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.notation import lowered
from palaestra.verifiers.reading.values import plain
from palaestra.verifiers.replies import unwrapped

LONGEST_NUMERAL = 2_000
"""A number has no more characters, its unit included."""

EXPONENT = 1_000
"""The highest power of ten, up or down."""

_VULGAR = str.maketrans(
    {sign: f" {unicodedata.normalize('NFKC', sign)}" for sign in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
)
_GROUPED = re.compile(r"(?<=\d)(?:\{,\}|\\[,;:! ])(?=\d{3}(?!\d))")
_FRAC = re.compile(r"\\[dt]?frac\s*(?:\{([^{}]*)\}|(\d))\s*(?:\{([^{}]*)\}|(\d))")
_LEAD = re.compile(r"(?:[A-Za-z](?:_\{?\w{1,9}\}?)?\s*)?(?:=|≈|\\approx(?![a-zA-Z])|~)\s*")

_DECIMAL = (
    r"(?:[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?|\d{1,3}(?: \d{3})+(?!\d|\s?/)(?:\.\d*)?"
    r"|\d+(?:\.\d*)?|\.\d+)"
    r"(?!\d|,\d|\.\d)"
)
_MIXED = re.compile(r"(\d+) (\d+)\s?/\s?(\d+)(?![\d.,])", re.ASCII)
_RATIO = re.compile(rf"({_DECIMAL})(?:\s?/\s?({_DECIMAL}))?", re.ASCII)
_INDEX = r"(?:\{\s?([+-]?\d+)\s?\}|\(\s?([+-]?\d+)\s?\)|([+-]?\d+))(?![\d.])"
_SCIENTIFIC = re.compile(
    rf"[eE]([+-]?\d+)(?![\d.])|\s?(?:[*xX×·⋅]|\\times|\\cdot)\s?10\s?(?:\^|\*\*)\s?{_INDEX}",
    re.ASCII,
)
_RAISED_TEN = re.compile(rf"10\s?(?:\^|\*\*)\s?{_INDEX}", re.ASCII)


def tidy(text: str) -> str:
    """Normalise a text for :func:`leading_number`: without wrapping, with single spaces.

    >>> tidy("$v = 2½  m$")
    '2 1/2 m'
    """
    if len(text) > LONGEST_NUMERAL:
        raise InvalidAnswer("too long for a number")
    body = lowered(plain(unwrapped(text)).translate(_VULGAR)).replace("⁄", "/")
    if "\n" in body and _breaks_digits(body):
        raise InvalidAnswer("a line break between two digits")
    if "\\" in body or "{" in body:
        body = _FRAC.sub(_over, _GROUPED.sub(",", body))
    body = " ".join(body.split())
    lead = _LEAD.match(body)
    return body[lead.end() :] if lead else body


def _breaks_digits(text: str) -> bool:
    r"""Whether a line ends with a digit and the next one that is not blank begins with one.

    These are two numbers, although a space on one line may separate thousands.

    >>> _breaks_digits("2\n743"), _breaks_digits("2 743\n")
    (True, False)
    """
    lines = [line for each in text.split("\n") if (line := each.strip())]
    return any(one[-1].isdecimal() and two[0].isdecimal() for one, two in pairwise(lines))


def _over(frac: re.Match[str]) -> str:
    """A fraction of two plain numbers on one line; any other as it stands."""
    above, below = (frac[1] or frac[2] or "").strip(), (frac[3] or frac[4] or "").strip()
    if not (re.fullmatch(r"-?[\d.,]+", above) and re.fullmatch(r"-?[\d.,]+", below)):
        return frac[0]
    return f" {above}/{below}"


def leading_number(text: str) -> tuple[Fraction, str]:
    """The number at the front of a text, and the rest of the text.

    Raises :class:`~palaestra.task.InvalidAnswer` where there is none.
    """
    negative = text.startswith("-")
    body = text[1:].lstrip() if text.startswith(("-", "+")) else text
    value, end = _unsigned(body)
    return (-value if negative else value), body[end:].strip()


def _unsigned(text: str) -> tuple[Fraction, int]:
    """A number without a sign, and where it ends."""
    if ten := _RAISED_TEN.match(text):
        return _power_of_ten(ten), ten.end()
    if mixed := _MIXED.match(text):
        whole, above, below = (int(part) for part in mixed.groups())
        if above >= below:
            raise InvalidAnswer("a mixed number with an improper fraction")
        return whole + Fraction(above, below), mixed.end()
    match = _RATIO.match(text)
    if not match:
        raise InvalidAnswer("not a number")
    value, end = _decimal(match[1]), match.end()
    if match[2]:
        if not _decimal(match[2]):
            raise InvalidAnswer("a fraction over zero")
        value /= _decimal(match[2])
    if power := _SCIENTIFIC.match(text, end):
        if match[2]:
            raise InvalidAnswer("a power of ten behind a fraction; set brackets")
        return value * _power_of_ten(power), power.end()
    return value, end


def _decimal(text: str) -> Fraction:
    return Fraction(text.replace(",", "").replace(" ", ""))


def _power_of_ten(match: re.Match[str]) -> Fraction:
    index = next(group for group in match.groups() if group)
    if len(index) > 5 or abs(int(index)) > EXPONENT:
        raise InvalidAnswer("a number out of range", "limit")
    return Fraction(10) ** int(index)
