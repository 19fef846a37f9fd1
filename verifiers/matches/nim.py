"""Moves of Nim: how many objects are taken from which heap."""

import re
from collections.abc import Sequence

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import plain

_MARKS = dict.fromkeys(map(ord, "*`\"'\u201c\u201d{}[]()$,.;:="), " ")
_NOUN = r"(?: (?:objects?|stones?|counters?|coins?|sticks?|matches|tokens?|items?))?"
_COUNT = rf"(?P<count>\d{{1,3}}|all|everything){_NOUN}"
_HEAP = r"(?:(?:the )?(?:heap|pile|row|stack) )?(?P<heap>[a-z])"
_VERB = r"(?:i )?(?:(?:take|remove|count|number) )?"
_FORMS = [
    re.compile(pattern, re.ASCII)
    for pattern in (
        rf"{_VERB}{_COUNT} (?:(?:away )?(?:of|from|out of|heap|pile|in) )?{_HEAP}",
        rf"(?:from )?{_HEAP} {_VERB}{_COUNT}",
    )
]


def amount(text: str, heaps: Sequence[int], names: str) -> tuple[int, int]:
    """Read the heap and the number of objects that are taken from it; "all" is its size.

    Raises :class:`~palaestra.task.InvalidAnswer` for any other text and for unknown heaps.

    >>> amount("Take 3 from B.", [4, 5], "ABC"), amount("heap B: 3", [4, 5], "ABC")
    ((1, 3), (1, 3))
    >>> amount("remove all stones from pile a", [4, 5], "ABC")
    (0, 4)
    """
    body = " ".join(plain(text)[:200].casefold().translate(_MARKS).split())
    match = next(filter(None, (form.fullmatch(body) for form in _FORMS)), None)
    if match is None:
        raise InvalidAnswer("expected a number and a heap, such as 'take 1 from X'")
    heap = names.casefold().find(match["heap"])
    if not 0 <= heap < len(heaps):
        raise InvalidAnswer(f"there is no heap {match['heap'].upper()}")
    return heap, int(match["count"]) if match["count"].isdecimal() else heaps[heap]
