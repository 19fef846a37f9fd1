"""Moves of mancala games: the number of a house."""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import plain

_MARKS = dict.fromkeys(map(ord, "*`\"'\u201c\u201d{}[]()$.,:=#"), " ")
_HOUSE = re.compile(
    r"(?:i )?(?:(?:sow|play|choose|pick|move|take)s? )?(?:(?:all |the |my |own |seeds? |stones? )*"
    r"(?:from |of |in |out of )?)(?:(?:the |my |own )*(?:house|pit|hole|cup|h) ?)?"
    r"(?:number |no )?(\d{1,2})",
    re.ASCII,
)


def house(text: str, houses: int) -> int:
    """Read a house, and return its number, which counts from 0.

    Raises :class:`~palaestra.task.InvalidAnswer` for any other text and for unknown houses.

    >>> house("house 3", 6), house("I sow the seeds from house 3.", 6), house("3", 6)
    (2, 2, 2)
    """
    match = _HOUSE.fullmatch(" ".join(plain(text)[:200].casefold().translate(_MARKS).split()))
    if match is None:
        raise InvalidAnswer("expected a house, such as 'house 1'")
    if not 1 <= int(match[1]) <= houses:
        raise InvalidAnswer(f"there is no house {int(match[1])}; they go from 1 to {houses}")
    return int(match[1]) - 1
