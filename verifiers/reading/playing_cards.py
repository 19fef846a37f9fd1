"""Readers of playing cards: a rank and a suit, in letters, signs or words."""

import re
from collections.abc import Sequence
from functools import lru_cache

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

RANKS = "23456789TJQKA"
SUITS = "SHDC"

_SUITS = {
    **dict.fromkeys(("s", "spade", "spades", "\u2660", "\u2664"), 0),
    **dict.fromkeys(("h", "heart", "hearts", "\u2665", "\u2661", "\u2764"), 1),
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
_VERBS = (
    "play", "plays", "lead", "leads", "discard", "discards", "cash", "cashes", "card",
    "follow with", "follows with", "ruff with", "ruffs with", "win with", "wins with",
    "lead with", "leads with",
)  # fmt: skip
_CARDS = (
    rf"(?:the )?{_RANK}(?P<of> of)? ?-?{_SUIT}",
    rf"(?:the )?{_SUIT}(?P<of>) ?-?{_RANK}",
)
_NAMES = str.maketrans("", "", "()")


@lru_cache(maxsize=8)
def _forms(hand: str) -> Sequence[re.Pattern[str]]:
    """The forms of a card, by itself or as what a hand plays; punctuation is spaces by then."""
    name = re.escape(hand.casefold())
    verbs = f"(?:(?:{'|'.join(_VERBS)}) )?"
    before = f"(?:(?:the )?(?:{name}|{name[:1]})(?: s)? (?:will |should )?)?" if name else ""
    after = f"(?: (?:from )?(?:the )?{name}(?: s)?(?: hand)?)?" if name else ""
    return [re.compile(before + verbs + card + after, re.ASCII) for card in _CARDS]


_LATEX = re.compile(r"\\(spade|heart|diamond|club)suit\b")
_WORDS_OF_SUITS = {"spade", "heart", "diamond", "club"}
_VARIATION = dict.fromkeys((0xFE0E, 0xFE0F))


def card_name(card: int) -> str:
    """The rank and the suit of a card, which is 13 times its suit plus its rank, both from 0.

    >>> card_name(12), card_name(13 + 8), card_name(39)
    ('AS', 'TH', '2C')
    """
    return RANKS[card % 13] + SUITS[card // 13]


def playing_card(text: str, hand: str = "") -> int:
    """Read a card, as :func:`card_name` numbers it.

    ``hand`` is the name of whose card it is, which the text may state. Raises
    :class:`~palaestra.task.InvalidAnswer` for any other text, such as one with another name.

    >>> {playing_card(text) for text in ("TH", "h10", "ten of hearts", "Play 10\u2665.")}
    {21}
    >>> playing_card("North plays TH", "North"), playing_card("TH from North", "North")
    (21, 21)
    """
    body = phrase(_LATEX.sub(r"\1", text.translate(_VARIATION))).translate(_NAMES)
    match = next(filter(None, (form.fullmatch(body) for form in _forms(hand))), None)
    if match is None or _is_article(match):
        raise InvalidAnswer("expected a card by its rank and its suit, such as '5H'")
    return 13 * _SUITS[match["suit"]] + _RANKS[match["rank"]]


def _is_article(match: re.Match[str]) -> bool:
    """Whether the rank is the article, as in "a spade"."""
    return match["rank"] == "a" and match["suit"] in _WORDS_OF_SUITS and not match["of"]
