"""Answers that are one row of signs or numbers, held against the row that is right."""

from collections.abc import Collection, Sequence

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.reading.values import plain


def letters(text: str, signs: Collection[str], what: str = "a row of letters") -> str:
    """A text without blanks, all of whose signs are known, in the case in which they are known.

    >>> letters("abBa", "ab")
    'abba'
    """
    known = {sign.casefold(): sign for sign in signs}
    row = plain(text).casefold()
    if not row or not all(sign in known for sign in row):
        raise InvalidAnswer(
            f"not {what}, written with {' '.join(sorted(signs))} and without blanks"
        )
    return "".join(known[sign] for sign in row)


def compared(row: Sequence[object], right: Sequence[object], one: str = "place") -> Score:
    """1 for the same row; otherwise 0, and where the first difference is.

    >>> compared("abx", "abc").reason
    'place 3 is wrong'
    """
    if list(row) == list(right):
        return Score(1)
    same = sum(a == b for a, b in zip(row, right))
    parts = {"places": same / max(len(row), len(right))}
    if len(row) != len(right):
        return Score(0, f"it has a wrong number of {one}s, {len(row)}", parts)
    first = next(n for n, (a, b) in enumerate(zip(row, right), 1) if a != b)
    return Score(0, f"{one} {first} is wrong", parts)
