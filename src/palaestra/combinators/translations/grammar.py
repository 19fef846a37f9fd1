"""What the templates of several environments share: names, counted nouns, lists of words."""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

Code = Literal["de", "zh", "es", "ar"]
"""A language by ISO 639-1: German, Chinese in simplified characters, Spanish, Arabic."""

FEMININE = frozenset(
    {"Ada", "Cleo", "Esme", "Gita", "Ines", "Lena", "Nia", "Pia", "Rosa", "Tara", "Vera", "Wren"}
)
"""The names of people with which Arabic words have their feminine forms."""


class Name(str):
    """A person's name. In a template, ``{P:he|she}`` is the form that agrees with it.

    >>> "{P} lost {P:his|her} hat.".format(P=Name("Ada"))
    'Ada lost her hat.'
    """

    __slots__ = ()

    def __format__(self, forms: str) -> str:
        if not forms:
            return str(self)
        masculine, _, feminine = forms.partition("|")
        return feminine if self in FEMININE else masculine


class Counted(NamedTuple):
    """The forms of an Arabic noun with which numbers are counted."""

    singular: str
    dual: str
    """The nominative. The other cases have the ending -ayn in place of -an."""
    plural: str
    accusative: str
    """The accusative singular, which stands with 11 to 99."""
    feminine: bool = False
    """Whether it is feminine although it does not end like it."""

    def with_number(self, number: int, nominative: bool = False) -> str:
        """The noun with a positive number, in the nominative or in one of the other cases.

        >>> Counted("قلم", "قلمان", "أقلام", "قلمًا").with_number(5)
        '5 أقلام'
        """
        if number == 1:
            feminine = self.feminine or self.singular.endswith("ة")
            return f"{self.singular} {'واحدة' if feminine else 'واحد'} (1)"
        if number == 2:
            return f"{self.dual if nominative else self.dual[:-2] + 'ين'} (2)"
        rest = number % 100
        form = self.plural if 3 <= rest <= 10 else self.accusative if rest > 10 else self.singular
        return f"{number} {form}"


_AND = {"de": " und ", "zh": "和", "es": " y ", "ar": " و "}


def listed(code: Code, words: Sequence[str]) -> str:
    """Words in a row, the last one after "and"; in Arabic there is an "and" before each.

    >>> listed("de", ["A", "B", "C"]), listed("zh", ["A", "B"]), listed("es", ["A"])
    ('A, B und C', 'A和B', 'A')
    """
    if code == "ar" or len(words) < 3:
        return _AND[code].join(words)
    return f"{separated(code, words[:-1])}{_AND[code]}{words[-1]}"


def separated(code: Code, words: Sequence[str]) -> str:
    """Words with commas between them, or what the language has for the purpose."""
    return {"zh": "、", "ar": "، "}.get(code, ", ").join(words)


def sentences(code: Code, texts: Sequence[str]) -> str:
    """Sentences one after another; Chinese has no space between them."""
    return ("" if code == "zh" else " ").join(texts)


def upper(sentence: str) -> str:
    """A sentence with a capital first letter.

    >>> upper("ñu y cebra")
    'Ñu y cebra'
    """
    return sentence[:1].upper() + sentence[1:]


_Y = re.compile(r"\by (?=[«(]{0,2}(?:I|Hi|i(?!e)|hi(?!e)))")
_O = re.compile(r"\bo (?=[«(]{0,2}[Oo]\w)")
_WA = re.compile(r"(?<= )و (?=[\d\u0621-\u064a])")


def spelt(code: Code, text: str) -> str:
    """A text in which conjunctions have the form that the next word demands.

    Before their own sound, the Spanish "y" and "o" are "e" and "u". The Arabic "and" is written
    together with Arabic words and numbers.

    >>> spelt("es", "Ada y Ines, Bo o Otto")
    'Ada e Ines, Bo u Otto'
    """
    if code == "es":
        return _O.sub("u ", _Y.sub("e ", text))
    return _WA.sub("و", text) if code == "ar" else text
