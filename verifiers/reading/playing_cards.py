"""Readers of playing cards: a rank and a suit, in letters, signs or words."""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

RANKS = "23456789TJQKA"
SUITS = "SHDC"

_SUITS = {
    **dict.fromkeys(("s", "spade", "spades", "\u2660", "\u2664"), 0),
    **dict.fromkeys(("h", "heart", "hearts", "\u2665", "\u2661"), 1),
    **dict.fromkeys(("d", "diamond", "diamonds", "\u2666", "\u2662"), 2),
    **dict.fromkeys(("c", "club", "clubs", "\u2663", "\u2667"), 3),
}
_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
    "king", "ace",
)  # fmt: skip
_RANKS = {
    **{rank.casefold(): n for n, rank in enumerate(RANKS)},
    **{word: n for n, word in enumerate(_WORDS)},
    "10": 8,
}
_SUIT = rf"(?P<suit>{'|'.join(sorted(_SUITS, key=len, reverse=True))})"
_RANK = rf"(?P<rank>{'|'.join(sorted(_RANKS, key=len, reverse=True))})"
_LEAD = r"(?:(?:(?:play|lead|discard|follow with|ruff with|card|north|south|east|west|plays) )*)"
_FORMS = [
    re.compile(_LEAD + form, re.ASCII)
    for form in (
        rf"(?:the )?{_RANK}(?: of)? ?-?{_SUIT}",
        rf"(?:the )?{_SUIT} ?-?{_RANK}",
    )
]
_VARIATION = dict.fromkeys((0xFE0E, 0xFE0F))


def card_name(card: int) -> str:
    """The rank and the suit of a card, which is 13 times its suit plus its rank, both from 0.

    >>> card_name(12), card_name(13 + 8), card_name(39)
    ('AS', 'TH', '2C')
    """
    return RANKS[card % 13] + SUITS[card // 13]


def playing_card(text: str) -> int:
    """Read a card, as :func:`card_name` numbers it.

    Raises :class:`~palaestra.task.InvalidAnswer` for any other text.

    >>> {playing_card(text) for text in ("TH", "h10", "ten of hearts", "Play 10\u2665.")}
    {21}
    """
    body = phrase(text.translate(_VARIATION))
    match = next(filter(None, (form.fullmatch(body) for form in _FORMS)), None)
    if match is None:
        raise InvalidAnswer("expected a card by its rank and its suit, such as '5H'")
    return 13 * _SUITS[match["suit"]] + _RANKS[match["rank"]]
