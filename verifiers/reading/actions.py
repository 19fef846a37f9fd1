"""Readers of moves that are a single action with a name, such as those of cards and dice."""

import re
from collections.abc import Iterable, Mapping

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import plain

_MARKS = dict.fromkeys(map(ord, "*_`\"'\u2019\u201c\u201d{}[]()$,.;:=!"), " ")
_LEAD = re.compile(
    r"(?:please )?"
    r"(?:i (?:(?:would|d) like to |would |d |will |ll |(?:m|am) going to |want to |choose to "
    r"|choose |decide to )?|let (?:s|us|me) )?"
    r"(?:(?:my |the )?(?:best )?(?:move|action|decision|choice|play|answer)(?: is)?(?: to)? )?",
    re.ASCII,
)
LONGEST = 200
"""The most characters of a move, which is read as a whole or not at all."""


def phrase(text: str) -> str:
    """A short text in lower case, without punctuation and without words such as "I will".

    Raises :class:`~palaestra.task.InvalidAnswer` for a long text.

    >>> phrase("**I'll hit!**"), phrase("My move is to keep 5, 5."), phrase("Let's hit, please")
    ('hit', 'keep 5 5', 'hit')
    """
    if len(text) > LONGEST:
        raise InvalidAnswer(f"a move has at most {LONGEST} characters")
    body = " ".join(plain(text).casefold().translate(_MARKS).split()).removesuffix(" please")
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
        if wanted == name.casefold() or wanted in synonyms:
            return name
    raise InvalidAnswer(f"expected one of {', '.join(names)}")
