"""Scenes of objects in a row, a small language of rules about them, and rules that fit two sets."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise, product
from random import Random
from typing import Literal, NamedTuple

from palaestra.task import InvalidAnswer

ATTRIBUTES: tuple[tuple[str, ...], ...] = (
    ("red", "green", "blue", "white"),
    ("circle", "square", "triangle", "star"),
    ("small", "large"),
)
"""The values of colour, shape and size, of which a task uses the first ones."""

MOST = 3
"""The largest number that a rule compares a count with."""

NUMBERS = tuple(str(number) for number in range(1, MOST + 1))

WIDEST = 2
"""How many values the property of a count may have."""

POOL = 90
"""From how many scenes those of a task are chosen."""

Object = tuple[int, ...]
"""The value of each attribute."""

Row = tuple[Object, ...]
"""The objects of a scene, from left to right."""

Property = tuple[int, ...]
"""The value of each attribute that an object has to have, or -1."""

Form = Literal["count", "more", "before", "next"]


class Atom(NamedTuple):
    """A statement about a scene: a count is at least ``number``, there are more objects with a
    property than with another one, or one stands before another one, or directly before it.
    """

    form: Form
    one: Property
    other: Property = ()
    number: int = 0


class Term(NamedTuple):
    """An atom, or its negation."""

    atom: Atom
    positive: bool


Formula = Term | tuple[Literal["and", "or"], "Formula", "Formula"]
"""A rule."""

Sizes = tuple[int, ...]
"""How many values of each attribute there are."""


def properties(sizes: Sizes, wide: bool) -> Iterator[Property]:
    """What an object may be said to be: a value of one attribute, or of two where ``wide``."""
    for fixed in range(1, (WIDEST if wide else 1) + 1):
        for chosen in combinations(range(len(sizes)), fixed):
            ranges = [range(size) if n in chosen else (-1,) for n, size in enumerate(sizes)]
            yield from product(*ranges)


@lru_cache(maxsize=32)
def atoms(sizes: Sizes, forms: tuple[Form, ...]) -> tuple[Atom, ...]:
    """The atoms of the language. Counts are of one or two values, relations of one."""
    simple = [*properties(sizes, wide=False)]
    result = [
        Atom("count", each, (), number)
        for each in properties(sizes, wide=True)
        for number in range(1, MOST + 1)
    ]
    for form in forms:
        if form != "count":
            pairs = product(simple, repeat=2)
            result += [Atom(form, a, b) for a, b in pairs if form != "more" or a != b]
    return tuple(result)


def has(thing: Object, wanted: Property) -> bool:
    """Whether an object has a property."""
    for own, value in zip(thing, wanted):  # noqa: SIM110 - three times as fast as all()
        if value not in (-1, own):
            return False
    return True


def positions(row: Row, wanted: Property) -> list[int]:
    """Which objects of a scene have a property."""
    return [n for n, thing in enumerate(row) if has(thing, wanted)]


def truth(atom: Atom, first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether an atom is true, from the positions of the objects with its properties."""
    if atom.form == "count":
        return len(first) >= atom.number
    if atom.form == "more":
        return len(first) > len(second)
    if atom.form == "before":
        return bool(first and second) and first[0] < second[-1]
    return any(n + 1 in second for n in first)


def holds(atom: Atom, row: Row) -> bool:
    """Whether an atom is true of a scene."""
    second = positions(row, atom.other) if atom.other else ()
    return truth(atom, positions(row, atom.one), second)


def satisfies(formula: Formula, row: Row) -> bool:
    """Whether a rule is true of a scene."""
    if isinstance(formula, Term):
        return holds(formula.atom, row) == formula.positive
    word, left, right = formula
    if word == "and":
        return satisfies(left, row) and satisfies(right, row)
    return satisfies(left, row) or satisfies(right, row)


def is_true_by_pairs(formula: Formula, row: Row) -> bool:
    """Whether a rule is true of a scene: a second opinion, from all pairs of objects."""
    if not isinstance(formula, Term):
        parts = (is_true_by_pairs(part, row) for part in formula[1:])
        return all(parts) if formula[0] == "and" else any(parts)
    form, one, other, number = formula.atom
    if form == "count":
        value = sum(has(thing, one) for thing in row) >= number
    elif form == "more":
        value = sum(has(thing, one) - has(thing, other) for thing in row) > 0
    else:
        pairs = [*combinations(row, 2)] if form == "before" else [*pairwise(row)]
        value = any(has(a, one) and has(b, other) for a, b in pairs)
    return value == formula.positive


def size(formula: Formula) -> int:
    """The number of atoms of a rule."""
    return 1 if isinstance(formula, Term) else size(formula[1]) + size(formula[2])


def property_text(wanted: Property) -> str:
    """A property in words: size, colour, shape.

    >>> property_text((0, 1, -1))
    'red square'
    """
    order = (2, 0, 1)
    return " ".join(ATTRIBUTES[n][wanted[n]] for n in order if n < len(wanted) and wanted[n] >= 0)


def term_text(term: Term) -> str:
    """A term as it is written in a rule.

    >>> term_text(Term(Atom("count", (0, -1), (), 2), False))
    'not count(red) >= 2'
    """
    one, other = property_text(term.atom.one), property_text(term.atom.other)
    text = {
        "count": f"count({one}) >= {term.atom.number}",
        "more": f"count({one}) > count({other})",
        "before": f"before({one}, {other})",
        "next": f"next({one}, {other})",
    }[term.atom.form]
    return text if term.positive else f"not {text}"


def as_text(formula: Formula, inner: bool = False) -> str:
    """A rule as text."""
    if isinstance(formula, Term):
        return term_text(formula)
    text = f"{as_text(formula[1], inner=True)} {formula[0]} {as_text(formula[2], inner=True)}"
    return f"({text})" if inner else text


_TOKEN = re.compile(r"\s*([a-z]+|\d{1,3}|>=|>|[(),])")
_LONGEST = 2_000
_SIGNS: Mapping[str, str] = {
    "\\geq": ">=", "\\ge": ">=", "\u2265": ">=", "\\gt": ">",
    "\\lnot": " not ", "\\neg": " not ", "\u00ac": " not ", "!": " not ",
    "\\land": " and ", "\\wedge": " and ", "\u2227": " and ", "&&": " and ", "&": " and ",
    "\\lor": " or ", "\\vee": " or ", "\u2228": " or ", "||": " or ", "|": " or ",
    "\\left": " ", "\\right": " ", "\\,": " ", "\\ ": " ",
    "[": "(", "]": ")", "{": "(", "}": ")",
}  # fmt: skip
"""Other ways to write the signs of the language."""

_SIGN = re.compile("|".join(map(re.escape, sorted(_SIGNS, key=len, reverse=True))))
WRITTEN: Mapping[Form, str] = {
    "count": "count(P) >= n", "before": "before(A, B)", "next": "next(A, B)",
    "more": "count(A) > count(B)",
}  # fmt: skip
"""The atoms as they are written, with letters for properties and a number."""


class _Parser:
    """Reads a rule from left to right; 'and' binds more tightly than 'or'."""

    def __init__(self, text: str, sizes: Sizes, forms: Sequence[Form]) -> None:
        self.tokens, end = list[str](), 0
        self.forms = forms
        text = _SIGN.sub(lambda match: _SIGNS[match[0]], text.casefold()).strip().rstrip(". ")
        if len(text) > _LONGEST:
            raise InvalidAnswer(f"a rule has at most {_LONGEST} characters", "limit")
        while end < len(text):
            match = _TOKEN.match(text, end)
            if not match:
                raise InvalidAnswer("expected a rule in the language of the question")
            self.tokens.append(match[1])
            end = match.end()
        self.at, self.depth = 0, 0
        self.values = {
            word: (n, value)
            for n, words in enumerate(ATTRIBUTES[: len(sizes)])
            for value, word in enumerate(words[: sizes[n]])
        }
        shapes = ATTRIBUTES[1][: sizes[1]]
        self.values |= {f"{shape}s": self.values[shape] for shape in shapes}
        self.attributes = len(sizes)

    @property
    def next(self) -> str:
        """The next token, or nothing at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        """Read a token, one of these if there are any."""
        token = self.next
        if not token or (wanted and token not in wanted):
            raise InvalidAnswer(f"expected {' or '.join(wanted) or 'more'} in the rule")
        self.at += 1
        return token

    def joined(self, word: Literal["and", "or"], part: Callable[[], Formula]) -> Formula:
        """Parts with a word between them."""
        formula = part()
        while self.next == word:
            self.take()
            formula = (word, formula, part())
        return formula

    def formula(self) -> Formula:
        """A rule, or a part of one in brackets."""
        self.depth += 1
        if self.depth > 50:
            raise InvalidAnswer("a rule has at most 50 levels of brackets", "limit")
        formula = self.joined("or", lambda: self.joined("and", self.part))
        self.depth -= 1
        return formula

    def part(self) -> Formula:
        """An atom, a negation or a part in brackets."""
        positive = True
        while self.next == "not":
            self.take()
            positive = not positive
        if self.next == "(":
            self.take()
            formula = self.formula()
            self.take(")")
            return formula if positive else negated(formula)
        return Term(self.atom(), positive)

    def refusal(self) -> InvalidAnswer:
        """What atoms the language has."""
        return InvalidAnswer(f"each atom is {' or '.join(WRITTEN[form] for form in self.forms)}")

    def atom(self) -> Atom:
        """An atom."""
        word = self.next
        if word not in {"count", *self.forms} - {"more"}:
            raise self.refusal()
        self.take()
        self.take("(")
        one = self.property()
        if word != "count":
            self.take(",")
            other = self.property()
            self.take(")")
            self.check_single(one, other)
            return Atom("before" if word == "before" else "next", one, other)
        self.take(")")
        if self.next not in {">=", ">"} or (self.next == ">" and "more" not in self.forms):
            raise self.refusal()
        if self.take() == ">=":
            return Atom("count", one, (), self.number(one))
        self.take("count")
        self.take("(")
        other = self.property()
        self.take(")")
        self.check_single(one, other)
        return Atom("more", one, other)

    def number(self, one: Property) -> int:
        """The number behind ``>=``, beside a property of up to two values."""
        text = self.take()
        if not text.isdecimal() or not 1 <= int(text) <= MOST:
            raise InvalidAnswer(f"the number behind >= is one of {', '.join(NUMBERS)}")
        if values_of(one) > WIDEST:
            raise InvalidAnswer(f"a count is of objects with at most {WIDEST} values")
        return int(text)

    def check_single(self, *both: Property) -> None:
        """Refuse properties of several values."""
        if max(map(values_of, both)) > 1:
            raise InvalidAnswer("only count(P) >= n takes values of two attributes together")

    def property(self) -> Property:
        """One or more values of different attributes."""
        wanted = [-1] * self.attributes
        while self.next in self.values:
            attribute, value = self.values[self.take()]
            if wanted[attribute] >= 0:
                raise InvalidAnswer("a property has two values of one attribute")
            wanted[attribute] = value
        if max(wanted) < 0:
            raise InvalidAnswer("expected a value of an attribute, such as 'red'")
        return tuple(wanted)


def values_of(wanted: Property) -> int:
    """How many values a property has.

    >>> values_of((0, -1, 1))
    2
    """
    return sum(value >= 0 for value in wanted)


def negated(formula: Formula) -> Formula:
    """The negation of a rule, by Augustus De Morgan's laws."""
    if isinstance(formula, Term):
        return formula._replace(positive=not formula.positive)
    return ("or" if formula[0] == "and" else "and", negated(formula[1]), negated(formula[2]))


def parsed(text: str, sizes: Sizes, forms: Sequence[Form]) -> Formula:
    """Read a rule whose atoms have these forms. Raises :class:`InvalidAnswer` for any other text.

    >>> as_text(parsed("!(before(red, blue) || count(red) \u2265 2)", (3, 3), ["count", "before"]))
    'not before(red, blue) and not count(red) >= 2'
    """
    parser = _Parser(text, sizes, forms)
    formula = parser.formula()
    if parser.next:
        raise InvalidAnswer("expected the rule to end")
    return formula


class Masked(NamedTuple):
    """A term, and the scenes that it is true of as bits."""

    mask: int
    term: Term


def masked(rows: Sequence[Row], sizes: Sizes, forms: tuple[Form, ...]) -> list[Masked]:
    """The terms of the language, one for each set of scenes that some are true of."""
    everything = (1 << len(rows)) - 1
    known: dict[int, Term] = {}
    every = [*properties(sizes, wide=True)]
    tables = [{each: positions(row, each) for each in every} for row in rows]
    for atom in atoms(sizes, forms):
        one, other = atom.one, atom.other or atom.one
        mask = 0
        for n, table in enumerate(tables):
            if truth(atom, table[one], table[other]):
                mask |= 1 << n
        known.setdefault(mask, Term(atom, True))
        known.setdefault(everything & ~mask, Term(atom, False))
    return [Masked(mask, term) for mask, term in known.items()]


class Search:
    """Looks for a rule of a few atoms that is true of exactly some of the scenes."""

    def __init__(self, terms: Sequence[Masked], scenes: int, wanted: int) -> None:
        self.terms, self.everything, self.wanted = terms, (1 << scenes) - 1, wanted
        self.examined = 0

    def rule(self, most: int) -> Formula | None:
        """A rule of as few atoms as possible, up to ``most``, which is at most 3."""
        for number in range(1, most + 1):
            formula = self._joined("and", self.wanted, self.everything, number) or self._joined(
                "or", self.wanted, self.everything, number
            )
            if formula is None and number == 3:
                formula = self._nested()
            if formula is not None:
                return formula
        return None

    def _nested(self) -> Formula | None:
        """A term joined to two others that are joined by the other word."""
        wanted, everything = self.wanted, self.everything
        for mask, term in self.terms:
            if mask & wanted == wanted:
                rest = self._joined("or", wanted, mask, 2)
                if rest is not None:
                    return ("and", term, rest)
            if mask & ~wanted == 0:
                rest = self._joined("and", wanted & ~mask, everything & ~mask, 2)
                if rest is not None:
                    return ("or", term, rest)
        return None

    def _joined(
        self, word: Literal["and", "or"], wanted: int, among: int, most: int
    ) -> Formula | None:
        """Terms joined by a word that are true of exactly the wanted scenes among some.

        Every term of a conjunction is true of all wanted ones, and the others are to be excluded;
        of a disjunction, each is false of all others, and the wanted ones are to be included.
        """
        others = among & ~wanted
        if word == "and":
            useful = [(~mask & others, t) for mask, t in self.terms if mask & wanted == wanted]
            open_ = others
        else:
            useful = [(mask & wanted, t) for mask, t in self.terms if not mask & others]
            open_ = wanted
        chosen = self._cover([(cover, t) for cover, t in useful if cover], open_, most)
        if not chosen:
            return None
        formula: Formula = chosen[0]
        for term in chosen[1:]:
            formula = (word, formula, term)
        return formula

    def _cover(self, sets: Sequence[tuple[int, Term]], open_: int, most: int) -> list[Term] | None:
        """Up to ``most`` sets that together contain all of some bits."""
        if not open_:
            return []
        if not most:
            return None
        lowest = open_ & -open_
        for cover, term in sets:
            if cover & lowest:
                self.examined += 1
                rest = self._cover(sets, open_ & ~cover, most - 1)
                if rest is not None:
                    return [term, *rest]
        return None


def random_rule(rng: Random, language: Sequence[Atom], number: int) -> Formula:
    """A rule of so many atoms: a term, or terms joined by 'and' and 'or' in turn."""
    forms = sorted({atom.form for atom in language})
    words: list[Literal["and", "or"]] = rng.sample(("and", "or"), 2)
    formula: Formula | None = None
    for n in range(number):
        form = rng.choice(forms)
        atom = rng.choice([each for each in language if each.form == form])
        term = Term(atom, rng.random() < 0.65)
        formula = (words[n % 2], term, formula) if formula else term
    assert formula
    return formula


def parts_of(formula: Formula) -> Iterator[Term]:
    """The terms of a rule."""
    if isinstance(formula, Term):
        yield formula
    else:
        yield from parts_of(formula[1])
        yield from parts_of(formula[2])


def random_sets(
    rng: Random, formula: Formula, sizes: Sizes, length: int, number: int
) -> tuple[tuple[Row, ...], tuple[Row, ...]] | None:
    """So many scenes that a rule is true of, and as many others, or None if these are too rare.

    They are chosen so that no term of the rule by itself says much: for each set, scenes for which
    different terms are true.
    """
    pool = dict.fromkeys(
        tuple(
            tuple(rng.randrange(each) for each in sizes)
            for _ in range(rng.randint(max(2, length - 2), length))
        )
        for _ in range(POOL)
    )
    terms = [*parts_of(formula)]
    chosen = []
    for truth in (True, False):
        groups: dict[tuple[bool, ...], list[Row]] = {}
        for row in pool:
            if satisfies(formula, row) == truth:
                groups.setdefault(tuple(satisfies(term, row) for term in terms), []).append(row)
        rows = list[Row]()
        while groups and len(rows) < number:
            for key in [*groups]:
                rows.append(groups[key].pop())
                if not groups[key]:
                    del groups[key]
        if len(rows) < number:
            return None
        chosen.append(tuple(rng.sample(rows[:number], number)))
    return chosen[0], chosen[1]
