r"""Reading lists of items in words: how people separate them, and brackets around them.

>>> listed("[red, dark blue, and green]"), listed("1. red\n2. green"), listed("a > b > c", ">")
(['red', 'dark blue', 'green'], ['red', 'green'], ['a', 'b', 'c'])
"""

import json
import re
from collections.abc import Callable, Hashable

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import opened, plain
from palaestra.verifiers.replies import unwrapped
from palaestra.verifiers.texts import words

MOST = 1_000
"""How many items a list may have."""

LONGEST_ITEM = 500
"""How many characters an item may have that is read as a phrase."""

NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:/\d+)?", re.ASCII)
_EMPTY = frozenset(("[]", "{}", "()", "\u2205", "\\emptyset", "\\varnothing"))
_BRACES = re.compile(r"\\(?:left|right)?(?=[\[\](){}])|\\(?:left|right)(?=\\)|\\[,;: ]")
_BULLET = re.compile(
    r"\s*(?:\(?\d{1,4}[.):]\s+|\*\*\(?\d{1,4}[.):]\*\*\s+|\*\*\(?\d{1,4}\*\*[.):]\s+|[-*\u2022]\s+)?"
)
_TEXT = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|mathit)\{([^{}]*)\}")
_JOINED = 4
"""How many commas an item may have in it that is known."""
_AND = re.compile(r"(?:^|(?<=\s))(?:and|&)\s+")


def phrase(item: str) -> Hashable:
    """An item as its words, without case, articles and punctuation.

    Raises :class:`~palaestra.task.InvalidAnswer` for an item without words, or a very long one.

    >>> phrase("The Nile.")
    ('nile',)
    """
    if len(item) > LONGEST_ITEM:
        raise InvalidAnswer("an item is too long")
    spoken = words(item)
    if not spoken:
        raise InvalidAnswer("an item without words")
    return spoken


def _unknown(item: str) -> bool:
    return False


def listed(text: str, *more: str, known: Callable[[str], bool] = _unknown) -> list[str]:
    """Split a list into items, without brackets, bullets and quotes.

    They are separated by one of ``more``, by line ends, by semicolons, by bars with blanks around
    them or by commas, whichever is there first; by blanks where all are numbers; the last two by
    "and". A JSON array of strings and
    numbers is read too. What is ``known`` as an item is not taken apart.

    >>> listed("salt and pepper"), listed("bread, salt and pepper", known="salt and pepper".__eq__)
    (['salt', 'pepper'], ['bread', 'salt and pepper'])
    """
    plain_text = _BRACES.sub("", _TEXT.sub(r"\1", plain(unwrapped(text)))).strip()
    if plain_text in _EMPTY:
        return []
    if plain_text.startswith("[") and '"' in plain_text:
        return _from_json(plain_text)
    plain_text = opened(plain_text).strip()
    parts = (
        [plain_text]
        if "\n" not in plain_text and known(plain_text)
        else _split(plain_text, more, known)
    )
    if len(parts) > MOST:
        raise InvalidAnswer(f"more than {MOST} items", "limit")
    entries = [_bare(part) for part in parts]
    if not all(entries):
        raise InvalidAnswer("an item of the list is empty")
    return entries


def _split(text: str, more: tuple[str, ...], known: Callable[[str], bool]) -> list[str]:
    for separator in more:
        if separator in text:
            return text.replace("\n", " ").split(separator)
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1:
        return [line.rstrip().removesuffix(",") for line in lines]
    blocks = text.split()
    if all(NUMBER.fullmatch(block) for block in blocks):
        return blocks
    separator = next((sign for sign in (";", " | ") if sign in text), ",")
    parts = text.split(separator)
    last = parts.pop().strip()
    ends = [last] if known(last) else _AND.split(last, maxsplit=1)
    parts += [end for end in ends if end.strip()]
    joined = separator == "," and len(parts) <= MOST
    return _with_their_commas(parts, known) if joined else parts


def _with_their_commas(parts: list[str], known: Callable[[str], bool]) -> list[str]:
    """Parts between commas, those put together again that make up an item which is known."""
    parts = [part.strip() for part in parts]
    joined: list[str] = []
    start = 0
    while start < len(parts):
        end = start + 1
        if not known(parts[start]):
            while end < len(parts) and end - start <= _JOINED and _has_word(parts[end - 1]):
                end += 1
            while end > start + 1 and not known(", ".join(parts[start:end])):
                end -= 1
        joined.append(", ".join(parts[start:end]))
        start = end
    return joined


def _has_word(part: str) -> bool:
    return any(map(str.isalnum, part))


def _bare(item: str) -> str:
    bullet = _BULLET.match(item)
    return unwrapped(item[bullet.end() :] if bullet else item)


def _from_json(text: str) -> list[str]:
    """The items of a JSON array, which may be strings and numbers."""
    if text.count("[") > 1:
        raise InvalidAnswer("a list within a list")
    try:
        items = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        raise InvalidAnswer("not a list") from None
    if len(items) > MOST:
        raise InvalidAnswer(f"more than {MOST} items", "limit")
    if not all(isinstance(item, str) and item.strip() for item in items):
        raise InvalidAnswer("not a list of strings and numbers")
    return [str(item) for item in items]
