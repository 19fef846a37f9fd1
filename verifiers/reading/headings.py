r"""Answers behind a heading that names what they are: ``Edges: A-B``, ``The demands are 2, 7``.

Readers of lists and texts take ``A-B, C-D``. The heading goes first, and so does a JSON object
whose only member has such a name. A heading with any other name stays; the reader refuses it.
"""

import json
import re
from collections.abc import Collection
from functools import lru_cache

from palaestra.verifiers.reading.json_text import json_text
from palaestra.verifiers.replies import unwrapped

LENGTH = 20_000
"""The most characters of a text that is looked at; a longer one stays as it is."""

_GENERAL = ("answer", "solution", "result")
_ADJECTIVES = (
    r"(?:the|an?|my|one|all|best|optimal|chosen|selected|final|required|possible|shortest|cheapest"
    r"|largest|smallest|maximum|minimum|maximal|minimal)"
)


def unheaded(text: str, nouns: Collection[str]) -> str:
    r"""Return an answer without the heading before it, which has one of the nouns or "answer".

    ``nouns`` are in small letters and in each number (``"edge"``, ``"edges"``). Adjectives such as
    "chosen" and "the" may stand before the noun; ``:``, ``=``, "is" or "are" stands behind it. The
    value of a JSON object with one member of such a name is returned as a text, an array of values
    as a list with commas, and one of arrays as JSON.

    >>> unheaded("**Chosen edges:** A-B, C-D", ["edges"]), unheaded("The walk is A, B.", ["walk"])
    ('A-B, C-D', 'A, B')
    >>> unheaded('{"edges": ["A-B", "C-D"]}', ["edges"]), unheaded('{"answer": [2, 7]}', [])
    ('A-B, C-D', '2, 7')
    >>> unheaded("Other edges: A-B", ["edges"])
    'Other edges: A-B'
    """
    if len(text) > LENGTH:
        return text
    heading, name = _patterns(frozenset(nouns))
    body = text.strip()
    head = heading.match(body)
    if not head:
        body = unwrapped(body)
        head = heading.match(body)
    return unwrapped(body[head.end() :]) if head else _member(body, name)


@lru_cache(maxsize=128)
def _patterns(nouns: frozenset[str]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A heading, and the name of a member."""
    words = "|".join(sorted(map(re.escape, {*nouns, *_GENERAL}), key=len, reverse=True))
    name = rf"(?:{_ADJECTIVES}[ \t_]){{0,4}}(?:{words})"
    heading = (
        rf"(?:\*\*|__)?{name}"
        r"(?:\*\*|__)?(?:[ \t]?(?:[:=](?!=))|[ \t](?:is|are):?(?=\s))(?:\*\*|__)?\s{0,4}(?=\S)"
    )
    return re.compile(heading, re.IGNORECASE), re.compile(name, re.IGNORECASE)


def _member(body: str, name: re.Pattern[str]) -> str:
    """The value of a JSON object with one member of a known name; other texts as they are."""
    if not (body.startswith("{") and body.endswith("}")):
        return body
    try:
        members = json_text(body)
    except (ValueError, RecursionError):
        return body
    if not isinstance(members, dict) or len(members) != 1:
        return body
    ((key, value),) = members.items()
    written = _written(value) if name.fullmatch(key.strip()) else None
    return body if written is None else written


def without_total(text: str) -> str:
    r"""An answer without a last line, or brackets at the end, with its total.

    >>> without_total("A-B, C-D\nTotal weight: 30"), without_total("A, B (length 50)")
    ('A-B, C-D', 'A, B')
    """
    rows = text.rstrip().splitlines()
    if len(rows) > 1 and len(rows[-1]) < LONGEST_TOTAL and _TOTAL.fullmatch(rows[-1].strip()):
        text = "\n".join(rows[:-1]).rstrip()
    end = _TOTAL_IN_BRACKETS.search(text, max(0, len(text) - LONGEST_TOTAL))
    return text[: end.start()] if end else text


def edges_text(text: str) -> str:
    r"""Edges of an answer without a heading, the total, and the numbers in brackets behind each.

    >>> edges_text("Edges: A-B (7), C-D (weight 12)\nTotal: 19")
    'A-B, C-D'
    """
    body = without_total(unheaded(text, ("edge", "edges", "matching", "arborescence")))
    return _MEASURE.sub("", body)


LONGEST_TOTAL = 80
"""The most characters of a total."""

_QUANTITY = r"(?:(?:the|total|its|overall)[ \t]){0,3}(?:total|weight|cost|length|sum|value)"
_TOTAL = re.compile(
    rf"\**{_QUANTITY}\**[ \t]?(?:[:=]|is)\**[ \t]{{0,3}}\d{{1,9}}\**\.?", re.IGNORECASE | re.ASCII
)
_TOTAL_IN_BRACKETS = re.compile(
    rf"[ \t]{{1,3}}\({_QUANTITY}[ \t]?(?:[:=]|is)?[ \t]?\d{{1,9}}\)\.?$", re.IGNORECASE | re.ASCII
)
_MEASURE = re.compile(
    r"(?<=\w)[ \t]{0,2}\((?:(?:weight|cost|length)[ \t:=]{0,3})?\d{1,9}\)(?=\s*(?:[,;\n.]|$))",
    re.IGNORECASE | re.ASCII,
)


def _written(value: object) -> str | None:
    """A text, or a list of texts or lists; None for any other value."""
    if isinstance(value, str):
        return value.strip()
    if not isinstance(value, list) or not value:
        return None
    if all(isinstance(each, str) for each in value):
        return ", ".join(each.strip() for each in value)
    rows = all(isinstance(row, list) and all(isinstance(x, str) for x in row) for row in value)
    return json.dumps(value, ensure_ascii=False) if rows else None
