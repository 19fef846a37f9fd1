"""Constraints on texts: their wording, and whether a text satisfies them.

A *word* is an unbroken run of the letters a to z. A *sentence* ends with one of ``.!?`` and has at
least one word. Blank lines do not count as lines and separate paragraphs. Case matters only for
constraints that mention it.
"""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

Value = int | str

_WORD = re.compile(r"[A-Za-z]+")
_NUMBER = re.compile(r"[0-9]+")
_FORBIDDEN = re.compile(r"[^A-Za-z0-9 \n.,;:!?'-]")

DEFINITIONS = (
    'A word is an unbroken run of letters, so "don\'t" is two words and 12 is none. A sentence '
    "ends with '.', '!' or '?' and has at least one word. Blank lines do not count as "
    "lines; paragraphs are separated by blank lines. Case does not matter unless a rule mentions "
    "it."
)
"""Definitions of the terms of the constraints, for prompts."""

GROUND_RULES = (
    "Use only the letters a to z, digits, spaces, line breaks and the characters . , ; : ! ? ' - "
    "in the text, end it with '.', '!' or '?', and use no word more than three times."
)
"""Rules for every text, which prevent padding."""


class Rule(NamedTuple):
    """A rule: the key of its constraint in ``KINDS``, and its values."""

    constraint: str
    values: tuple[Value, ...] = ()


class Text(NamedTuple):
    """A text and its parts."""

    raw: str
    sentences: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    lines: int
    paragraphs: int

    @classmethod
    def of(cls, raw: str) -> "Text":
        """Split a text into its parts.

        >>> Text.of("Go, 12! Come back?").sentences
        (('Go',), ('Come', 'back'))
        """
        raw = raw.strip()
        pieces = (tuple(_WORD.findall(piece)) for piece in re.split(r"[.!?]", raw))
        nonblank = [bool(line.strip()) for line in raw.split("\n")]
        starts = sum(now and not before for before, now in pairwise([False, *nonblank]))
        return cls(
            raw,
            tuple(piece for piece in pieces if piece),
            tuple(_WORD.findall(raw.lower())),
            sum(nonblank),
            starts,
        )


def forbidden_character(raw: str) -> str:
    """The first character that is not allowed in any text, or "".

    >>> forbidden_character("no <tags>"), forbidden_character("Well, no.")
    ('<', '')
    """
    match = _FORBIDDEN.search(raw)
    return match[0] if match else ""


def violation(text: Text) -> str:
    """Which of the ground rules a text breaks, or ""."""
    if not text.raw.endswith((".", "!", "?")):
        return "the text does not end with '.', '!' or '?'"
    counts: dict[str, int] = {}
    for word in text.words:
        counts[word] = counts.get(word, 0) + 1
    return "a word is used more than three times" if max(counts.values(), default=0) > 3 else ""


def many(number: Value, thing: str) -> str:
    """A number of things in words.

    >>> many(1, "word"), many(3, "word")
    ('exactly 1 word', 'exactly 3 words')
    """
    return f"exactly {number} {thing}{'' if number == 1 else 's'}"


def sizes(text: Text) -> list[int]:
    """The numbers of words of the sentences."""
    return [len(sentence) for sentence in text.sentences]


def initials(text: Text) -> str:
    """The first letters of the sentences."""
    return "".join(sentence[0][0] for sentence in text.sentences).lower()


def lowered(text: Text) -> list[list[str]]:
    """The words of each sentence in lowercase."""
    return [[word.lower() for word in sentence] for sentence in text.sentences]


def _capitals(text: Text) -> bool:
    letters = ["".join(sentence) for sentence in text.sentences]
    return all(run[0].isupper() and run[1:] == run[1:].lower() for run in letters)


def _linked(text: Text) -> bool:
    return all(one[-1] == other[0] for one, other in pairwise(lowered(text)))


def _lengths(text: Text, number: int, *lengths: int) -> bool:
    if len(text.sentences) < number:
        return False
    return [len(word) for word in text.sentences[number - 1]] == list(lengths)


def _in_order(text: Text, one: str, other: str) -> bool:
    words = text.words
    return one in words and other in words and words.index(one) < words.index(other)


class Kind(NamedTuple):
    """A type of constraint. A task has at most one of each family."""

    family: str
    wording: Callable[..., str]
    kept: Callable[..., bool]


KINDS: dict[str, Kind] = {
    "words": Kind(
        "count",
        lambda n: f"the text has {many(n, 'word')}",
        lambda t, n: len(t.words) == n,
    ),
    "words between": Kind(
        "count",
        lambda low, high: f"the text has at least {low} and at most {high} words",
        lambda t, low, high: low <= len(t.words) <= high,
    ),
    "sentences": Kind(
        "sentences",
        lambda n: f"the text has {many(n, 'sentence')}",
        lambda t, n: len(t.sentences) == n,
    ),
    "sentences as letters": Kind(
        "sentences",
        lambda word: f"the text has as many sentences as the word '{word}' has letters",
        lambda t, word: len(t.sentences) == len(word),
    ),
    "acrostic": Kind(
        "sentences",
        lambda word: f"the first letters of the sentences, in order, spell '{word}'",
        lambda t, word: initials(t) == word,
    ),
    "backward acrostic": Kind(
        "sentences",
        lambda word: f"the first letters of the sentences, in order, spell '{word}' backwards",
        lambda t, word: initials(t) == word[::-1],
    ),
    "sentence words": Kind(
        "sizes",
        lambda n: f"every sentence has {many(n, 'word')}",
        lambda t, n: all(size == n for size in sizes(t)),
    ),
    "sentence range": Kind(
        "sizes",
        lambda low, high: f"every sentence has at least {low} and at most {high} words",
        lambda t, low, high: all(low <= size <= high for size in sizes(t)),
    ),
    "growing": Kind(
        "sizes",
        lambda n: f"every sentence but the first has {many(n, 'word')} more than the one before it",
        lambda t, n: all(b - a == n for a, b in pairwise(sizes(t))),
    ),
    "lengths": Kind(
        "sizes",
        lambda n, *ls: (
            f"the words of sentence {n} have {', '.join(map(str, ls))} letters, in this order"
        ),
        _lengths,
    ),
    "lines": Kind(
        "layout",
        lambda n: f"the text has {many(n, 'line')}",
        lambda t, n: t.lines == n,
    ),
    "paragraphs": Kind(
        "layout",
        lambda n: f"the text has {many(n, 'paragraph')}",
        lambda t, n: t.paragraphs == n,
    ),
    "contains": Kind(
        "contains",
        lambda word, n: f"the word '{word}' occurs exactly {n} time{'' if n == 1 else 's'}",
        lambda t, word, n: t.words.count(word) == n,
    ),
    "order": Kind(
        "contains",
        lambda one, other: (
            f"the words '{one}' and '{other}' both occur, '{one}' for the first time before "
            f"'{other}' does"
        ),
        _in_order,
    ),
    "starts": Kind(
        "start",
        lambda word: f"the first word of the text is '{word}'",
        lambda t, word: t.words[:1] == (word,),
    ),
    "ends": Kind(
        "end",
        lambda word: f"the last word of the text is '{word}'",
        lambda t, word: t.words[-1:] == (word,),
    ),
    "round": Kind(
        "end",
        lambda: "the last word of the text is the same as its first word",
        lambda t: len(t.words) > 1 and t.words[0] == t.words[-1],
    ),
    "counted": Kind(
        "end",
        lambda: "the last word of the text has as many letters as the text has sentences",
        lambda t: bool(t.words) and len(t.words[-1]) == len(t.sentences),
    ),
    "echo": Kind(
        "start",
        lambda: "the first sentence has as many words as its first word has letters",
        lambda t: bool(t.words) and len(t.sentences[0]) == len(t.words[0]),
    ),
    "position": Kind(
        "position",
        lambda n, word: f"word number {n} of the text, counted from 1, is '{word}'",
        lambda t, n, word: t.words[n - 1 : n] == (word,),
    ),
    "avoids": Kind(
        "letters",
        lambda letter: f"the letter '{letter}' does not occur",
        lambda t, letter: letter not in t.raw.lower(),
    ),
    "letter count": Kind(
        "letters",
        lambda letter, n: f"the letter '{letter}' occurs exactly {n} times",
        lambda t, letter, n: t.raw.lower().count(letter) == n,
    ),
    "initial count": Kind(
        "initials",
        lambda letter, n: f"{many(n, 'word')} of the text begin{'s' * (n == 1)} with '{letter}'",
        lambda t, letter, n: sum(word[0] == letter for word in t.words) == n,
    ),
    "final letter": Kind(
        "finals",
        lambda letter: f"the last word of every sentence ends with '{letter}'",
        lambda t, letter: all(sentence[-1][-1].lower() == letter for sentence in t.sentences),
    ),
    "linked": Kind(
        "flow",
        lambda: "every sentence but the first begins with the last word of the one before it",
        _linked,
    ),
    "alphabetical": Kind(
        "flow",
        lambda: "within every sentence the words are in alphabetical order",
        lambda t: all(sentence == sorted(sentence) for sentence in lowered(t)),
    ),
    "rising": Kind(
        "flow",
        lambda: "within every sentence no word is shorter than the one before it",
        lambda t: all(len(a) <= len(b) for s in t.sentences for a, b in pairwise(s)),
    ),
    "distinct": Kind(
        "repeats",
        lambda: "no word occurs twice",
        lambda t: len(set(t.words)) == len(t.words),
    ),
    "longest": Kind(
        "word size",
        lambda n: f"no word has more than {n} letters",
        lambda t, n: all(len(word) <= n for word in t.words),
    ),
    "shortest": Kind(
        "word size",
        lambda n: f"every word has at least {n} letters",
        lambda t, n: all(len(word) >= n for word in t.words),
    ),
    "lowercase": Kind(
        "case",
        lambda: "there are no capital letters",
        lambda t: t.raw == t.raw.lower(),
    ),
    "capitals": Kind(
        "case",
        lambda: "the first letter of every sentence is a capital, and all others are lowercase",
        _capitals,
    ),
    "commas": Kind(
        "commas",
        lambda n: f"there {'is' if n == 1 else 'are'} {many(n, 'comma')}",
        lambda t, n: t.raw.count(",") == n,
    ),
    "questions": Kind(
        "questions",
        lambda n: f"the character '?' occurs exactly {n} time{'' if n == 1 else 's'}",
        lambda t, n: t.raw.count("?") == n,
    ),
    "digits": Kind(
        "digits",
        lambda n: f"the text has {many(n, 'digit')}",
        lambda t, n: sum(map(t.raw.count, "0123456789")) == n,
    ),
    "stated": Kind(
        "digits",
        lambda: "the text has one number in digits, which is the number of words of the text",
        lambda t: _NUMBER.findall(t.raw) == [str(len(t.words))],
    ),
}
"""All types of constraints: family, wording as a clause, and check, the latter two for values."""

CHAINED = (
    "sentences as letters", "backward acrostic", "growing", "round", "counted", "echo", "linked",
    "stated",
)  # fmt: skip
"""Constraints by which one part of a text depends on another, or on a count."""


def as_text(rule: Rule) -> str:
    """A constraint in words, as a clause.

    >>> as_text(Rule("words", (5,)))
    'the text has exactly 5 words'
    """
    return KINDS[rule.constraint].wording(*rule.values)


def kept(rule: Rule, text: Text) -> bool:
    """Whether a text satisfies a constraint.

    >>> kept(Rule("round"), Text.of("No means no."))
    True
    """
    return KINDS[rule.constraint].kept(text, *rule.values)


CONDITIONS: dict[str, tuple[str, Callable[..., bool]]] = {
    "divisible": ("{} is divisible by {}", lambda n, k: n % k == 0),
    "digit sum": (
        "the digits of {} add up to more than {}",
        lambda n, k: sum(map(int, str(n))) > k,
    ),
    "before": ("'{}' comes before '{}' in alphabetical order", lambda one, other: one < other),
    "longer": ("'{}' has more letters than '{}'", lambda one, other: len(one) > len(other)),
    "vowels": (
        "the number of vowels (a, e, i, o, u) in '{}' is {}",
        lambda word, n: sum(map(word.count, "aeiou")) == n,
    ),
    "holds": ("'{}' has the letter '{}'", lambda word, letter: letter in word),
}
"""Conditions about words and numbers: the wording, and the check."""


class Branch(NamedTuple):
    """One constraint if a condition is true, another one otherwise."""

    condition: Rule
    then: Rule
    otherwise: Rule

    def active(self) -> Rule:
        """The constraint that the condition selects."""
        name, values = self.condition
        return self.then if CONDITIONS[name][1](*values) else self.otherwise

    def as_text(self) -> str:
        """The branch in words."""
        name, values = self.condition
        condition = CONDITIONS[name][0].format(*values)
        return f"if {condition}, then {as_text(self.then)}; otherwise {as_text(self.otherwise)}"
