"""Kinds about case and punctuation."""

import unicodedata

from palaestra.verifiers.instructions.registry import MANY, Measure, counted, instruction_type
from palaestra.verifiers.instructions.text import Text, written
from palaestra.verifiers.instructions.values import OneOf, Phrase, Sign

_CLOSERS = "\"'\u201d\u2019\u00bb)]*_ "
_PAIRS = {")": "(", "]": "[", "}": "{", "\uff09": "\uff08", "\u3011": "\u3010", "\u300d": "\u300c"}

COMMAS = ",\uff0c\u060c\u3001\ufe50\u201a\uff64"
QUESTIONS = "?\uff1f\u061f\u037e\ufe56"
EXCLAMATIONS = "!\uff01\ufe57\u01c3"


def count_signs(text: Text, signs: str) -> int:
    """Return how often any of the characters occurs in the visible text."""
    return sum(map(text.shown.count, signs))


def count_digits(text: Text) -> int:
    """How many digits there are, of any script, raised, circled or in fractions."""
    return sum(unicodedata.category(sign) in {"Nd", "No"} for sign in text.shown)


def _capital(token: str) -> bool:
    return sum(map(str.isalpha, token)) > 1 and token.isupper()


counted(
    Measure("commas", "comma", lambda text: count_signs(text, COMMAS), 500),
    "at_most", "exactly",
)  # fmt: skip
counted(
    Measure("question_marks", "question mark", lambda text: count_signs(text, QUESTIONS), 200),
    "at_least", "exactly",
)  # fmt: skip
counted(
    Measure("exclamation_marks", "exclamation mark", lambda t: count_signs(t, EXCLAMATIONS), 200),
    "at_most", "exactly",
)  # fmt: skip
counted(Measure("digits", "digit", count_digits, 500), "at_least", "exactly")
counted(
    Measure(
        "capital_words",
        "capitalised word",
        lambda text: sum(map(_capital, text.tokens)),
        500,
        "A capitalised word has two letters or more, all of them capitals.",
    ),
    "at_least",
    "at_most",
)


@instruction_type(
    "Use no commas.",
    "There is no comma anywhere.",
    implies=lambda: {"commas": (0, 0)},
)
def _no_commas(text: Text) -> str:
    return "it has a comma" if count_signs(text, COMMAS) else ""


@instruction_type(
    "Use no digits.",
    "There is no digit anywhere; write numbers in words.",
    implies=lambda: {"digits": (0, 0)},
)
def _no_digits(text: Text) -> str:
    return "it has a digit" if count_digits(text) else ""


@instruction_type(
    "Never use the sign '{sign}'.",
    "The sign '{sign}' does not occur.",
    implies=lambda sign: {f"sign {sign}": (0, 0)},
    sign=Sign(),
)
def _no_sign(text: Text, sign: str) -> str:
    alike = unicodedata.normalize("NFKC", sign)
    return "the character occurs" if alike in unicodedata.normalize("NFKC", text.shown) else ""


@instruction_type(
    "Close every bracket that you open, in the right order.",
    "All round, square and curly brackets are balanced.",
)
def _balanced_brackets(text: Text) -> str:
    opened: list[str] = []
    for sign in text.shown:
        if sign in _PAIRS.values():
            opened.append(sign)
        elif sign in _PAIRS and (not opened or opened.pop() != _PAIRS[sign]):
            return f"a '{sign}' closes nothing"
    return f"a '{opened[-1]}' is not closed" if opened else ""


@instruction_type(
    "Begin with exactly '{phrase}'.",
    "The first characters are '{phrase}'.",
    phrase=Phrase(200),
)
def _starts_with(text: Text, phrase: str) -> str:
    return "" if text.flat.startswith(phrase) else "it begins otherwise"


@instruction_type(
    "End with exactly '{phrase}' and nothing after it.",
    "The last characters are '{phrase}'.",
    phrase=Phrase(200),
)
def _ends_with(text: Text, phrase: str) -> str:
    return "" if text.flat.endswith(phrase) else "it ends otherwise"


@instruction_type(
    "Every sentence ends with '{sign}'.",
    "The last sign of each sentence is '{sign}'.",
    implies=lambda sign: {"end of each sentence": sign, "words": (1, MANY)},
    sign=OneOf((".", "!", "?")),
)
def _sentences_end_with(text: Text, sign: str) -> str:
    if not text.sentences:
        return "it has no sentence"
    ends = [s.rstrip(_CLOSERS)[-1:] for s in text.sentences]
    odd = next((n for n, end in enumerate(ends, 1) if end != sign), 0)
    return f"sentence {odd} ends otherwise" if odd else ""


@instruction_type(
    "Use only small letters, and at least one.",
    "There are small letters, and no capital letters.",
    implies=lambda: {"small letters": (1, MANY), "capital letters": (0, 0)},
)
def _lowercase(text: Text) -> str:
    if not any(map(str.islower, text.shown)):
        return "it has no small letters"
    return "it has a capital letter" if any(map(str.isupper, text.shown)) else ""


@instruction_type(
    "Use only capital letters, and at least one.",
    "There are capital letters, and no small letters.",
    implies=lambda: {"small letters": (0, 0), "capital letters": (1, MANY)},
)
def _uppercase(text: Text) -> str:
    if not any(map(str.isupper, text.shown)):
        return "it has no capital letters"
    return "it has a small letter" if any(map(str.islower, text.shown)) else ""


@instruction_type(
    "Begin every word with a capital letter.",
    "Write in title case: each word begins with a capital.",
    implies=lambda: {"capital letters": (1, MANY), "words": (1, MANY)},
)
def _title_case(text: Text) -> str:
    if not any(token[0].isupper() for token in text.tokens):
        return "no word begins with a capital letter"
    small = next((token for token in text.tokens if token[0].islower()), "")
    return f"the word '{small[:40]}' begins with a small letter" if small else ""


@instruction_type(
    "Begin every sentence with a capital letter.",
    "The first letter of each sentence is a capital.",
    implies=lambda: {"capital letters": (1, MANY), "words": (1, MANY)},
)
def _sentence_case(text: Text) -> str:
    if not text.sentences:
        return "it has no sentence"
    starts = [written(sentence)[0][0] for sentence in text.sentences]
    odd = next((n for n, sign in enumerate(starts, 1) if not sign.isupper()), 0)
    return f"sentence {odd} begins otherwise" if odd else ""
