"""Several methods to hide letters in a text of common words, and to read them."""

from random import Random
from typing import Literal

from palaestra.generators.ciphers.shifts import LETTERS
from palaestra.generators.phrases import WORDS, phrase
from palaestra.generators.vocabulary import word

Method = Literal["first", "last", "counting", "case", "spaces", "selectors", "invisible"]


def _word_with(rng: Random, letter: str, index: int) -> str:
    """A common word with a letter at an index from -1; an invented word if there is none."""
    known = [w for w in WORDS if len(w) > index and w[index] == letter]
    if known:
        return rng.choice(known)
    invented = word(rng, 5)
    return invented + letter if index < 0 else invented[:index] + letter + invented[index:]


def _hide_in_ends(rng: Random, message: str, step: int, start: int, index: int) -> str:
    length = start + step * (len(message) - 1) + rng.randrange(step)
    words = [rng.choice(WORDS) for _ in range(length)]
    words[start - 1 :: step] = [_word_with(rng, letter, index) for letter in message]
    return " ".join(words)


def _hide_counting(rng: Random, message: str, step: int, start: int) -> str:
    words = [rng.choice(WORDS) for _ in range(start - 1)]
    return " ".join([*words, *(_word_with(rng, letter, n % 4) for n, letter in enumerate(message))])


def bits(message: str) -> str:
    """Five binary digits for each letter.

    >>> bits("ab")
    '0000000001'
    """
    return "".join(f"{LETTERS.index(letter):05b}" for letter in message)


def _hide_case(rng: Random, message: str, step: int, start: int) -> str:
    digits = bits(message)
    words: list[str] = []
    rest = len(digits)
    while rest > 0:
        # The unused letters at the end must not be enough for another letter of the message.
        words.append(rng.choice([word for word in WORDS if len(word) < rest + 5]))
        rest -= len(words[-1])
    remaining = iter(digits)
    return " ".join(
        "".join(letter.upper() if next(remaining, "0") == "1" else letter for letter in word)
        for word in words
    )


def _hide_spaces(rng: Random, message: str, step: int, start: int) -> str:
    text = rng.choice(WORDS)
    for digit in bits(message):
        text += " " * (1 + int(digit)) + rng.choice(WORDS)
    return text


def _hide_selectors(rng: Random, message: str, step: int, start: int) -> str:
    values = [value for letter in message for value in divmod(ord(letter), 16)]
    cover = phrase(rng, len(values))
    return " ".join(word + chr(0xFE00 + value) for word, value in zip(cover, values))


def _hide_invisible(rng: Random, message: str, step: int, start: int) -> str:
    cover = phrase(rng, len(message))
    return " ".join(
        word + "".join("\u200b\u200c"[int(digit)] for digit in bits(letter))
        for word, letter in zip(cover, message)
    )


HIDERS = {
    "first": lambda rng, message, step, start: _hide_in_ends(rng, message, step, start, 0),
    "last": lambda rng, message, step, start: _hide_in_ends(rng, message, step, start, -1),
    "counting": _hide_counting,
    "case": _hide_case,
    "spaces": _hide_spaces,
    "selectors": _hide_selectors,
    "invisible": _hide_invisible,
}


def read(method: Method, text: str, step: int, start: int) -> str:
    """The letters hidden in a text.

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
