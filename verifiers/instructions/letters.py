"""Kinds about letters. They are compared small, without accents, and as they look."""

from palaestra.verifiers.instructions.registry import MANY, instruction_type, outside
from palaestra.verifiers.instructions.text import Text
from palaestra.verifiers.instructions.values import Count, Letter, OneOf

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_VOWELS = "aeiou"


@instruction_type(
    "Use the letter '{letter}' at least {n:time}.",
    "The letter '{letter}' occurs {n:time} or more.",
    implies=lambda letter, n: {f"letter {letter}": (n, MANY)},
    letter=Letter(),
    n=Count(1, 2_000),
)
def _letter_at_least(text: Text, letter: str, n: int) -> str:
    return _occurs(text, letter, n, MANY)


@instruction_type(
    "Use the letter '{letter}' at most {n:time}.",
    "The letter '{letter}' occurs no more than {n:time}.",
    implies=lambda letter, n: {f"letter {letter}": (0, n)},
    letter=Letter(),
    n=Count(1, 2_000),
)
def _letter_at_most(text: Text, letter: str, n: int) -> str:
    return _occurs(text, letter, 0, n)


@instruction_type(
    "Use the letter '{letter}' exactly {n:time}.",
    "The letter '{letter}' occurs {n:time}, no more and no fewer.",
    implies=lambda letter, n: {f"letter {letter}": (n, n)},
    letter=Letter(),
    n=Count(1, 2_000),
)
def _letter_exactly(text: Text, letter: str, n: int) -> str:
    return _occurs(text, letter, n, n)


def _occurs(text: Text, letter: str, low: float, high: float) -> str:
    return outside(text.letters[letter], f"'{letter}'", low, high)


@instruction_type(
    "Do without the letter '{letter}'.",
    "The letter '{letter}' does not occur at all.",
    implies=lambda letter: {f"letter {letter}": (0, 0)},
    letter=Letter(),
)
def _lipogram(text: Text, letter: str) -> str:
    if not text.letters:
        return "it has no letters"
    return "the letter occurs" if text.letters[letter] else ""


@instruction_type(
    "Use every letter from a to z at least once.",
    "Write a pangram: all letters from a to z occur.",
    implies=lambda: {f"letter {letter}": (1, MANY) for letter in _ALPHABET},
)
def _pangram(text: Text) -> str:
    missing = sum(not text.letters[letter] for letter in _ALPHABET)
    return f"of the letters, {missing} do not occur" if missing else ""


@instruction_type(
    "Use no vowel but '{vowel}' (of a, e, i, o and u).",
    "Of the letters a, e, i, o and u only '{vowel}' occurs.",
    implies=lambda vowel: {
        f"letter {letter}": (1, MANY) if letter == vowel else (0, 0) for letter in _VOWELS
    },
    vowel=OneOf(tuple(_VOWELS)),
)
def _univocalic(text: Text, vowel: str) -> str:
    if not text.letters[vowel]:
        return "the vowel does not occur"
    others = any(text.letters[letter] for letter in _VOWELS if letter != vowel)
    return "another vowel occurs" if others else ""
