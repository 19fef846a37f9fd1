"""Handbooks of invented measures, which are defined by each other, with meanings that hold in a
chapter or a section alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.fiction import background, mixed, paragraphs, world
from palaestra.generators.vocabulary import VOWELS, changed, words
from palaestra.rng import Rng

Operation = Literal["number", "more", "less", "double", "sum", "difference", "larger", "smaller"]

OPERATIONS: tuple[Operation, ...] = (
    "more", "less", "double", "sum", "sum", "difference", "difference", "larger", "smaller",
)  # fmt: skip

BOUND = 9_999
"""The largest size of the value of a question."""

SHARE = 0.5
"""The share of the text around the definitions of a task that is definitions, too."""

Section = tuple[int, int]
"""The number of a chapter, and that of a section in it, from 1. As a scope, a section of 0 is the
whole chapter, and a chapter of 0 the whole book.
"""

BOOK: Section = (0, 0)


class Definition(NamedTuple):
    """What a measure is in a part of a book."""

    term: int
    scope: Section
    location: Section
    """The section in which it is written, where the measures that it names have their meaning."""
    operation: Operation
    operands: tuple[int, ...]
    number: int


Book = tuple[Definition, ...]
"""Definitions in the order of the text."""

Table = Mapping[tuple[int, Section], Definition]
"""Definitions by term and scope."""

Lookup = Callable[[int, Section], Definition]
"""The definition of a term that applies in a section."""


class Question(NamedTuple):
    """The value of a term in a section."""

    term: int
    section: Section


def sections(chapters: int, each: int) -> list[Section]:
    """The sections of a book in order."""
    return [*product(range(1, chapters + 1), range(1, each + 1))]


def random_book(
    rng: Random, shape: Sequence[Section], depth: int, breadth: int, narrow: int
) -> Book:
    """A book of ``depth`` layers of measures above those that are numbers, ``breadth`` in each.

    Each measure has a meaning in all of the book and up to ``narrow`` ones in parts of it, and is
    defined by measures of lower layers, one of which is of the next lower layer.
    """
    definitions = list[Definition]()
    for term in range((depth + 1) * breadth):
        lower = term // breadth * breadth
        scopes = {BOOK: None}
        for _ in range(narrow):
            chapter, section = rng.choice(shape)
            scopes[chapter, rng.choice((0, section))] = None
        for scope in scopes:
            inside = [each for each in shape if _holds(scope, each)]
            operation: Operation = rng.choice(OPERATIONS) if lower else "number"
            first = rng.randrange(lower - breadth, lower) if lower else 0
            others = [n for n in range(lower) if n != first]
            operands: tuple[int, ...] = (first,)
            if operation == "number":
                operands = ()
            elif operation in {"sum", "difference", "larger", "smaller"}:
                operands = tuple(rng.sample((first, rng.choice(others)), 2))
            number = 0
            if operation in {"number", "more", "less"}:
                number = rng.randint(11, 99)
            definitions.append(
                Definition(term, scope, rng.choice(inside), operation, operands, number)
            )
    rng.shuffle(definitions)
    return tuple(sorted(definitions, key=lambda each: each.location))


def _holds(scope: Section, section: Section) -> bool:
    """Whether a section is in a scope."""
    return scope[0] in (0, section[0]) and scope[1] in (0, section[1])


def by_scope(book: Book) -> Table:
    """The definitions by term and scope."""
    return {(each.term, each.scope): each for each in book}


def narrowest(table: Table, term: int, section: Section) -> Definition:
    """The definition of a term that applies in a section: the one with the narrowest scope."""
    scopes = (section, (section[0], 0), BOOK)
    return next(table[term, scope] for scope in scopes if (term, scope) in table)


def applied(definition: Definition, values: Sequence[int]) -> int:
    """The value of a definition, from those of the measures that it names."""
    number = definition.number
    match definition.operation:
        case "number":
            return number
        case "more":
            return values[0] + number
        case "less":
            return values[0] - number
        case "double":
            return 2 * values[0]
        case "sum":
            return values[0] + values[1]
        case "difference":
            return values[0] - values[1]
        case "larger":
            return max(values)
        case "smaller":
            return min(values)


class Reader:
    """Looks definitions up and works their values out, once for each term and section."""

    def __init__(self, lookup: Lookup, stays: bool = False) -> None:
        self.lookup, self.stays = lookup, stays
        """``stays``: the meaning of all measures is that in the section of the question."""
        self.known: dict[tuple[int, Section], int] = {}

    def value(self, term: int, section: Section) -> int:
        """The value of a term in a section."""
        key = term, section
        if key not in self.known:
            definition = self.lookup(term, section)
            at = section if self.stays else definition.location
            values = [self.value(each, at) for each in definition.operands]
            self.known[key] = applied(definition, values)
        return self.known[key]


def proper_reader(book: Book) -> Reader:
    """A reader by the rules."""
    table = by_scope(book)
    return Reader(lambda term, section: narrowest(table, term, section))


def careless_readers(book: Book) -> Mapping[str, Reader]:
    """Readers who mistake where a meaning holds, by name."""
    table = by_scope(book)
    first = {each.term: each for each in reversed(book)}
    last = {each.term: each for each in book}
    return {
        "meaning in the section asked about": Reader(
            lambda term, section: narrowest(table, term, section), stays=True
        ),
        "meaning in the whole book": Reader(lambda term, section: table[term, BOOK]),
        "first definition": Reader(lambda term, section: first[term]),
        "last definition": Reader(lambda term, section: last[term]),
    }


def random_questions(
    rng: Random, book: Book, shape: Sequence[Section], terms: Sequence[int], number: int
) -> tuple[Question, ...]:
    """Questions about different terms, if possible those that all careless readers get wrong."""
    reader, careless = proper_reader(book), careless_readers(book).values()
    best = list[tuple[int, Question]]()
    for term in rng.sample(terms, len(terms)):
        candidates = [
            (sum(each.value(term, section) == value for each in careless), Question(term, section))
            for section in rng.sample(shape, len(shape))
            if abs(value := reader.value(term, section)) <= BOUND
        ]
        if candidates:
            best.append(min(candidates, key=lambda pair: pair[0]))
    best.sort(key=lambda pair: pair[0])
    return tuple(question for _, question in best[:number])


def layered_values(book: Book, shape: Sequence[Section]) -> Mapping[tuple[int, Section], int]:
    """The values of all terms in all sections, from the lowest term upwards."""
    values: dict[tuple[int, Section], int] = {}
    meanings = sorted(book, key=lambda each: (each.term, sum(map(bool, each.scope))))
    for each in meanings:  # those of narrower scopes come later, and replace wider ones
        value = applied(each, [values[term, each.location] for term in each.operands])
        values |= {(each.term, s): value for s in shape if _holds(each.scope, s)}
    return values


SCOPES = (
    ("Throughout this book", "In the whole book", "In all chapters"),
    ("In this chapter", "Within this chapter", "For the present chapter"),
    ("In this section", "Within this section", "For the present section"),
)
"""The words for a book, a chapter and a section."""

MEANINGS: Mapping[Operation, tuple[str, ...]] = {
    "number": ("{0} is {n} grains", "{n} grains are called {0}"),
    "more": ("{0} is {n} grains more than {1}", "{0} exceeds {1} by {n} grains"),
    "less": ("{0} is {n} grains less than {1}", "{0} falls short of {1} by {n} grains"),
    "double": ("{0} is twice {1}", "{0} is double {1}"),
    "sum": ("{0} is {1} and {2} together", "{1} and {2} together make up {0}"),
    "difference": ("{0} is {1} minus {2}", "{0} is what remains of {1} without {2}"),
    "larger": ("{0} is the larger of {1} and {2}", "{0} is {1} or {2}, whichever is larger"),
    "smaller": ("{0} is the smaller of {1} and {2}", "{0} is {1} or {2}, whichever is smaller"),
}


def article(noun: str) -> str:
    """A noun with its indefinite article.

    >>> article("udor")
    'an udor'
    """
    return f"{'an' if noun[0] in VOWELS else 'a'} {noun}"


def sentence(definition: Definition, names: Sequence[str], style: int) -> str:
    """A definition in words.

    >>> sentence(Definition(0, (1, 0), (1, 2), "more", (1,), 7), ["udor", "zakan"], 0)
    'In this chapter, an udor is 7 grains more than a zakan.'
    """
    scopes = SCOPES[sum(map(bool, definition.scope))]
    meanings = MEANINGS[definition.operation]
    shown = [article(names[term]) for term in (definition.term, *definition.operands)]
    meaning = meanings[style // len(scopes) % len(meanings)].format(*shown, n=definition.number)
    return f"{scopes[style % len(scopes)]}, {meaning}."


def names_of(rng: Random, number: int) -> tuple[str, ...]:
    """Invented names, about half of which differ from another one in a letter."""
    names: dict[str, None] = {}
    for name in words(rng, number, 5, 7):
        names[name] = None
        if rng.random() < 0.5:
            names[changed(rng, name)] = None
    return tuple(names)[:number]


def other_definitions(rng: Random, names: Sequence[str], characters: int) -> Iterator[str]:
    """Definitions of other measures, by each other, most of whose names are near to ``names``."""
    known, count = set(names), len(names)
    others = list[str]()
    wide = list[int]()  # those that hold in the whole book, which all definitions may name
    while characters > 0:
        name = changed(rng, changed(rng, names[len(others) % count]))
        if len(others) > 4 * count:
            name += rng.choice("lmnrst") + rng.choice(VOWELS)
        if name in known:
            name += rng.choice("lmnrst") + rng.choice(VOWELS) + rng.choice("lmnrst")
        if name in known:
            continue
        known.add(name)
        others.append(name)
        operation: Operation = rng.choice(OPERATIONS) if len(wide) > 1 else "number"
        size = {"number": 0, "more": 1, "less": 1, "double": 1}.get(operation, 2)
        operands = rng.sample(wide, size)
        scope = rng.choice((BOOK, (1, 0), (1, 1)))
        if scope == BOOK:
            wide.append(len(others) - 1)
        definition = Definition(
            len(others) - 1, scope, (1, 1), operation, tuple(operands), rng.randint(11, 99)
        )
        text = sentence(definition, others, rng.getrandbits(8))
        characters -= len(text) + 1
        yield text


@lru_cache(maxsize=16)
def text_of(
    book: Book, names: tuple[str, ...], shape: tuple[Section, ...], seed: int, characters: int
) -> str:
    """The text of a book with about so many characters: its definitions, others and reports."""
    rng = Rng(f"{seed} text")
    own: dict[Section, list[str]] = {section: [] for section in shape}
    for each in book:
        own[each.location].append(sentence(each, names, rng.getrandbits(8)))
    length = sum(len(text) + 1 for texts in own.values() for text in texts)
    rest = characters - length - 16 * len(shape)
    around = [*other_definitions(rng, names, int(SHARE * rest))]
    around += background(rng, world(seed), int((1 - SHARE) * rest))
    rng.shuffle(around)
    parts, start = list[str](), 0
    for n, (section, texts) in enumerate(own.items(), 1):
        end = len(around) * n // len(shape)
        text = paragraphs(rng, mixed(rng, texts, around[start:end]))
        parts.append(f"Section {section[0]}.{section[1]}\n\n{text}")
        start = end
    return "\n\n".join(parts)
