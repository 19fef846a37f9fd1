r"""Answers of one line for each of several numbered questions, in the ways that models write them.

The rules, besides those of :mod:`~palaestra.verifiers.reading.labels`:

- Digits of any script are digits.
- A label may have a noun that the question uses (``Document 1:``) or ``#`` before its number, and
  a bracket around it.
- Lines may stand on one line with "and" between them, in a JSON object, or without labels: as many
  lines as there are questions, or a JSON list with as many values.
- What encloses a value goes: ``\boxed{...}``, ``$...$``, bold, code and quotes.
- A list may have "and" or an arrow between its items, and brackets around all of them. In a list of
  numbers, those behind the first may have brackets around them, and words that the question uses
  may stand before or behind numbers.
- Behind an exact value there may be a rounded one (``245/4 = 61.25``, ``1/3 ≈ 0.33``).
"""

import re
from collections.abc import Collection
from fractions import Fraction
from typing import Any

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.json_text import json_text
from palaestra.verifiers.reading.labels import line_numbers, pairs
from palaestra.verifiers.reading.layout import ARROW
from palaestra.verifiers.reading.numbers import integer, integers
from palaestra.verifiers.reading.numerals import leading_number, tidy
from palaestra.verifiers.reading.values import plain
from palaestra.verifiers.replies import unwrapped

NOUNS = ("question", "answer", "case", "value", "line", "item", "number", "no", "no.", "result")

_AND = re.compile(r",?[ \t]{1,9}(?:and|&)[ \t]{1,9}")
_TAIL = re.compile(r"([^()\[\]]{1,999}?)[ \t,:;]{0,9}(?:\(([^()\[\]]*)\)|\[([^()\[\]]*)\])")
_ABOUT = re.compile(r"\u2248|\\approx(?![A-Za-z])")
_MIXED = re.compile(r"([+-]?)(\d{1,40})[ \t]{1,9}(\d{1,40})/(\d{1,40})(?!\d)", re.ASCII)
_DECIMALS = re.compile(r"[+-]?[\d,]*\.(\d{1,40})(?!\d)", re.ASCII)
_LAST = re.compile(r"(?:(?<![ \t,;])[ \t,;]{1,9}and)?(?<![ \t,;])[ \t,;]{1,9}$")
_EACH_ONCE = "expected exactly one line for each number, such as '1: value'"


def answer_lines(text: str, number: int, nouns: Collection[str] = ()) -> list[str]:
    r"""The values of lines that are numbered from 1, without what encloses them.

    ``nouns`` are those that the question uses for what is numbered.
    Raises :class:`~palaestra.task.InvalidAnswer` unless there is one value for each number.

    >>> answer_lines("#1: $a$ and #2: \\boxed{b}", 2), answer_lines("System 2: b\nSystem 1: a", 2,
    ...     ["system"])
    (['a', 'b'], ['a', 'b'])
    >>> answer_lines('["a", [1, 2]]', 2), answer_lines("a\nb", 2)
    (['a', '1, 2'], ['a', 'b'])
    """
    body = plain(text)
    names = line_numbers(number)
    try:
        values = [*pairs(body, names).values()]
    except InvalidAnswer:
        values = _from_json(body, number) or _from_rows(body, number, nouns)
    return [unwrapped(value) for value in values]


def number_lines(text: str, number: int, words: Collection[str] = ()) -> dict[str, int]:
    """The whole number of each line by the number of the line; ``words`` may stand beside it.

    >>> number_lines("1: 194 grains and 2: -3", 2, ["grain"])
    {'1': 194, '2': -3}
    """
    lines = answer_lines(text, number, words)
    return {n: integer(without(line, words)) for n, line in zip(line_numbers(number), lines)}


def number_list(text: str, words: Collection[str] = (), what: str = "numbers") -> list[int]:
    """A list of whole numbers, of which those behind the first may be in brackets.

    >>> number_list("206 coins (paragraphs 16 and 22)", ["coin", "paragraph"])
    [206, 16, 22]
    >>> number_list("[206, §16 -> §22]", ["§"])
    [206, 16, 22]
    """
    body = without(text, words)
    if tail := _TAIL.fullmatch(body):
        body = f"{tail[1]}, {tail[2] or tail[3] or ''}"
    return integers(listed(body).strip(" ,"), what=what)


def listed(text: str) -> str:
    """A list with commas between its items, without brackets around it.

    >>> listed("[a, b[0] and c]"), listed("a -> b"), listed("[a], [b]")
    ('a, b[0], c', 'a, b', '[a], [b]')
    """
    body = text.strip()
    if body[:1] + body[-1:] in {"[]", "()", "{}"} and _is_pair(body):
        body = body[1:-1].strip()
    return ", ".join(each.strip() for each in ARROW.split(_AND.sub(", ", body)))


def without(text: str, words: Collection[str]) -> str:
    """A text without words, in the singular or the plural, with or without a capital.

    >>> without("Documents 7, document 8, §9", ["document", "§"])
    '7, 8, 9'
    """
    for word in words:
        pattern = rf"(?<!\w){re.escape(word)}s?(?!\w)" if word.isalpha() else re.escape(word)
        text = re.sub(pattern, " ", text, flags=re.IGNORECASE)
    return re.sub(r"[ \t]{1,99}(?=,)|(?<=[ \t])[ \t]{1,99}", "", text).strip()


def exact(text: str) -> str:
    r"""A quantity without the rounded value behind it, and as a fraction if it is a mixed number.

    The text itself is returned where the rounded value is another one.

    >>> exact("245/4 m ≈ 61.25 m"), exact("61 1/4 m"), exact("1/3 \\approx 0.4")
    ('245/4 m', '245/4 m', '1/3 \\approx 0.4')
    """
    sides = [side.strip() for side in _ABOUT.split(text)]
    if len(sides) == 2 and all(sides) and _is_rounded(_improper(sides[0]), sides[1]):
        return _improper(sides[0])
    return _improper(text)


def _is_rounded(value: str, about: str) -> bool:
    """Whether a decimal is another number up to half of a unit in its last place."""
    try:
        right, _ = leading_number(tidy(value))
        rounded, _ = leading_number(tidy(about))
    except InvalidAnswer:
        return False
    decimals = _DECIMALS.match(tidy(about))
    return abs(right - rounded) <= Fraction(1, 2 * 10 ** (len(decimals[1]) if decimals else 0))


def _improper(text: str) -> str:
    mixed = _MIXED.match(text.strip())
    if not mixed:
        return text
    sign, whole, above, below = mixed.groups()
    return f"{sign}{int(whole) * int(below) + int(above)}/{below}{text.strip()[mixed.end() :]}"


def _is_pair(text: str) -> bool:
    """Whether the first bracket of a text is closed by the last one."""
    depth = 0
    for n, sign in enumerate(text):
        depth += (sign == text[0]) - (sign == text[-1])
        if not depth:
            return n == len(text) - 1
    return False


def _from_json(text: str, number: int) -> list[str]:
    """The values of a JSON list, or of an object with objects inside; none for other texts."""
    if text[:1] not in {"[", "{"}:
        return []
    try:
        body = json_text(text)
    except InvalidAnswer:
        raise
    except (ValueError, RecursionError):
        return []
    if isinstance(body, dict):
        if {*body} != {*line_numbers(number)}:
            return []
        body = [body[name] for name in line_numbers(number)]
    values = [_json_value(each) for each in body]
    whole = [each for each in values if each is not None]
    return whole if len(whole) == len(values) == number else []


def _json_value(value: Any) -> str | None:
    """A string, or strings in a list or an object, as text."""
    if isinstance(value, str):
        return value
    parts = [*value.values()] if isinstance(value, dict) else value
    if not isinstance(parts, list) or not all(isinstance(each, str) for each in parts):
        return None
    separator = " " if isinstance(value, dict) and [*value] == ["value", "unit"] else ", "
    return separator.join(parts)


def _from_rows(text: str, number: int, nouns: Collection[str]) -> list[str]:
    known = "|".join(re.escape(noun) for noun in (*NOUNS, *nouns))
    noun = rf"(?:(?:{known})s?[ \t]{{0,3}})?"
    label = rf"(?:\*\*)?{noun}[#(\[]?([1-9]\d{{0,2}})[)\]]?(?:\*\*)?[ \t]{{0,3}}"
    head = re.compile(
        rf"(?:[-*\u2022][ \t]{{1,3}})?{label}(?::|=(?!=)|\.[ \t]|->|\u2192|[-\u2013\u2014][ \t]+"
        r"(?=\D))(?:\*\*)?[ \t]*",
        re.IGNORECASE | re.ASCII,
    )
    rows = [row for row in (line.strip() for line in text.splitlines()) if row]
    if len(rows) == 1 and number > 1:
        starts = re.finditer(
            rf"(?:^|[ \t,;])({label}(?::|=(?!=)))", rows[0], re.IGNORECASE | re.ASCII
        )
        cuts = [match.start(1) for match in starts]
        rows = [_LAST.sub("", rows[0][a:b]) for a, b in zip(cuts, [*cuts[1:], None])] or rows
    if len(rows) > number and rows[0].endswith(":"):
        del rows[0]
    if len(rows) != number:
        raise InvalidAnswer(_EACH_ONCE)
    heads = [head.match(row) for row in rows]
    if not any(heads):
        return rows
    by_number = {int(h[1]): row[h.end() :] for h, row in zip(heads, rows) if h}
    if {*by_number} != {*range(1, number + 1)}:
        raise InvalidAnswer(_EACH_ONCE)
    return [by_number[n] for n in sorted(by_number)]
