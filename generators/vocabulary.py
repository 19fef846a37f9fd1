"""Pronounceable words that are in no dictionary."""

import re
from collections.abc import Collection, Iterator
from random import Random

CONSONANTS = "bdfgklmnprstvz"
VOWELS = "aeiou"

_OFFENSIVE = re.compile(
    "anal|anus|boner|dago|fag|fuk|homo|kafir|kike|merda|nazi|nega|nig[aeu]|paki|pedo|penis"
    "|pube|puta|puto|rap[ei]|semen|sodom|vagin|zigan"
)
"""What no made-up word contains: insults, slurs and crude words of common languages."""


def word(rng: Random, length: int) -> str:
    """A made-up word whose consonants and vowels alternate, either of them first.

    >>> word(Random(1), 5)
    'zakan'
    """
    while True:
        classes = (CONSONANTS, VOWELS) if rng.random() < 0.75 else (VOWELS, CONSONANTS)
        letters = "".join([rng.choice(classes[n % 2]) for n in range(length)])
        if not _OFFENSIVE.search(letters):
            return letters


def words(rng: Random, number: int, shortest: int, longest: int) -> tuple[str, ...]:
    """Different made-up words, each of a random length within bounds."""
    distinct: dict[str, None] = {}  # a dictionary keeps the order, which a set would not
    while len(distinct) < number:
        distinct[word(rng, rng.randint(shortest, longest))] = None
    return tuple(distinct)


def plural(noun: str) -> str:
    """The plural of a noun.

    >>> plural("zakan"), plural("udus")
    ('zakans', 'uduses')
    """
    return noun + ("es" if noun.endswith(("s", "z")) else "s")


def changed(rng: Random, word: str) -> str:
    """The word with one letter replaced, a vowel by a vowel.

    >>> changed(Random(0), "binop")
    'binup'
    """
    n = rng.randrange(len(word))
    letters = VOWELS if word[n] in VOWELS else CONSONANTS
    letter = rng.choice(letters.replace(word[n], ""))
    return word[:n] + letter + word[n + 1 :]


def near(one: str, other: str) -> bool:
    """Whether two words of the same length differ in exactly one letter.

    >>> near("binop", "binup"), near("binop", "binop")
    (True, False)
    """
    return distance(one, other) == 1


def distance(one: str, other: str) -> int:
    """The number of positions at which two words of the same length differ."""
    return sum(a != b for a, b in zip(one, other))


def neighbours(word: str, known: Collection[str]) -> Iterator[str]:
    """The known words that differ from a word in one letter, in the order of the position."""
    for n in range(len(word)):
        for letter in VOWELS + CONSONANTS:
            other = word[:n] + letter + word[n + 1 :]
            if letter != word[n] and other in known:
                yield other
