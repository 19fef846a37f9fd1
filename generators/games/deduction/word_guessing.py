"""Hints about guessed words: letters in the right position, elsewhere in the word, or absent."""

from collections.abc import Sequence

Clue = tuple[str, str]
"""A guess and a sign for each letter: = right position, + elsewhere, - absent or used up."""


def hint(guess: str, word: str) -> str:
    """The hint for a guess; each letter of the word accounts for at most one of the guess.

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
    """The words that agree with all clues.

    >>> fitting(["apple", "plane"], [("panel", "++-++")])
    ['apple']
    """
    return [word for word in words if all(hint(guess, word) == shown for guess, shown in clues)]
