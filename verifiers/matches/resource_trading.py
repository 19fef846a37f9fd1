"""Moves of a trade between two players: an offer, or whether to accept one."""

import re
from collections.abc import Sequence

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase
from palaestra.verifiers.reading.values import plain

Trade = tuple[int, int, int, int]
"""How many pieces are given, of which of the goods, how many are got for them, and of which."""

ACCEPT, PASS = "accept", "pass"

_DETAIL = r"(?: (?:offer|trade|deal|proposal|it|this|that|exchange))?"
_ACCEPT = re.compile(rf"(?:accept(?:s|ed|ing)?|agreed?(?: to)?|take){_DETAIL}|yes|deal|ok|okay")
_PASS = re.compile(
    rf"(?:pass|refuse|decline|reject|deny)(?:s|d|ed|ing)?{_DETAIL}|no|no (?:deal|trade|offer)|skip"
)
_ARROW = re.compile(r"[-=]{1,2}>|[\u2192\u21d2]|\\to(?![a-z])|\\rightarrow(?![a-z])")
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_FILLER = frozenset(
    ("the", "of", "my", "your", "you", "their", "to", "them", "piece", "pieces", "unit", "units",
     "player", "other", "opponent", "counter", "is", "new", "make", "an")
)  # fmt: skip
_OTHERS = frozenset(("you", "they", "opponent", "other"))
_SUBJECT = re.compile(r"(?<!to )\b(?:you|they|opponent|player) (?:get|receive|take|want)\b")
_PART = r"(\d{1,2}|[a-z]{1,5})(?: ?x)? ([a-z]{1,20})"
_FOR = r"(?:for|against|(?:and )?(?:get|receive|take|want)|in (?:exchange|return)(?: for)?)"
_OFFER = re.compile(
    r"(?:(?:refuse|reject|decline|deny)(?: offer)? and )?"
    r"(?:(?:counteroffer|offer|propose|suggest|trade|swap|exchange|give|sell|pay|send)(?: |$)){0,2}"
    rf"{_PART} {_FOR} {_PART}"
)
_REQUEST = re.compile(
    r"(?:(?:offer|propose) )?(?:ask for|ask|request|buy|get|receive|want|take) "
    rf"{_PART} (?:for|and give|giving|in (?:exchange|return) for) {_PART}"
)


def trade_move(text: str, goods: Sequence[str]) -> str | Trade:
    """Read :data:`ACCEPT`, :data:`PASS`, or an offer of some of the goods for others.

    Raises :class:`~palaestra.task.InvalidAnswer` for any other text.

    >>> trade_move("offer 2 wood for 1 ore", ["ore", "wood"])
    (2, 1, 1, 0)
    >>> trade_move("I'll buy one ore for 2 of my wood.", ["ore", "wood"])
    (2, 1, 1, 0)
    >>> trade_move("I accept!", ["ore", "wood"]), trade_move("No deal", ["ore", "wood"])
    ('accept', 'pass')
    """
    words = phrase(_ARROW.sub(" for ", plain(text)[:1_000])).removeprefix("i ")
    if _ACCEPT.fullmatch(words.replace("the ", "").replace("your ", "")):
        return ACCEPT
    if _PASS.fullmatch(words.replace("the ", "").replace("your ", "")):
        return PASS
    if words.removeprefix("the ").split(" ")[0] in _OTHERS or _SUBJECT.search(words):
        raise InvalidAnswer("a move is one of your own, such as an offer of what you give")
    body = " ".join(
        word for n, word in enumerate(words.split()) if word not in _FILLER or _counts(words, n)
    )
    if read := _OFFER.fullmatch(body):
        give, give_of, get, get_of = read.groups()
        foreign: tuple[Sequence[str], Sequence[str]] = ("your", "their"), ("my",)
    elif read := _REQUEST.fullmatch(body):
        get, get_of, give, give_of = read.groups()
        foreign = ("my",), ("your", "their")
    else:
        raise InvalidAnswer(
            f"expected 'accept', 'pass' or one offer such as 'offer 2 {goods[0]} for 1 {goods[1]}'"
        )
    if _has_other_owner(words, foreign, read[2]):
        raise InvalidAnswer("you give pieces of yours, and get pieces of the other player")
    return _number(give), _kind_of(give_of, goods), _number(get), _kind_of(get_of, goods)


def _counts(words: str, number: int) -> bool:
    """Whether an "an" stands for 1, before a word that begins with a vowel."""
    parts = words.split()
    return parts[number] == "an" and parts[number + 1 : number + 2] != ["offer"]


def _has_other_owner(words: str, foreign: Sequence[Sequence[str]], first: str) -> bool:
    """Whether the pieces before or after the first of the goods belong to the wrong player."""
    parts = words.split()
    end = parts.index(first)
    sides = parts[:end], parts[end:]
    return any(word in side for side, owners in zip(sides, foreign) for word in owners)


def _number(word: str) -> int:
    if word.isdecimal():
        return int(word)
    if word in _NUMBERS:
        return _NUMBERS[word]
    raise InvalidAnswer(f"expected a number of pieces, got {word!r}")


def _kind_of(word: str, goods: Sequence[str]) -> int:
    for name in (word, word.removesuffix("s"), word.removesuffix("es")):
        if name in goods:
            return goods.index(name)
    raise InvalidAnswer(f"the goods are {', '.join(goods)}, got {word!r}")
