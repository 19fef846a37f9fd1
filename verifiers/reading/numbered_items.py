r"""Numbers of items in answers that name what they number: ``set 3, set 4``, ``Sites: 3, 6 and 7``.

The nouns, headings and bullets go, and what is left is a list of whole numbers. Words that say
something else, as in ``not set 3`` or ``set 3: cost 5``, stay and are refused by the reader.
"""

import re
from collections.abc import Collection

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.headings import unheaded
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import plain
from palaestra.verifiers.replies import unwrapped

LENGTH = 20_000
"""The most characters of an answer."""

_BULLET = re.compile(
    r"^[ \t]{0,8}(?:[-*\u2022][ \t]{1,4}(?=\D)|\d{1,3}[.)][ \t]{1,4}(?=[A-Za-z#]))"
)
_ADJECTIVES = r"(?:(?:the|an?|my|best|optimal|cheapest|chosen|selected|open|opened|final) ){0,4}"
_STEPS = re.compile(
    r"(?<=\d)[ \t]{0,4}(?:-{1,2}>|=>|>|\u2192|\\to|\\rightarrow|,? ?then|[ \t][-\u2013\u2014])"
    r"[ \t]{0,4}(?=\d)"
)
_HYPHENS = re.compile(r"\d{1,3}(?:-\d{1,3})+", re.ASCII)


def without_nouns(text: str, nouns: Collection[str]) -> str:
    """Return a text without these nouns and number signs before numbers, in any case.

    >>> without_nouns("Set 3, sets 4 and #6, setting 7", ["set", "sets"])
    '3, 4 and 6, setting 7'
    """
    names = "|".join(nouns)
    body = re.sub(rf"\b(?:{names})[ \t]{{0,4}}(?=#?\d)", "", text, flags=re.IGNORECASE)
    return re.sub(r"(?<![\w#])#(?=\d)", "", body)


def numbers_of(answer: str, nouns: Collection[str], what: str, ordered: bool = False) -> list[int]:
    r"""Read the numbers of items that one of the ``nouns`` may name.

    ``what`` names in the error what was expected. In an ``ordered`` list, arrows, ``>`` and dashes
    may stand between the items.

    >>> numbers_of("Sites: 3, site 6 and #7", ["site", "sites"], "a list of numbers")
    [3, 6, 7]
    >>> numbers_of('{"sites": [3, 6]}', ["site", "sites"], "a list of numbers")
    [3, 6]
    >>> numbers_of("- set 3\n- set 4", ["set"], "a list")
    [3, 4]
    >>> numbers_of("4 - 5 > 3", ["job"], "a list", ordered=True)
    [4, 5, 3]
    """
    if len(answer) > LENGTH:
        raise InvalidAnswer(f"expected {what}")
    text = plain(unwrapped(unheaded(answer, nouns))).replace("**", "")
    head = re.compile(
        rf"{_ADJECTIVES}(?:{'|'.join(nouns)}|answer|solution|choice|order|sequence|schedule|cover"
        r"|collection)(?: (?:of|to) [a-z]{1,12})?(?:\s?[:=]| (?:is|are):?)\s{0,4}(?=\S)",
        re.IGNORECASE,
    )
    if label := head.match(text):
        text = text[label.end() :]
    rows = [row.strip() for row in text.splitlines() if row.strip()]
    if len(rows) > 1:
        rows = [_BULLET.sub("", row).rstrip(" ,;.") for row in rows]
    elif rows:
        rows = [rows[0].removesuffix(".")]
    text = without_nouns("\n".join(rows), nouns)
    if ordered:
        text = _STEPS.sub(", ", text)
        text = text.replace("-", ", ") if _HYPHENS.fullmatch(text) else text
    return integers(text.replace(", and ", ", ").replace(" and ", ", "), what=what)
