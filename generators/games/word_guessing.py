"""Hints on guessed words: which letters are in their place, which elsewhere, which nowhere."""

from collections.abc import Sequence

Clue = tuple[str, str]
"""A guess, and a sign for each of its letters: = in its place, + elsewhere, - not (or no more)."""


def hint(guess: str, word: str) -> str:
    """The hint that a guess earns; each letter of the word answers for one of the guess at most.

    >>> hint("panel", "apple"), hint("eerie", "spree")
    ('++-++', '+-=-=')
    """
    left = [w for g, w in zip(guess, word) if g != w]
    signs = []
    for g, w in zip(guess, word):
        if g == w:
            signs.append("=")
        elif g in left:
            left.remove(g)
            signs.append("+")
        else:
            signs.append("-")
    return "".join(signs)


def fitting(words: Sequence[str], clues: Sequence[Clue]) -> list[str]:
    """The words that earn the hints that were given.

    >>> fitting(["apple", "plane"], [("panel", "++-++")])
    ['apple']
    """
    return [word for word in words if all(hint(guess, word) == shown for guess, shown in clues)]
