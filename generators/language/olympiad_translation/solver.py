"""All grammars of a class that fit some sentences: the version space of T. Mitchell (1982).

Word orders are tried first. With each, every word has a known stem and known features, and the
stems and markers that are possible follow from splitting the words in all ways.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from palaestra.generators.language.olympiad_translation.grammars import (
    GEOMETRIES,
    LONGEST_MARKER,
    SHORTEST_STEM,
    VOWELS,
    Cell,
    Features,
    Grammar,
    Paradigm,
    Syntax,
    cells,
    syntaxes,
)
from palaestra.generators.language.olympiad_translation.meanings import Meaning

Pair = tuple[Meaning, str]
"""A meaning and its sentence in the language."""

Forms = Mapping[Cell, str]

UNKNOWN = "?"
"""Behind a stem, which may or may not have one more letter, a vowel."""


class Counter:
    """Counts the words and their splits that a search looked at."""

    def __init__(self) -> None:
        self.examined = 0


class _State(NamedTuple):
    stems: dict[str, str]
    markers: dict[str, str]
    """The markers by feature and value, such as ``f0`` and ``g1``."""


def paradigms(
    forms: Forms, values: tuple[int, int], elision: bool, counter: Counter
) -> Iterator[Paradigm]:
    """All stems and markers that give these words; ``values`` is how many each feature has.

    A feature with one value has the empty marker. A final vowel that elision hides in all words
    is written as :data:`UNKNOWN`.
    """
    order = _ordered(forms)
    for geometry in GEOMETRIES:
        known = {f"{name}0": "" for name, number in zip("fg", values) if number == 1}
        if 1 in values and geometry not in ("fgx", "xfg"):
            continue  # the same as one of these, or another place of an empty marker
        if values == (1, 1) and geometry != "fgx":
            continue
        search = _Search(forms, geometry, elision, counter)
        for state in search.states(order, _State({}, known)):
            rows = [
                tuple(state.markers.get(f"{name}{n}", UNKNOWN) for n in range(number))
                for name, number in zip("fg", values)
            ]
            yield Paradigm(geometry, state.stems, rows[0], rows[1])


def _ordered(forms: Forms) -> list[Cell]:
    """Cells in an order in which each has as much as possible in common with those before."""
    left, known, order = sorted(forms), set[str](), list[Cell]()
    while left:
        best = max(left, key=lambda cell: len(known & {*_parts(cell)}))
        left.remove(best)
        known |= {*_parts(best)}
        order.append(best)
    return order


def _parts(cell: Cell) -> tuple[str, str, str]:
    return cell[0], f"f{cell[1]}", f"g{cell[2]}"


class _Search:
    """Splits words with their markers at the same sides of all stems."""

    def __init__(self, forms: Forms, geometry: str, elision: bool, counter: Counter) -> None:
        self.forms, self.elision, self.counter = forms, elision, counter
        self.before, self.after = geometry.split("x")

    def states(self, order: Sequence[Cell], state: _State) -> Iterator[_State]:
        """The states that explain all cells of an order, each an extension of this one."""
        if not order:
            yield state
            return
        cell, *rest = order
        for stem, first, second in self.splits(cell, state):
            self.counter.examined += 1
            lexeme, f, g = _parts(cell)
            stems = {**state.stems, lexeme: stem}
            markers = {**state.markers, f: first, g: second}
            yield from self.states(rest, _State(stems, markers))

    def splits(self, cell: Cell, state: _State) -> Iterator[tuple[str, str, str]]:
        """The stems and markers of a word, in agreement with those that are known."""
        text, (lexeme, f, g) = self.forms[cell], _parts(cell)
        known = state.stems.get(lexeme)
        if cell[1] < 0:  # a word without markers
            for stem in _stems(text, "", known, False):
                yield stem, "", ""
            return
        names = {"f": f, "g": g}
        reverse = {name: marker[::-1] for name, marker in state.markers.items()}
        backwards = [names[each] for each in self.after][::-1]
        for start, head in _cut([names[each] for each in self.before], text, state.markers):
            for size, tail in _cut(backwards, text[start:][::-1], reverse):
                end = len(text) - size
                markers = {**head, **{name: marker[::-1] for name, marker in tail.items()}}
                for stem in _stems(text[start:end], text[end:], known, self.elision):
                    yield stem, markers[f], markers[g]


def _cut(
    names: Sequence[str], text: str, known: Mapping[str, str]
) -> Iterator[tuple[int, dict[str, str]]]:
    """The ways to take markers from the beginning of a text: their length, and each of them."""
    if not names:
        yield 0, {}
        return
    name, *rest = names
    fixed = known.get(name)
    sizes = range(LONGEST_MARKER + 1) if fixed is None else (len(fixed),)
    for size in sizes:
        marker = text[:size]
        if len(marker) == size and fixed in (None, marker):
            for length, others in _cut(rest, text[size:], known):
                yield size + length, {name: marker, **others}


def _stems(surface: str, suffix: str, known: str | None, elision: bool) -> Iterator[str]:
    """The stems that look like this before a suffix."""
    elides = elision and suffix[:1] in {*VOWELS}
    vowel_final = surface[-1:] in {*VOWELS}
    if known is None:
        if elides and len(surface) >= SHORTEST_STEM - 1:
            yield surface + UNKNOWN
        elif not elides and len(surface) >= SHORTEST_STEM:
            yield surface
    elif known.endswith(UNKNOWN):
        base = known[:-1]
        if elides:
            if surface == base:
                yield known
        else:  # there is a vowel, or there is none
            same = surface == base and not vowel_final and len(base) >= SHORTEST_STEM
            if same or (surface[:-1] == base and vowel_final):
                yield surface
    else:
        shown = known[:-1] if elides and known[-1] in VOWELS else known
        if surface == shown:
            yield known


def completed(paradigm: Paradigm, cell: Cell, elision: bool) -> str | None:
    """The word of a cell, or None if it depends on what is unknown."""
    lexeme, f, g = cell
    stem = paradigm.stems.get(lexeme, UNKNOWN)
    if UNKNOWN in (paradigm.first[f], paradigm.second[g]) or stem == UNKNOWN:
        return None
    if not stem.endswith(UNKNOWN):
        return paradigm.form(cell, elision)
    # Whatever the vowel is, it is lost before another one; there may be none.
    text = paradigm._replace(stems={lexeme: stem[:-1] + "a"}).form(cell, elision)
    other = paradigm._replace(stems={lexeme: stem[:-1] + "e"}).form(cell, elision)
    return text if text == other else None


def words_of(
    features: Features, syntax: Syntax, pairs: Sequence[Pair], counter: Counter
) -> Forms | None:
    """The word of each cell in these sentences; None if two words stand for one cell."""
    forms: dict[Cell, str] = {}
    for meaning, text in pairs:
        listed, words = cells(features, syntax, meaning), text.split(" ")
        counter.examined += len(words)
        if len(listed) != len(words):
            return None
        for cell, each in zip(listed, words):
            if forms.setdefault(cell, each) != each:
                return None
    return forms


def split_forms(forms: Forms) -> tuple[Forms, Forms]:
    """The words of nouns and adjectives, and those of verbs."""
    nouns = {cell: text for cell, text in forms.items() if cell[0][0] != "v"}
    return nouns, {cell: text for cell, text in forms.items() if cell[0][0] == "v"}


def numbers_of_values(features: Features) -> tuple[tuple[int, int], tuple[int, int]]:
    """How many values number and case have on nouns, and tense and number on verbs."""
    nouns = (1 + features.number, 1 + (features.cases != "none"))
    return nouns, (2, 1 + features.agreement)


class Fit(NamedTuple):
    """A syntax that fits, with all paradigms of nouns and of verbs that do."""

    syntax: Syntax
    nouns: list[Paradigm]
    verbs: list[Paradigm]


def fits(
    features: Features, pairs: Sequence[Pair], among: Iterable[Syntax], counter: Counter
) -> list[Fit]:
    """The syntaxes among some that fit, with their paradigms."""
    of_nouns, of_verbs = numbers_of_values(features)
    known: dict[tuple[bool, tuple[tuple[Cell, str], ...]], list[Paradigm]] = {}
    result = list[Fit]()
    for syntax in among:
        forms = words_of(features, syntax, pairs, counter)
        if forms is None:
            continue
        nouns, verbs = split_forms(forms)
        lists = []
        for each, values in ((verbs, of_verbs), (nouns, of_nouns)):
            key = (each is verbs, tuple(sorted(each.items())))
            if key not in known:
                known[key] = [*paradigms(each, values, features.elision, counter)]
            lists.append(known[key])
            if not known[key]:
                break
        if all(lists):
            result.append(Fit(syntax, lists[1], lists[0]))
    return result


def _spelt_out(paradigm: Paradigm) -> Paradigm:
    """A paradigm with some vowel for each one that is always lost."""
    stems = {name: stem.replace(UNKNOWN, VOWELS[0]) for name, stem in paradigm.stems.items()}
    return paradigm._replace(stems=stems)


def agreed(features: Features, known: Sequence[Fit], every: Sequence[Cell]) -> Grammar | None:
    """The grammar, if there is one syntax and the same word in each cell; otherwise None.

    ``every`` lists the cells of nouns, adjectives and verbs.
    """
    if len(known) != 1:
        return None
    ((syntax, nouns, verbs),) = known
    table: dict[Cell, str] = {}
    for cell in every:
        if cell[0][0] == "a" and not syntax.declined:
            continue
        for paradigm in verbs if cell[0][0] == "v" else nouns:
            text = completed(paradigm, cell, features.elision)
            if text is None or table.setdefault(cell, text) != text:
                return None
    return Grammar(syntax, _spelt_out(nouns[0]), _spelt_out(verbs[0]))


def solution(
    features: Features, pairs: Sequence[Pair], every: Sequence[Cell], counter: Counter
) -> Grammar | None:
    """The grammar that all grammars of the class that fit agree with; None if there is none."""
    return agreed(features, fits(features, pairs, syntaxes(features), counter), every)
