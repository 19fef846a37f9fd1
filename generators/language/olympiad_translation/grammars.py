"""Grammars of a class: word order, case by role and tense, agreement, and markers on stems."""

from collections.abc import Iterable, Mapping
from itertools import permutations, product
from typing import Literal, NamedTuple

from palaestra.generators.language.olympiad_translation.meanings import Meaning, Phrase

VOWELS = "aeiou"

LONGEST_MARKER = 3
SHORTEST_STEM = 3

ORDERS = tuple("".join(order) for order in permutations("SOV"))
"""The orders of subject, object and verb."""

GEOMETRIES = ("fgx", "gfx", "fxg", "gxf", "xfg", "xgf")
"""Where the markers of two features stand before or behind a stem, x."""

Alignment = Literal["accusative", "ergative", "ergative past", "ergative present"]
Cases = Literal["none", "plain", "ergative", "split"]

ALIGNMENTS: Mapping[Cases, tuple[Alignment, ...]] = {
    "none": ("accusative",),
    "plain": ("accusative",),
    "ergative": ("accusative", "ergative"),
    "split": ("accusative", "ergative", "ergative past", "ergative present"),
}
"""Which alignments a language may have."""

Cell = tuple[str, int, int]
"""A word that is to be formed: a class and number such as ``n3``, and the values of two features.
For nouns and adjectives these are number and case, for verbs tense and number.
"""


class Features(NamedTuple):
    """What a language may mark, as the question states."""

    number: bool
    cases: Cases
    agreement: bool
    adjectives: bool
    elision: bool
    """Whether a stem loses a final vowel before a suffix that begins with a vowel."""


class Syntax(NamedTuple):
    """How the words of a sentence are ordered and what they agree with."""

    order: str
    adjective_first: bool
    alignment: Alignment
    declined: bool
    """Whether adjectives have the markers of their noun."""
    by_object: bool
    """Whether verbs agree with their object, if there is one."""


class Paradigm(NamedTuple):
    """Stems and the markers of two features."""

    geometry: str
    stems: Mapping[str, str]
    first: tuple[str, ...]
    second: tuple[str, ...]

    def form(self, cell: Cell, elision: bool) -> str:
        """The word of a cell.

        >>> Paradigm("gxf", {"n1": "tamo"}, ("", "is"), ("k", "")).form(("n1", 1, 0), True)
        'ktamis'
        """
        lexeme, f, g = cell
        parts = {"f": self.first[f], "g": self.second[g]}
        before, after = self.geometry.split("x")
        prefix = "".join(parts[each] for each in before)
        suffix = "".join(parts[each] for each in after)
        stem = self.stems[lexeme]
        if elision and stem[-1] in VOWELS and suffix[:1] in {*VOWELS}:
            stem = stem[:-1]
        return prefix + stem + suffix


class Grammar(NamedTuple):
    """A language."""

    syntax: Syntax
    nouns: Paradigm
    verbs: Paradigm


def syntaxes(features: Features) -> Iterable[Syntax]:
    """All syntaxes of the class."""
    some = (True, False)
    return (
        Syntax(*values)
        for values in product(
            ORDERS,
            some if features.adjectives else (True,),
            ALIGNMENTS[features.cases],
            some if features.adjectives else (False,),
            some if features.agreement else (False,),
        )
    )


def case(alignment: Alignment, role: str, tense: int, transitive: bool) -> int:
    """The case of a subject (S) or object (O): 0 or 1."""
    ergative = alignment == "ergative" or alignment == ("ergative present", "ergative past")[tense]
    if role == "O":
        return 0 if ergative else 1
    return int(ergative and transitive)


def cells(features: Features, syntax: Syntax, meaning: Meaning) -> list[Cell]:
    """The words of a sentence in their order; without markers, both values are -1."""
    transitive = meaning.object is not None
    groups: dict[str, list[Cell]] = {"O": []}
    for role, phrase in zip("SO", meaning.phrases):
        value = case(syntax.alignment, role, meaning.tense, transitive)
        value = 0 if features.cases == "none" else value
        noun = (f"n{phrase.noun}", phrase.number, value)
        words = [noun]
        if phrase.adjective >= 0:
            marks = noun[1:] if syntax.declined else (-1, -1)
            words.insert(0 if syntax.adjective_first else 1, (f"a{phrase.adjective}", *marks))
        groups[role] = words
    controller: Phrase = meaning.phrases[-1] if syntax.by_object else meaning.subject
    number = controller.number if features.agreement else 0
    groups["V"] = [(f"v{meaning.verb}", meaning.tense, number)]
    return [cell for part in syntax.order for cell in groups[part]]


def word(features: Features, grammar: Grammar, cell: Cell) -> str:
    """A cell as a word of a language."""
    paradigm = grammar.verbs if cell[0][0] == "v" else grammar.nouns
    if cell[1] < 0:
        return paradigm.stems[cell[0]]
    return paradigm.form(cell, features.elision)


def translated(features: Features, grammar: Grammar, meaning: Meaning) -> str:
    """A meaning as a sentence of a language."""
    listed = cells(features, grammar.syntax, meaning)
    return " ".join(word(features, grammar, cell) for cell in listed)
