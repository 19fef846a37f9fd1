"""Codes that shorten texts by their repetitions: LZ77 and LZ78 by Lempel and Ziv."""

from collections.abc import Iterable
from random import Random

Copy = tuple[int, int, str]
"""How far to go back, how many letters to copy from there, and the letter that follows."""

Entry = tuple[int, str]
"""The number of an earlier phrase (0 for none), and the letter that follows it."""


def repetitive(rng: Random, length: int, letters: str) -> str:
    """A random text with repeated pieces.

    >>> len(repetitive(Random(0), 9, "ab"))
    9
    """
    text = "".join(rng.choices(letters, k=2))
    while len(text) < length:
        start = rng.randrange(len(text))
        text += text[start : start + rng.randint(1, 4)] + rng.choice(letters)
    return text[:length]


def copies(text: str) -> list[Copy]:
    """The LZ77 code of a text: each copy is as long as possible, and from as near as possible.

    >>> copies("ababac")
    [(0, 0, 'a'), (0, 0, 'b'), (2, 3, 'c')]
    """
    pieces: list[Copy] = []
    here = 0
    while here < len(text):
        best = (0, 0)
        for back in range(1, here + 1):
            size = 0
            while here + size < len(text) - 1 and text[here + size] == text[here + size - back]:
                size += 1
            best = max(best, (size, -back))
        size, back = best[0], -best[1]
        pieces.append((back if size else 0, size, text[here + size]))
        here += size + 1
    return pieces


def copied(code: Iterable[Copy]) -> str:
    """The text of an LZ77 code.

    >>> copied([(0, 0, "a"), (1, 3, "b")])
    'aaaab'
    """
    text = ""
    for back, size, letter in code:
        for _ in range(size):
            text += text[-back]
        text += letter
    return text


def entries(text: str) -> list[Entry]:
    """The LZ78 code of a text: each phrase is the longest earlier one that fits, and a letter.

    The last phrase has no letter if the text ends with an earlier phrase.

    >>> entries("aababb")
    [(0, 'a'), (1, 'b'), (2, 'b')]
    """
    numbers, items, here = {"": 0}, list[Entry](), 0
    while here < len(text):
        size = 0
        while here + size < len(text) and text[here : here + size + 1] in numbers:
            size += 1
        phrase = text[here : here + size]
        letter = text[here + size : here + size + 1]
        items.append((numbers[phrase], letter))
        numbers.setdefault(phrase + letter, len(items))
        here += size + 1
    return items


def phrased(code: Iterable[Entry]) -> str:
    """The text of an LZ78 code.

    >>> phrased([(0, "a"), (1, "b"), (2, "b")])
    'aababb'
    """
    phrases = [""]
    for number, letter in code:
        phrases.append(phrases[number] + letter)
    return "".join(phrases)
