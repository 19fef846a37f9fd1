"""Kinds about the script that a text is written in. No language is guessed at."""

import unicodedata
from functools import lru_cache

from palaestra.verifiers.instructions.registry import MANY, Implied, instruction_type
from palaestra.verifiers.instructions.text import Text
from palaestra.verifiers.instructions.values import Count, OneOf

_NAMES = {
    "LATIN": "Latin", "CYRILLIC": "Cyrillic", "GREEK": "Greek", "CJK": "Han", "HANGUL": "Hangul",
    "HIRAGANA": "Hiragana", "KATAKANA": "Katakana", "ARABIC": "Arabic", "HEBREW": "Hebrew",
    "DEVANAGARI": "Devanagari", "BENGALI": "Bengali", "TAMIL": "Tamil", "TELUGU": "Telugu",
    "THAI": "Thai", "GEORGIAN": "Georgian", "ARMENIAN": "Armenian", "ETHIOPIC": "Ethiopic",
}  # fmt: skip
"""Scripts by the first word of the Unicode names of their letters.

A script is spread over many blocks, with letters of others among them; the names tell which.
"""

SCRIPTS = OneOf(tuple(sorted(_NAMES.values())))


@lru_cache(maxsize=4_096)
def script_of(letter: str) -> str:
    """Return the script of a letter; empty for other characters.

    >>> script_of("\u0436"), script_of("\uff21"), script_of("1")
    ('Cyrillic', 'Latin', '')
    """
    if not letter.isalpha():
        return ""
    plain = unicodedata.normalize("NFKC", letter)[0]
    return _NAMES.get(unicodedata.name(plain, "").partition(" ")[0], "")


def _share(name: str, percent: int) -> Implied:
    return {
        "words": (1, MANY),
        **{f"percent {other}": (0, 100 - percent) for other in SCRIPTS.options},
        f"percent {name}": (percent, 100),
        f"{name} letters": (1, MANY),
    }


@instruction_type(
    "At least {percent} percent of the letters are {name} ones.",
    "Write in {name} letters; at least {percent} percent of all letters are of that script.",
    implies=_share,
    name=SCRIPTS,
    percent=Count(1, 100),
)
def _script(text: Text, name: str, percent: int) -> str:
    letters = [sign for sign in text.shown if sign.isalpha()]
    if not letters:
        return "it has no letters"
    number = sum(script_of(letter) == name for letter in letters)
    share = 100 * number // len(letters)
    return "" if 100 * number >= percent * len(letters) else f"only {share} percent of them are"


@instruction_type(
    "Use at least {n:letter} of the {name} script.",
    "There are {n:letter} of the {name} script or more.",
    implies=lambda name, n: {f"{name} letters": (n, MANY), "characters": (n, MANY)},
    name=SCRIPTS,
    n=Count(1, 2_000),
)
def _script_letters_at_least(text: Text, name: str, n: int) -> str:
    number = sum(script_of(sign) == name for sign in text.shown)
    return "" if number >= n else f"it has {number} such letters"


@instruction_type(
    "Use no {name} letters.",
    "There is no letter of the {name} script.",
    implies=lambda name: {f"{name} letters": (0, 0)},
    name=SCRIPTS,
)
def _no_script(text: Text, name: str) -> str:
    return "it has such a letter" if any(script_of(sign) == name for sign in text.shown) else ""


@instruction_type(
    "Use ASCII characters only.",
    "There are no accents, curly quotation marks, emoji or other characters beyond ASCII.",
    implies=lambda: {f"{name} letters": (0, 0) for name in SCRIPTS.options if name != "Latin"},
)
def _ascii(text: Text) -> str:
    return "" if text.shown.isascii() else "it has a character beyond ASCII"
