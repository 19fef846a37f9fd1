r"""Readers of exact probabilities.

A probability is a number of :mod:`~palaestra.verifiers.reading.numbers`, a percentage (``37.5%``),
or a count of cases (``3 in 8``, ``3 out of 8``). The same value may follow in another form, behind
an equals sign, in brackets or after "or", and rounded behind ``≈``. Odds such as ``3:5`` are
refused: some write the probability of 3/8 so, others that of 3/5.
"""

import re
from fractions import Fraction

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.numbers import rational, unnamed
from palaestra.verifiers.reading.values import plain
from palaestra.verifiers.replies import unwrapped

LENGTH = 2_000
"""The most characters of a probability."""

_OUT_OF = re.compile(r"(\d[\d,]*) (?:out of|in) (\d[\d,]*)", re.ASCII | re.IGNORECASE)
_PERCENT = re.compile(r"([^%\\]*?) ?(?:\\?%|percent|per cent)", re.IGNORECASE)
_AGAIN = re.compile(r"=|\sor\s|,?\s\(([^()]+)\)$", re.IGNORECASE)
_ABOUT = re.compile(r"\u2248|\\approx(?![A-Za-z])")
_ODDS = re.compile(r"\d ?(?::| to ) ?\d", re.ASCII)


def probability(text: str) -> Fraction:
    """Read a probability; the caller checks that it is from 0 to 1.

    >>> [str(probability(text)) for text in ("37.5%", "3 in 8", "3/8 = 0.375", "3/8 (37.5%)")]
    ['3/8', '3/8', '3/8', '3/8']
    """
    body = unnamed(unwrapped(" ".join(plain(text).split())))
    if len(body) > LENGTH:
        raise InvalidAnswer("expected a probability, such as '5/13'")
    if _ODDS.search(body):
        raise InvalidAnswer("odds may be read in two ways; expected a fraction, such as '5/13'")
    body, *rounded = _ABOUT.split(body, 2)
    forms = [
        part for part in _AGAIN.split(body.rstrip(" (,") if rounded else body) if part is not None
    ]
    values = [_single(form) for form in forms if form.strip()]
    if not values:
        raise InvalidAnswer("expected a probability, such as '5/13'")
    if any(value != values[0] for value in values):
        raise InvalidAnswer("the answer gives two different values")
    for form in rounded:
        _check_rounded(values[0], form.strip(" ()"))
    return values[0]


def _check_rounded(exact: Fraction, rounded: str) -> None:
    """Refuse a rounded value that is not that of the exact one."""
    percent = _PERCENT.fullmatch(rounded)
    rational(f"{100 * exact} \u2248 {percent[1]}" if percent else f"{exact} \u2248 {rounded}")


def _single(text: str) -> Fraction:
    body = text.strip()
    if cases := _OUT_OF.fullmatch(body):
        return rational(f"{cases[1]}/{cases[2]}")
    if percent := _PERCENT.fullmatch(body):
        return rational(percent[1], "a percentage") / 100
    return rational(body, "a probability")
