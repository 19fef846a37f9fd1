r"""A value in a short sentence, behind a label, or before what it is about.

Readers of numbers take ``7/43``. What surrounds it in an answer goes first: ``Probability: 7/43``,
``P(A | B): 7/43``, ``The probability is 7/43.``, ``{"answer": "7/43"}``, ``7/43 (about 0.163)``.
Labels of other quantities, such as ``not A: 36/43``, stay and are refused by the reader.
"""

import re
from collections.abc import Sequence

from palaestra.verifiers.reading.json_text import json_text
from palaestra.verifiers.reading.values import plain
from palaestra.verifiers.replies import unwrapped

LENGTH = 2_000
"""The most characters of a text that is looked at; a longer one stays as it is."""

_NOUNS = (
    r"(?:probability|chance|answer|value|result|expectation|(?:expected )?number"
    r"(?: of (?:steps|visits))?|mean)"
)
_WORDS = re.compile(
    r"(?:(?:so|thus|hence|therefore),? )?(?:(?:the|my|exact|final|required|conditional|total|"
    rf"expected|posterior|counterfactual) ){{0,5}}{_NOUNS}"
    r"(?:(?: (?:of|that|for) [^:\n]{1,160})? (?:is(?: exactly| equal to)?:?|equals) (?=\W*\d|\\)"
    r"|(?: (?:of|that|for) [^:=\n]{1,160})?\s?[:=]\s?(?=\S))",
    re.IGNORECASE,
)
_OPERATOR = re.compile(
    r"\\?(?:Prob|Pr|P|E|mathbb\{[PE]\}|mathrm\{P\}|operatorname\{P\})(?:_\{?\w{1,8}\}?)?\s?"
    r"(?:\\left)?[(\[](?:[^()\[\]\n]|[(\[][^()\[\]\n]{0,80}[)\]]){1,160}(?:\\right)?[)\]]"
    r"\s*(?::|=| is )\s*(?=\S)"
)
_AROUND = re.compile(
    r",?\s*[(\[]?\s*(?:or |i\.e\.,? |which is )?"
    r"(?<![\\A-Za-z])(?:about|approximately|approx\.?|roughly|around|~)"
    r"\s*(\d{0,9}\.?\d{1,30}\s?\\?%?)\s*[)\]]?$",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\((\d{1,400})\)\s?/\s?\((\d{1,400})\)", re.ASCII)


def stated(text: str, units: Sequence[str] = ()) -> str:
    """Return the value of an answer without what stands around it.

    ``units`` are words that may follow the value. A text that states no value in one of these ways
    is returned as it is.

    >>> stated("P(A = 1 | B): 7/43"), stated("The probability is 7/43."), stated('{"p": "7/43"}')
    ('7/43', '7/43', '7/43')
    >>> stated("(7)/(43) steps", ["steps"]), stated("7/43 (about 0.16)"), stated("not A: 1/2")
    ('7/43', '7/43 \u2248 0.16', 'not A: 1/2')
    """
    if len(text) > LENGTH:
        return text
    body = _member(" ".join(plain(unwrapped(text)).replace("**", "").split()))
    for label in (_WORDS, _OPERATOR, _WORDS):
        if head := label.match(body):
            body = unwrapped(body[head.end() :])
    body = body.removesuffix(".")
    for unit in units:
        if body.casefold().endswith(f" {unit}"):
            body = body[: -len(unit) - 1]
    body = _AROUND.sub(" \u2248 \\1", body)
    return _PARTS.sub(r"\1/\2", body)


def _member(text: str) -> str:
    """The value of a JSON object with one member; other texts as they are."""
    if not (text.startswith("{") and text.endswith("}")):
        return text
    try:
        value = json_text(text)
    except (ValueError, RecursionError):
        return text
    members = [*value.values()] if isinstance(value, dict) else []
    return members[0].strip() if len(members) == 1 and isinstance(members[0], str) else text
