"""Amounts in several units, such as 1 h 30 min and 5 feet 3 inches, as one amount."""

import re
from fractions import Fraction
from itertools import pairwise

from palaestra.verifiers.answers.amounts import plainly
from palaestra.verifiers.answers.leaves import decimal, number
from palaestra.verifiers.answers.nodes import Node
from palaestra.verifiers.quantities.units import Unit, unit

LONGEST = 120
"""No such amount has more characters."""

_PART = (
    r"(\d{1,9}(?:\.\d{1,9})?)\s?(?:\\[,;: ]\s?)?"
    r"([a-zA-Z]{1,12}\.?|\\(?:text|mathrm|textrm|mbox)\s?\{\s?[a-zA-Z]{1,12}\.?\s?\})"
)
_PARTS = re.compile(_PART)
_JOINT = r"(?:\s|\\[,;: ]|~){0,4}(,?\s(?:and\s)?|\\text\s?\{\s?and\s?\}\s?)?"
_WHOLE = re.compile(rf"-?{_PART}(?:{_JOINT}{_PART}){{1,3}}")
_FIRST = frozenset("-0123456789")
_JOINED = re.compile(r",|\band\b")

_SYSTEMS = ("year", "month", "week", "d", "h", "min", "s", "ft", "in", "yd", "lb", "oz", "st")
_CUSTOMARY = frozenset(map(unit, _SYSTEMS))
"""Units of which several make up one amount also with "and" or a comma between them."""


def compound(text: str) -> Node | None:
    """An amount in several units of one dimension, each smaller than the one before.

    Metres and centimetres with "and" or a comma between them are two, hours and minutes one.

    None of its numbers may stand for it, which the empty text in its value says.

    >>> compound("2 hours and 15 minutes").of[0].op, compound("1 h 30 min").value[1]
    ('add', '')
    >>> compound("3 m, 20 cm"), compound("30 min 1 h"), compound("1 h 90 min")
    (None, None, None)
    """
    if not text or text[0] not in _FIRST or len(text) > LONGEST or not _WHOLE.fullmatch(text):
        return None
    parts = [(digits, plainly(words).rstrip(". ")) for digits, words in _PARTS.findall(text)]
    units = [unit(words) for _, words in parts]
    known = [one for one in units if one is not None and not one.offset]
    if len(known) < len(units) or not _descending(known, [digits for digits, _ in parts]):
        return None
    if _JOINED.search(text) and not _CUSTOMARY.issuperset(known):
        return None
    first = known[0]
    terms = tuple(
        Node("mul", (_counted(digits), Node("number", (), one.factor / first.factor)))
        for (digits, _), one in zip(parts, known)
    )
    total = Node("add", terms)
    value = Node("neg", (total,)) if text.startswith("-") else total
    return Node("quantity", (value,), (first, ""))


def _descending(units: list[Unit], digits: list[str]) -> bool:
    """Whether each unit is smaller than the one before, and there are too few of it for another."""
    return all(
        one.dimension == other.dimension
        and one.factor > other.factor
        and "." not in before
        and Fraction(count) < one.factor / other.factor
        for (one, other), (before, count) in zip(pairwise(units), pairwise(digits))
    )


def _counted(digits: str) -> Node:
    return decimal(digits) if "." in digits else number(digits)
