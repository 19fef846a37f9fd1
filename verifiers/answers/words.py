r"""Answers in words: names, yes and no, "no solution", numbers written out, letters of options."""

import re
from typing import NamedTuple

from palaestra.verifiers.answers.chemistry import formula

_WRAPPED = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt|normal|up)?|mbox|hbox|math(?:rm|bf|it|sf|tt))\s*\{"
)
_SPACING = re.compile(r"\\[,;:! ]|\\q?quad(?![a-zA-Z])|[~$\s]+")
_MATHS = frozenset("\\^_=<>+*|[]")
_ARTICLE = re.compile(r"(?:a|an|the)\s+")
_JOINT = re.compile(r"\s*(?:,\s*and|,|;|\band)\s+|\s*[,;]\s*")

EMPTY, UNDEFINED, INFINITE, ALL = "no solution", "undefined", "infinity", "all real numbers"
_SYNONYMS = {
    "no solutions": EMPTY, "no real solution": EMPTY, "no real solutions": EMPTY,
    "there is no solution": EMPTY, "there are no solutions": EMPTY, "empty set": EMPTY,
    "does not exist": UNDEFINED, "dne": UNDEFINED, "doesnt exist": UNDEFINED,
    "infinite": INFINITE, "all reals": ALL, "all real": ALL, "real numbers": ALL, "nope": "no",
}  # fmt: skip
_NUMBERS = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
]
NUMBERS = {word: number for number, word in enumerate(_NUMBERS)} | {"dozen": 12, "hundred": 100}


def plain_words(text: str) -> str | None:
    r"""Return the words of an answer without markup; None if it contains mathematics.

    >>> plain_words(r"\text{Bob } and \textbf{Ann}."), plain_words("x^2")
    ('Bob and Ann', None)
    """
    if "\\" in text or "{" in text:
        text = _SPACING.sub(" ", _WRAPPED.sub(" {", text)).replace("{", "").replace("}", "")
        text = text.replace("( ", "(")
    if not _MATHS.isdisjoint(text) or not any(sign.isalpha() for sign in text):
        return None
    return " ".join(text.replace("$", " ").split()).strip(" .")


def key(words: str) -> str:
    """Normalise an answer: without case, quotes, articles and final punctuation.

    >>> key("The  'Tuesday'!"), key("DNE")
    ('tuesday', 'undefined')
    """
    bare = re.sub(r"[\"'`\u2019*]", "", words).casefold().strip(" \t\n.,;:!?()")
    if (article := _ARTICLE.match(bare)) and len(bare) > article.end():
        bare = bare[article.end() :]
    bare = " ".join(bare.split())
    return _SYNONYMS.get(bare, bare)


def same_words(gold: str, answer: str) -> bool:
    """Whether two answers in words are the same, or lists of the same words.

    >>> same_words("Ann and Bob", "Bob, Ann"), same_words("Ann", "Ann or Bob")
    (True, False)
    """
    if key(gold) == key(answer):
        return not _differ_in_case(gold, answer)
    left, right = (sorted(map(key, _JOINT.split(words))) for words in (gold, answer))
    return len(left) > 1 and left == right


def _differ_in_case(gold: str, answer: str) -> bool:
    """Whether capitals make another thing of a word: the genotype Aa is not AA, nor CO cobalt."""
    one, other = (words.strip(" .") for words in (gold, answer))
    if one == other or " " in one or key(one) == "no":
        return False
    if len(one) % 2 == 0 and one[::2].casefold() == one[1::2].casefold():
        return len(one) == len(other)
    left, right = formula(one), formula(other)
    return left is not None and right is not None and not left.same(right)


# ------------------------------------------------------------------ letters of options

_LETTER = re.compile(r"\(?([A-J])\)?[.:]?")
_LETTERS = re.compile(r"\(?[A-J]\)?(?:[\s,;]*(?:and\s+)?\(?[A-J]\)?){0,9}")
_TOGETHER = re.compile(r"[A-J\s]+")
_CHOSEN = re.compile(
    r"(?:(?:the\s+)?(?:correct\s+)?(?:option|choice|answer)(?:\s+is)?\s*:?\s*)?\(?([A-Ja-j])\)?[.:]?",
    re.IGNORECASE,
)
_WITH_TEXT = re.compile(r"(?:\(([A-J])\)|([A-J])[).:])\s*(\S.*)", re.DOTALL)
_HEDGE = re.compile(
    r"\b(?:or|and|not|neither|both)\b|(?<![a-zA-Z])\(?[A-J]\)(?![a-zA-Z])|\b[B-HJ]\b"
)


class Letters(NamedTuple):
    """The letters of the options that are named."""

    named: str
    apart: bool
    """Whether more than blanks stand between them, so that their order does not count."""

    def same(self, other: "Letters") -> bool:
        """Whether these are the same options."""
        if self.apart and other.apart:
            return sorted(self.named) == sorted(other.named)
        return self.named == other.named


def letters(gold: str) -> Letters | None:
    r"""Return the letters that a gold answer names: "B", "(C)", "ACD", "A, C"; None if it is no
    choice.

    >>> [letters(text) and letters(text).named for text in (r"\text{(B)}", "A, C", "BAD", "x")]
    ['B', 'AC', None, None]
    """
    words = plain_words(gold)
    if words is None or len(words) > 40 or not _LETTERS.fullmatch(words):
        return None
    if one := _LETTER.fullmatch(words):
        return Letters(one[1], False)
    named = _named(words)
    together = named is not None and named.named == "".join(sorted(named.named))
    return named if together else None


def chosen(answer: str) -> Letters | None:
    r"""Return the letters that an answer chooses; None if it hedges or names none.

    >>> [chosen(text) and chosen(text).named for text in ("(B)", "B) 5 cm", "A or B", "A dog")]
    ['B', 'B', None, None]
    >>> chosen("ACB").same(chosen("ABC")), chosen("A and C").same(chosen("C, A"))
    (False, True)
    """
    words = plain_words(answer)
    if words is None:
        words = " ".join(_WRAPPED.sub(" ", answer).replace("}", " ").split())
    if one := _CHOSEN.fullmatch(words):
        return Letters(one[1].upper(), False)
    if len(words) <= 60 and _LETTERS.fullmatch(words):
        return _named(words)
    if phrase := _WITH_TEXT.fullmatch(words):
        return None if _HEDGE.search(phrase[3]) else Letters(phrase[1] or phrase[2], False)
    return None


def _named(words: str) -> Letters | None:
    """Several letters, each named once."""
    named = "".join(sign for sign in words if sign.isupper())
    if len(named) < 2 or len(set(named)) < len(named):
        return None
    return Letters(named, not _TOGETHER.fullmatch(words))
