"""Moves of Chopsticks: the fingers of the hand that taps, and those of the hand that is tapped."""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import opened, plain

_FILLERS = re.compile(
    r"\b(?:my )?(?:next )?move(?: is\b|:)|\bhands? (?:with|of|showing)\b"
    r"|\b(?:i|my|the|an?|your|their|opponent'?s|opposing|other|player'?s|hands?|fingers?)\b"
    r"|[*`\"'!:\[\](){}]",
    re.IGNORECASE,
)
_VERB = r"(?:tap|hit|attack|strike)s?"
_TAPS = re.compile(
    rf"(\d{{1,3}})(?: ?(?:-+>|=+>|\u2192|[-,]) ?| (?:{_VERB}(?: on)?|on|to|against) | )(\d{{1,3}})",
    re.ASCII,
)
_WITH = re.compile(rf"{_VERB} (\d{{1,3}}) (?:with|using|by) (\d{{1,3}})", re.ASCII)
_USE = re.compile(
    rf"(?:use|using|with) (\d{{1,3}}),? (?:(?:to|and) )?{_VERB} (\d{{1,3}})", re.ASCII
)


def tap(text: str) -> tuple[int, int]:
    """Read the fingers of the own hand, then those of the other one.

    Raises :class:`~palaestra.task.InvalidAnswer` for any other text.

    >>> tap("2 taps 3"), tap("I tap the hand with 3 with my 2."), tap("use 2 to tap their 3")
    ((2, 3), (2, 3), (2, 3))
    """
    body = opened(plain(text)[:400]).casefold().replace("\u2019", "'")
    words = " ".join(_FILLERS.sub(" ", body).split()).strip(" .,")
    if read := _TAPS.fullmatch(words) or _USE.fullmatch(words):
        return int(read[1]), int(read[2])
    if read := _WITH.fullmatch(words):
        return int(read[2]), int(read[1])
    raise InvalidAnswer("expected a move such as '2 taps 3'")
