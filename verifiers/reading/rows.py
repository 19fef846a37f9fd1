"""Answers that are one row of characters or numbers, compared with the right row."""

from collections.abc import Collection, Sequence

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.reading.values import plain


def letters(text: str, symbols: Collection[str], what: str = "a row of letters") -> str:
    """Read a row of known symbols without spaces, in upper or lower case.

    Returns the row in the case of ``symbols``. ``what`` names in the error what was expected.

    >>> letters("abBa", "ab")
    'abba'
    """
    known = {symbol.casefold(): symbol for symbol in symbols}
    row = plain(text).casefold()
    if not row or not all(symbol in known for symbol in row):
        raise InvalidAnswer(
            f"expected {what} of the characters {' '.join(sorted(symbols))}, without spaces"
        )
    return "".join(known[symbol] for symbol in row)


def compared(row: Sequence[object], right: Sequence[object], one: str = "position") -> Score:
    """Score 1 for the right row, otherwise 0; the reason gives the first difference.

    ``one`` is the noun for an element, ``parts["places"]`` the share of right elements.

    >>> compared("abx", "abc").reason
    'position 3 is wrong'
    """
    if list(row) == list(right):
        return Score(1)
    same = sum(a == b for a, b in zip(row, right))
    parts = {"places": same / max(len(row), len(right))}
    if len(row) != len(right):
        return Score(0, f"wrong number of {one}s: {len(row)}", parts)
    first = next(n for n, (a, b) in enumerate(zip(row, right), 1) if a != b)
    return Score(0, f"{one} {first} is wrong", parts)
