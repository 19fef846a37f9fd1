"""Readers of moves that are a single action with a name, such as those of cards and dice."""

import re
from collections.abc import Iterable, Mapping

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import plain

_MARKS = dict.fromkeys(map(ord, "*_`\"'\u2019\u201c\u201d{}[]()$,.;:=!"), " ")
_LEAD = re.compile(
    r"(?:i (?:would |d |will |ll |want to |choose to |choose |decide to )?)?"
    r"(?:(?:my )?(?:move|action|decision|choice|play)(?: is)?(?: to)? )?",
    re.ASCII,
)
LONGEST = 200
"""The number of characters of a text that count."""


def phrase(text: str) -> str:
    """A short text in lower case, without punctuation and without words such as "I will".

    >>> phrase("**I'll hit!**"), phrase("My move is to keep 5, 5.")
    ('hit', 'keep 5 5')
    """
    body = " ".join(plain(text)[:LONGEST].casefold().translate(_MARKS).split())
    lead = _LEAD.match(body)
    return body[lead.end() :] if lead and lead.end() < len(body) else body


def action(text: str, names: Mapping[str, Iterable[str]]) -> str:
    """Read the name of an action, by itself or by one of its synonyms.

    ``names`` are the actions that are possible, each with its synonyms in lower case. Raises
    :class:`~palaestra.task.InvalidAnswer` for any other text.

    >>> action("I'll take a card.", {"hit": ["take a card"], "stand": ["stay"]})
    'hit'
    """
    wanted = phrase(text)
    for name, synonyms in names.items():
        if wanted == name or wanted in synonyms:
            return name
    raise InvalidAnswer(f"expected one of {', '.join(names)}")
