"""Rows of brackets of several kinds: random ones, and the first error of a row."""

from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple

OPENING, CLOSING = "([{<", ")]}>"
PARTNER = dict(zip(OPENING + CLOSING, CLOSING + OPENING))

Error = Literal["fine", "stray", "mismatch", "unclosed"]


class Verdict(NamedTuple):
    """The first error of a row and its position, from 1; "fine" and 0 if there is none."""

    position: int
    error: Error


def balanced(rng: Random, pairs: int, kinds: int) -> str:
    """A random balanced row of ``pairs`` pairs.

    >>> judged(balanced(Random(1), 5, 3))
    Verdict(position=0, error='fine')
    """
    row, opened, left = "", "", pairs
    while left or opened:
        if left and (not opened or rng.random() < 0.5 + 0.1 * (left > pairs // 2)):
            bracket = OPENING[rng.randrange(kinds)]
            row, opened, left = row + bracket, opened + bracket, left - 1
        else:
            row, opened = row + PARTNER[opened[-1]], opened[:-1]
    return row


def judged(row: Sequence[str]) -> Verdict:
    """The first error of a row.

    This is a wrong closing bracket or, if there is none, the last bracket that is never closed.

    >>> [tuple(judged(row)) for row in ("(]", "())", "([]")]
    [(2, 'mismatch'), (3, 'stray'), (1, 'unclosed')]
    """
    opened: list[int] = []
    for position, bracket in enumerate(row):
        if bracket in OPENING:
            opened.append(position)
        elif not opened:
            return Verdict(position + 1, "stray")
        elif PARTNER[row[opened.pop()]] != bracket:
            return Verdict(position + 1, "mismatch")
    return Verdict(opened[-1] + 1, "unclosed") if opened else Verdict(0, "fine")


def reduced(row: str) -> str:
    """The rest of a row after adjacent pairs are removed, again and again.

    >>> reduced("([]){}("), reduced("(]")
    ('(', '(]')
    """
    shorter = row
    for opening, closing in zip(OPENING, CLOSING):
        shorter = shorter.replace(opening + closing, "")
    return row if shorter == row else reduced(shorter)
