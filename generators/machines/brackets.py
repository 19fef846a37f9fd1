"""Rows of brackets of several kinds: drawing them, and telling where one first goes wrong."""

from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple

OPENING, CLOSING = "([{<", ")]}>"
PARTNER = dict(zip(OPENING + CLOSING, CLOSING + OPENING))

Flaw = Literal["fine", "stray", "mismatch", "unclosed"]


class Verdict(NamedTuple):
    """Where a row first goes wrong, counted from 1, and how; place 0 where it does not."""

    place: int
    flaw: Flaw


def balanced(rng: Random, pairs: int, kinds: int) -> str:
    """A balanced row of so many pairs.

    >>> judged(balanced(Random(1), 5, 3))
    Verdict(place=0, flaw='fine')
    """
    made, opened, left = "", "", pairs
    while left or opened:
        if left and (not opened or rng.random() < 0.5 + 0.1 * (left > pairs // 2)):
            sign = OPENING[rng.randrange(kinds)]
            made, opened, left = made + sign, opened + sign, left - 1
        else:
            made, opened = made + PARTNER[opened[-1]], opened[:-1]
    return made


def judged(row: Sequence[str]) -> Verdict:
    """Where a row first goes wrong: at a closing bracket, or, if it is merely too short, at the
    innermost bracket still open in the end.

    >>> [tuple(judged(row)) for row in ("(]", "())", "([]")]
    [(2, 'mismatch'), (3, 'stray'), (1, 'unclosed')]
    """
    opened: list[int] = []
    for place, sign in enumerate(row):
        if sign in OPENING:
            opened.append(place)
        elif not opened:
            return Verdict(place + 1, "stray")
        elif PARTNER[row[opened.pop()]] != sign:
            return Verdict(place + 1, "mismatch")
    return Verdict(opened[-1] + 1, "unclosed") if opened else Verdict(0, "fine")


def reduced(row: str) -> str:
    """What is left when pairs that stand side by side are struck out over and over.

    >>> reduced("([]){}("), reduced("(]")
    ('(', '(]')
    """
    shorter = row
    for opening, closing in zip(OPENING, CLOSING):
        shorter = shorter.replace(opening + closing, "")
    return row if shorter == row else reduced(shorter)
