"""One instruction about a text: its kind and values, how it is put, and whether a text keeps it."""

import math
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from palaestra.verifiers.instructions import (  # noqa: F401  # they enter the kinds
    blocks,
    formats,
    lengths,
    letters,
    scripts,
    shapes,
    signs,
    structure,
    vocabulary,
)
from palaestra.verifiers.instructions.registry import KINDS, Implied, Kind
from palaestra.verifiers.instructions.text import Text
from palaestra.verifiers.instructions.values import Plain, in_words
from palaestra.verifiers.verifier import GoldError

LARGER = (
    ("palindromes", "distinct_words"),
    ("paragraphs", "sentences"),
    ("paragraphs", "lines"),
    ("bullets", "lines"),
    ("headings", "lines"),
    ("sentences", "words"),
    ("distinct_words", "words"),
    ("capital_words", "words"),
    ("capital_words", "capital letters"),
    ("words", "characters"),
    ("lines", "characters"),
    ("digits", "characters"),
)
"""Measures, and others of which there is at least as much; in an order that can be gone through."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Instruction:
    """An instruction of one kind; :data:`~palaestra.verifiers.instructions.KINDS` has them all.

    Raises :class:`~palaestra.verifiers.verifier.GoldError` for a kind that there is not, and for a
    value that is missing, too many, or out of its bounds.

    >>> short = Instruction("words_at_most", n=5)
    >>> short.text(), short.kept("Brevity is wit.")
    ('Use at most 5 words.', True)
    >>> short.violation("It is too long by one word.")
    'it has 7 words'
    >>> Instruction("ascy")
    Traceback (most recent call last):
      ...
    palaestra.verifiers.verifier.GoldError: there is no kind 'ascy' (did you mean ascii)
    """

    kind: str
    values: tuple[tuple[str, Plain], ...]

    def __init__(self, kind: str, **values: Any) -> None:
        entry = _kind(kind)
        for name in sorted(values.keys() - entry.values.keys()):
            takes = ", ".join(entry.values) or "none"
            raise GoldError(f"{kind} has no value {name!r}; it takes {takes}")
        read = tuple((name, _value(entry, name, values.get(name))) for name in entry.values)
        low, high = values.get("low", 0), values.get("high", math.inf)
        if low > high:
            raise GoldError(f"{kind}: low is {low}, which is more than high, {high}")
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "values", read)

    def __repr__(self) -> str:
        values = "".join(f", {name}={value!r}" for name, value in self.values)
        return f"Instruction({self.kind!r}{values})"

    def text(self, wording: int = 0) -> str:
        """How it is put to a player, in one of two ways or more."""
        entry = KINDS[self.kind]
        shown = {name: in_words(value) for name, value in self.values}
        return entry.wordings[wording % len(entry.wordings)].format(**shown)

    def violation(self, text: str | Text) -> str:
        """Describe how a text violates the instruction; empty if it follows it."""
        taken = text if isinstance(text, Text) else Text(text)
        return KINDS[self.kind].violation(taken, **dict(self.values))

    def kept(self, text: str | Text) -> bool:
        """Whether a text follows it."""
        return not self.violation(text)


@lru_cache(maxsize=4_096)
def implied(instruction: Instruction) -> Implied:
    """What an instruction settles, with what follows from that for larger measures."""
    mapping = dict(KINDS[instruction.kind].implies(**dict(instruction.values)))
    for name, larger in LARGER:
        small, large = mapping.get(name, ""), mapping.get(larger, (0, math.inf))
        if not isinstance(small, str) and not isinstance(large, str) and small[0] > large[0]:
            mapping[larger] = (small[0], large[1])
    return mapping


def _kind(name: str) -> Kind:
    if name not in KINDS:
        near = get_close_matches(name, KINDS, 3, 0.5)
        known = f" (did you mean {' or '.join(near)})" if near else ""
        raise GoldError(f"there is no kind {name!r}{known}")
    return KINDS[name]


def _value(entry: Kind, name: str, value: object) -> Plain:
    read = entry.values[name].read(value)
    if read is None:
        raise GoldError(
            f"{entry.name}: {name} is {entry.values[name].description}, not {value!r:.80}"
        )
    return read


def conflicts(one: Instruction, other: Instruction) -> str:
    """Return why no text can follow both instructions, if that is evident; empty otherwise.

    >>> conflicts(Instruction("no_commas"), Instruction("commas_exactly", n=2))
    "'Use no commas.' and 'Use exactly 2 commas.' cannot both be followed (commas)"
    >>> conflicts(Instruction("lipogram", letter="e"), Instruction("first_word", word="The"))[-10:]
    '(letter e)'
    """
    first, second = implied(one), implied(other)
    for name in sorted(first.keys() & second.keys()):
        if _apart(first[name], second[name]):
            return f"{one.text()!r} and {other.text()!r} cannot both be followed ({name})"
    return ""


def _apart(one: tuple[float, float] | str, other: tuple[float, float] | str) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one != other
    return max(one[0], other[0]) > min(one[1], other[1])
