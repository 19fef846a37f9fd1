"""What the values of an instruction may be, and how they are put in a sentence."""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from palaestra.verifiers.instructions.text import written
from palaestra.verifiers.instructions.visible import looks, visible

Plain = int | str | tuple[str, ...]
"""A value of an instruction."""

_TAG = re.compile(r"[A-Za-z0-9+#._-]{1,20}", re.ASCII)


class Value(Protocol):
    """What a value may be."""

    @property
    def description(self) -> str:
        """What it may be, in words."""
        ...

    def read(self, value: object) -> Plain | None:
        """Return the value in its plain form, or ``None`` if it is invalid."""
        ...


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number within bounds."""

    low: int
    high: int

    @property
    def description(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def read(self, value: object) -> int | None:
        whole = isinstance(value, int) and not isinstance(value, bool)
        return value if whole and self.low <= value <= self.high else None  # type: ignore[return-value,operator]


@dataclass(frozen=True, slots=True)
class Word:
    """A single word."""

    description: str = "one word of up to 40 characters"

    def read(self, value: object) -> str | None:
        fits = isinstance(value, str) and len(value) <= 40 and written(value) == [value]
        return value if fits else None  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Letter:
    """A small letter without accent; of one alphabet or another."""

    description: str = "one small letter"

    def read(self, value: object) -> str | None:
        if not (isinstance(value, str) and len(value) == 1 and value.isalpha()):
            return None
        return value if value == value.lower() == unicodedata.normalize("NFKD", value) else None


@dataclass(frozen=True, slots=True)
class Letters:
    """The small letters a to z that something is to spell."""

    low: int
    high: int

    @property
    def description(self) -> str:
        return f"from {self.low} to {self.high} small letters a to z"

    def read(self, value: object) -> str | None:
        if not (isinstance(value, str) and self.low <= len(value) <= self.high):
            return None
        return value if value.isascii() and value.isalpha() and value.islower() else None


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text in one line, all of which is seen."""

    longest: int

    @property
    def description(self) -> str:
        return f"a visible text in one line of up to {self.longest} characters"

    def read(self, value: object) -> str | None:
        if not (isinstance(value, str) and 0 < len(value) <= self.longest):
            return None
        return value if value == " ".join(visible(value).split()) else None


@dataclass(frozen=True, slots=True)
class Sign:
    """A character that is neither letter nor digit nor space."""

    description: str = "one sign that is no letter, digit or blank"

    def read(self, value: object) -> str | None:
        if not (isinstance(value, str) and len(value) == 1):
            return None
        return value if unicodedata.category(value)[0] in "PS" else None


@dataclass(frozen=True, slots=True)
class Tag:
    """The name of a programming language, as it follows a fence."""

    description: str = "a name of up to 20 letters, digits and signs of + # . _ -"

    def read(self, value: object) -> str | None:
        return value if isinstance(value, str) and _TAG.fullmatch(value) else None


@dataclass(frozen=True, slots=True)
class Several:
    """Several different values of one sort."""

    low: int
    high: int
    each: Value

    @property
    def description(self) -> str:
        return f"from {self.low} to {self.high} different values, each {self.each.description}"

    def read(self, value: object) -> tuple[str, ...] | None:
        if isinstance(value, str) or not isinstance(value, Collection):
            return None
        values = tuple(map(self.each.read, value))
        distinct = {looks(item) for item in values if isinstance(item, str)}
        fits = self.low <= len(values) <= self.high and len(distinct) == len(values)
        return values if fits else None  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words."""

    options: tuple[str, ...]

    @property
    def description(self) -> str:
        return f"one of {', '.join(self.options)}"

    def read(self, value: object) -> str | None:
        return value if isinstance(value, str) and value in self.options else None


class Told(int):
    """A number that counts something when it is formatted: ``f"{Told(2):word}"`` is "2 words"."""

    def __format__(self, unit: str) -> str:
        return f"{int(self)} {unit}{'' if self == 1 else 's'}" if unit else str(int(self))


def in_words(value: Plain) -> object:
    """Write a value for the text of an instruction."""
    if isinstance(value, int):
        return Told(value)
    if isinstance(value, str):
        return value
    quoted = [f"'{item}'" for item in value]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if quoted[1:] else quoted)
