"""Codes that shorten texts by what repeats in them: Lempel and Ziv's of 1977 and of 1978."""

from collections.abc import Iterable
from random import Random

Copy = tuple[int, int, str]
"""How far to go back, how many letters to copy from there, and the letter that follows."""

Entry = tuple[int, str]
"""The number of an earlier phrase, 0 for none, and the letter that follows it."""


def repetitive(rng: Random, length: int, letters: str) -> str:
    """A text in which pieces come again.

    >>> len(repetitive(Random(0), 9, "ab"))
    9
    """
    text = "".join(rng.choices(letters, k=2))
    while len(text) < length:
        start = rng.randrange(len(text))
        text += text[start : start + rng.randint(1, 4)] + rng.choice(letters)
    return text[:length]


def copies(text: str) -> list[Copy]:
    """A text as copies of what came before: each as long as can be, from as near as can be.

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
    """The text that copies make up.

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
    """A text as phrases, each an earlier one (the longest that fits) with a letter after it.

    The last phrase is left without a letter where the text ends within one.

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
    """The text that phrases make up.

    >>> phrased([(0, "a"), (1, "b"), (2, "b")])
    'aababb'
    """
    phrases = [""]
    for number, letter in code:
        phrases.append(phrases[number] + letter)
    return "".join(phrases)
