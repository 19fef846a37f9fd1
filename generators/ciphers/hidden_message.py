"""Hiding letters in a text of common words, in several ways, and reading them again."""

from random import Random
from typing import Literal

from palaestra.generators.ciphers.shifts import LETTERS
from palaestra.generators.phrases import WORDS, phrase
from palaestra.generators.vocabulary import word

Method = Literal["first", "last", "counting", "case", "spaces", "selectors", "invisible"]


def _ending(rng: Random, letter: str, place: int) -> str:
    """A common word with a letter at a place, where that may be -1; made up where there is none."""
    known = [w for w in WORDS if len(w) > place and w[place] == letter]
    if known:
        return rng.choice(known)
    made = word(rng, 5)
    return made + letter if place < 0 else made[:place] + letter + made[place:]


def _hide_in_ends(rng: Random, put: str, step: int, start: int, place: int) -> str:
    length = start + step * (len(put) - 1) + rng.randrange(step)
    made = [rng.choice(WORDS) for _ in range(length)]
    made[start - 1 :: step] = [_ending(rng, letter, place) for letter in put]
    return " ".join(made)


def _hide_counting(rng: Random, put: str, step: int, start: int) -> str:
    made = [rng.choice(WORDS) for _ in range(start - 1)]
    return " ".join([*made, *(_ending(rng, sign, n % 4) for n, sign in enumerate(put))])


def bits(put: str) -> str:
    """Five binary digits for each letter.

    >>> bits("ab")
    '0000000001'
    """
    return "".join(f"{LETTERS.index(sign):05b}" for sign in put)


def _hide_case(rng: Random, put: str, step: int, start: int) -> str:
    digits = bits(put)
    words: list[str] = []
    left = len(digits)
    while left > 0:
        # What is left over at the end should not be enough for one more letter.
        words.append(rng.choice([word for word in WORDS if len(word) < left + 5]))
        left -= len(words[-1])
    signs = iter(digits)
    return " ".join(
        "".join(sign.upper() if next(signs, "0") == "1" else sign for sign in word)
        for word in words
    )


def _hide_spaces(rng: Random, put: str, step: int, start: int) -> str:
    made = rng.choice(WORDS)
    for digit in bits(put):
        made += " " * (1 + int(digit)) + rng.choice(WORDS)
    return made


def _hide_selectors(rng: Random, put: str, step: int, start: int) -> str:
    values = [value for sign in put for value in divmod(ord(sign), 16)]
    cover = phrase(rng, len(values))
    return " ".join(word + chr(0xFE00 + value) for word, value in zip(cover, values))


def _hide_invisible(rng: Random, put: str, step: int, start: int) -> str:
    cover = phrase(rng, len(put))
    return " ".join(
        word + "".join("\u200b\u200c"[int(digit)] for digit in bits(sign))
        for word, sign in zip(cover, put)
    )


HIDERS = {
    "first": lambda rng, put, step, start: _hide_in_ends(rng, put, step, start, 0),
    "last": lambda rng, put, step, start: _hide_in_ends(rng, put, step, start, -1),
    "counting": _hide_counting,
    "case": _hide_case,
    "spaces": _hide_spaces,
    "selectors": _hide_selectors,
    "invisible": _hide_invisible,
}


def read(method: Method, text: str, step: int, start: int) -> str:
    """The letters that a text hides.

    >>> read("first", "go up high", 2, 1), read("case", "Ab CDe f", 1, 1)
    ('gh', 'w')
    """
    words = text.split()
    match method:
        case "first":
            return "".join(word[0] for word in words[start - 1 :: step])
        case "last":
            return "".join(word[-1] for word in words[start - 1 :: step])
        case "counting":
            return "".join(word[: n % 4 + 1][-1] for n, word in enumerate(words[start - 1 :]))
        case "case":
            return _letters("".join("01"[s.isupper()] for s in text if s.isalpha()))
        case "spaces":
            gaps = text.replace("  ", "=")
            return _letters("".join("01"[s == "="] for s in gaps if s in " ="))
        case "selectors":
            values = [ord(s) - 0xFE00 for s in text if 0xFE00 <= ord(s) <= 0xFE0F]
            return "".join(chr(16 * a + b) for a, b in zip(values[::2], values[1::2]))
        case _:
            return _letters("".join("01"[s == "\u200c"] for s in text if s in "\u200b\u200c"))


def _letters(digits: str) -> str:
    whole = len(digits) - len(digits) % 5
    return "".join(LETTERS[int(digits[n : n + 5], 2) % 26] for n in range(0, whole, 5))
