"""Units of amounts: money, measures, counted things, and the words for powers of ten."""

import re

from palaestra.verifiers.quantities.units import counted

MONEY = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}
SCALES = {
    "hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "dozen": 12,
}  # fmt: skip

_NEVER_COUNTED = frozenset(
    [
        *("not", "no", "wrong", "incorrect", "is", "isn't", "or", "and", "if", "maybe", "false"),
        *(
            "never",
            "perhaps",
            "about",
            "approximately",
            "more",
            "less",
            "than",
            "at",
            "least",
            "most",
        ),
        *(
            "plus",
            "minus",
            "over",
            "under",
            "correct",
            "right",
            "the",
            "to",
            "other",
            "but",
            "equals",
        ),
        *("divided", "by", "squared", "cubed", "factorial", "mod", "choose", "half", "for", "when"),
        *(
            "true",
            "yes",
            "unsure",
            "wait",
            "actually",
            "until",
            "from",
            "then",
            "possibly",
            "roughly",
        ),
    ]
)
_GROUP = re.compile(
    r"\\(?:text(?:rm|it|bf|sf|tt|normal|up)?|math(?:rm|it|bf|sf|tt)|mbox)\s*\{([^{}()\\]*)\}"
)
_MARKUP = re.compile(r"\\[a-zA-Z]+\*?\s*\{|[{}]")


def plainly(words: str) -> str:
    r"""Return a unit without the markup around it, if it contains nothing else.

    >>> plainly("\\text{ \\degree C}"), plainly("\\frac{m}{s}")
    ('°C', '\\frac{m}{s}')
    """
    words = _GROUP.sub(r" \1", words)  # the square of \text{m/s}^2 is that of the second
    bare = _MARKUP.sub(" ", words.replace("\\degree ", "°")).strip()
    return words if "\\" in bare or "^" in bare or words.startswith("\\frac") else bare


def bare_words(words: str) -> str:
    r"""The words of a text with or without ``\text{}`` around them."""
    return _MARKUP.sub(" ", words).strip().casefold()


def noun(words: str) -> str | None:
    """The noun of what is counted, in one form; None for words that may say something else."""
    phrase = bare_words(words)
    if len(phrase) > 40 or not all(sign.isalpha() or sign in " -'" for sign in phrase):
        return None
    if not _NEVER_COUNTED.isdisjoint(phrase.split()) or len(phrase.split()) > 3:
        return None
    return counted(phrase)
