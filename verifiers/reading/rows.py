"""Rows of characters or numbers, compared with the right row."""

from collections.abc import Sequence
from typing import Any

from palaestra.task import Score
from palaestra.verifiers.reading.labels import matched


def compared(row: Sequence[object], right: Sequence[object], one: str = "position") -> Score:
    """Score 1 for the right row, otherwise 0; the reason gives the first difference.

    ``one`` is the noun for an element, ``parts["progress"]`` the share of right elements.

    >>> compared("abx", "abc").reason
    'position 3 is wrong'
    """
    if list(row) == list(right):
        return Score(1, parts={"progress": 1})
    same = sum(a == b for a, b in zip(row, right))
    parts = {"progress": same / max(len(row), len(right))}
    if len(row) != len(right):
        return Score(0, f"wrong number of {one}s: {len(row)}", parts)
    first = next(n for n, (a, b) in enumerate(zip(row, right), 1) if a != b)
    return Score(0, f"{one} {first} is wrong", parts)


def in_order(values: Sequence[Any], right: Sequence[Any]) -> Score:
    """Score a list of values like :func:`~palaestra.verifiers.reading.labels.matched`.

    >>> in_order([1, 2], [1, 3]).reason
    '1 of the 2 values is wrong'
    """
    return matched(dict(enumerate(values)), dict(enumerate(right)))
