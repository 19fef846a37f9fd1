"""Readers of plain values: lists and choices.

Every reader accepts the usual ways to write a value, takes time linear in the length of the text,
and raises :class:`InvalidAnswer` with what it expected for any other text.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading import layout

_LAID_OUT = re.compile(r"[\n*`\"'\u201c\\]|\sand\s")
_SEPARATORS = re.compile(r"[\s,;]+")
_BRACKETS = {"[": "]", "(": ")", "{": "}"}
_DASHES = "\u2212\u2010\u2011\u2012\u2013\uff0d"
_WIDTHLESS = "\u200b\u200c\u200d\u2060\ufeff"
_UNUSUAL = re.compile(rf"(?![\x00-\x7f])[\s\d{_DASHES}{_WIDTHLESS}]")


def plain(text: str) -> str:
    """Return a text with digits of any script, minus signs and spaces as ASCII characters.

    Characters of zero width are removed, and so are spaces at both ends.

    >>> plain("\u2212\uff14\u0662")
    '-42'
    """
    if text.isascii():
        return text.strip()
    return _UNUSUAL.sub(_plain_character, text).strip()


def _plain_character(match: re.Match[str]) -> str:
    character = match[0]
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    if character in _DASHES:
        return "-"
    return "" if character in _WIDTHLESS else " "


def opened(text: str) -> str:
    """Return the text inside the pair of brackets around it, or the text itself without one.

    >>> opened("[1, 2]"), opened("(1) (2)")
    ('1, 2', '(1) (2)')
    """
    body = text.strip()
    if len(body) > 1 and _BRACKETS.get(body[0]) == body[-1]:
        inner = body[1:-1]
        if body[0] not in inner and body[-1] not in inner:
            return inner
    return body


def items(text: str, what: str = "a list", most: int = 10_000) -> list[str]:
    """Split a list at commas, semicolons and spaces, with or without brackets around it.

    Raises :class:`InvalidAnswer` for more than ``most`` items.

    >>> items("[a, b; c d]")
    ['a', 'b', 'c', 'd']
    """
    body = plain(text)
    if _LAID_OUT.search(body):
        body = layout.list_text(body)
    parts = [item for item in _SEPARATORS.split(opened(body)) if item]
    if len(parts) > most:
        raise InvalidAnswer(f"expected {what} with at most {most} items, got {len(parts)}")
    return parts


def choice(text: str, options: Collection[str]) -> str:
    """Return the option that a text names, in upper or lower case.

    >>> choice("Unknown", ["true", "false", "unknown"])
    'unknown'
    """
    known = {option.casefold(): option for option in options}
    words = " ".join(text.casefold().split())
    if words not in known:
        raise InvalidAnswer(f"expected one of {', '.join(options)}")
    return known[words]


def joined(values: Sequence[object]) -> str:
    """Write values as a list for a sentence or an answer.

    >>> joined([1, 2])
    '1, 2'
    """
    return ", ".join(map(str, values))
