"""A rule that separates two sets of scenes.

After the problems of M. Bongard (1967) and the trains of R. Michalski (1980), with a language in
which the rule is stated.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.induction.two_sets import (
    ATTRIBUTES,
    Form,
    Formula,
    Masked,
    Row,
    Search,
    Sizes,
    Term,
    as_text,
    atoms,
    is_true_by_pairs,
    masked,
    parsed,
    property_text,
    random_rule,
    random_sets,
    satisfies,
    size,
)
from palaestra.generators.solutions import Feasibility, SearchResult, search_result
from palaestra.generators.tiles import COLOURS, level
from palaestra.scenes import Cell, Grid, Panels
from palaestra.scenes.elements import Mark
from palaestra.task import ladder
from palaestra.verifiers.reading.headings import unheaded
from palaestra.verifiers.reading.labels import numbered
from palaestra.verifiers.reading.values import joined

FORMS: tuple[tuple[Form, ...], ...] = (
    ("count",),
    ("count", "before"),
    ("count", "before", "next"),
    ("count", "before", "next", "more"),
)
"""The forms of atoms, by how many there are."""

MARKS: tuple[Mark, ...] = ("disc", "square", "triangle", "star")
"""How the shapes are drawn, in the order of their names."""

MEANINGS: Mapping[Form, str] = {
    "count": "count(P) >= n: at least n objects are P;",
    "more": "count(A) > count(B): more objects are A than are B;",
    "before": "before(A, B): an object that is A stands somewhere to the left of one that is B;",
    "next": "next(A, B): an object that is A stands directly to the left of one that is B;",
}


class TwoSets(Feasibility):
    """State a short rule that is true of the scenes of one set and false of those of another."""

    tags = {"induction", "search", "program-synthesis"}
    answer_type = "code"

    class Knobs(Feasibility.Knobs):
        atoms: int = ladder(1, 1, 2, 3, 3, 3, 3, low=1, high=3)
        colours: int = ladder(2, 3, 2, 3, 3, 3, 4, low=2, high=4)
        shapes: int = ladder(2, 2, 2, 2, 3, 3, 4, low=2, high=4)
        sizes: int = ladder(0, 0, 0, 2, 2, 2, 2, low=0, high=2)
        forms: int = ladder(1, 2, 3, 3, 4, 4, 4, low=1, high=4)
        objects: int = ladder(4, 4, 5, 6, 6, 7, 8, low=3, high=9)  # of a scene, at most
        scenes: int = ladder(3, 4, 6, 7, 8, 10, 12, low=3, high=16)  # of each set

    first: tuple[Row, ...]
    second: tuple[Row, ...]
    sizes: Sizes
    forms: int
    most: int
    """How many atoms a rule may have."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        sizes = tuple(n for n in (knobs.colours, knobs.shapes, knobs.sizes) if n)
        rule = random_rule(rng, atoms(sizes, FORMS[knobs.forms - 1]), knobs.atoms)
        sets = random_sets(rng, rule, sizes, knobs.objects, knobs.scenes)
        first, second = sets or ((), ())
        return cls(first=first, second=second, sizes=sizes, forms=knobs.forms, most=knobs.atoms)

    @property
    def terms(self) -> list[Masked]:
        """The terms of the language with the scenes of both sets that they are true of."""
        return _masked(self.first + self.second, self.sizes, self.forms)

    def is_valid(self) -> bool:
        """Whether there are sets, and no rule with fewer atoms separates them."""
        if not self.first:
            return False
        return self.most == 1 or self._search().rule(self.most - 1) is None

    def _search(self) -> Search:
        scenes = len(self.first) + len(self.second)
        return Search(self.terms, scenes, (1 << len(self.first)) - 1)

    def search(self) -> SearchResult:
        search = self._search()
        return SearchResult(search.rule(self.most), search.examined)

    def canonical(self) -> str:
        return repr((sorted(self.first), sorted(self.second), self.forms, self.most))

    def prompt(self) -> str:
        task = self.phrase(
            "Find a rule that is true of every scene of the first set and of no scene of the "
            "second set.",
            "What do the scenes of the first set have in common that those of the second set do "
            "not have? State it as a rule.",
        )
        words = [names[:number] for names, number in zip(ATTRIBUTES, self.sizes)]
        atoms_ = "\n".join(f"- {MEANINGS[form]}" for form in FORMS[self.forms - 1])
        singles = ", A and B are single values" if self.forms > 1 else ""
        atom = "one atom" if self.most == 1 else f"at most {self.most} atoms"
        return (
            f"{task} A scene is a row of objects, from left to right.\n\nThe first set:\n"
            f"{_rows(self.first)}\n\nThe second set:\n{_rows(self.second)}\n\nA rule consists of "
            "atoms, joined by 'and', 'or', 'not' and brackets. The values of the attributes are "
            f"{'; '.join(map(joined, words))}. There are no atoms but these, in which P is a "
            "value, or two values of different attributes, both of which an object has to have, "
            f"such as '{words[0][0]} {words[1][1]}'{singles}, and n is 1, 2 or 3:\n{atoms_}\n\n"
            f"Use {atom}. Write the rule on one line, such as '{self._example()}'."
        )

    def _example(self) -> str:
        """A rule that is wrong, and so is each of its atoms with or without its negation."""
        colours, shapes = ATTRIBUTES[0][: self.sizes[0]], ATTRIBUTES[1][: self.sizes[1]]
        for number, colour in product((2, 3, 1, 4), colours):
            texts = [f"count({colour}) >= {number}", f"not count({colour}) >= {number}"]
            if all(map(self.violation, map(self.read, texts))):
                break
        example = texts[1]
        if self.most > 1:
            example = f"({example} or count({colours[1]} {shapes[0]}) >= 1)"
        return example

    def scene(self) -> Panels:
        """Both sets, a scene on each row; where sizes differ, L and s stand for large and small."""
        return Panels((_pictured(self.first), _pictured(self.second)), ("First set", "Second set"))

    def read(self, answer: str) -> Formula:
        return parsed(unheaded(answer, ["rule"]), self.sizes, FORMS[self.forms - 1])

    def as_text(self, solution: Formula) -> str:
        return as_text(solution)

    def violation(self, solution: Formula) -> str:
        if size(solution) > self.most:
            return f"the rule has {size(solution)} atoms, and at most {self.most} are allowed"
        missed = sum(not satisfies(solution, row) for row in self.first)
        wrong = sum(satisfies(solution, row) for row in self.second)
        if missed or wrong:
            return (
                f"the rule is false of {missed} in the first set and true of {wrong} in the other"
            )
        return ""

    def audit(self, answer: str) -> bool:
        """Evaluate the rule on all pairs of objects."""
        rule = self.read(answer)
        fits = all(is_true_by_pairs(rule, row) for row in self.first)
        return (
            fits
            and size(rule) <= self.most
            and not any(is_true_by_pairs(rule, row) for row in self.second)
        )

    def difficulty(self) -> float:
        """The choices of a term that the search makes, times those that there are."""
        return float((1 + search_result(self).examined) * len(self.terms))

    def naive_solutions(self) -> Iterable[Formula]:
        return ()

    def baseline_solutions(self, rng: Random) -> Mapping[str, Formula]:
        """Players who choose terms by themselves: at random, or those that classify most scenes."""
        wanted = (1 << len(self.first)) - 1
        ranked = sorted(self.terms, key=lambda each: (each.mask ^ wanted).bit_count())
        every = [each for each in ranked if each.mask & wanted == wanted]
        none = [each for each in ranked if not each.mask & ~wanted]
        return {
            "best term": ranked[0].term,
            "best terms and": _all_of("and", ranked[: self.most]),
            "best terms or": _all_of("or", ranked[: self.most]),
            "terms of the first set": _all_of("and", (every or ranked)[: self.most]),
            "terms not of the second set": _all_of("or", (none or ranked)[: self.most]),
            "random terms": _all_of("and", rng.sample(self.terms, self.most)),
        }

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(atoms=1, colours=2, shapes=2, sizes=0, forms=1)

    def candidates(self) -> Iterable[str]:
        """All rules of one atom."""
        language = atoms(self.sizes, FORMS[self.forms - 1])
        return (as_text(Term(atom, sign)) for atom, sign in product(language, (True, False)))


def _all_of(word: str, terms: Iterable[Masked]) -> Formula:
    first, *rest = [each.term for each in terms]
    formula: Formula = first
    for term in rest:
        formula = ("and" if word == "and" else "or", formula, term)
    return formula


def _rows(rows: Iterable[Row]) -> str:
    return numbered(joined([property_text(thing) for thing in row]) for row in rows)


def _pictured(rows: Iterable[Row]) -> Grid:
    cells = level([[_cell(thing) for thing in row] for row in rows])
    labels = tuple((str(number),) for number in range(1, len(cells) + 1))
    return Grid(cells, left=labels, style="plain")


def _cell(thing: Sequence[int]) -> Cell:
    colour, shape, *size = thing
    text = "sL"[size[0]] if size else ""
    tone = COLOURS[ATTRIBUTES[0][colour]]
    return Cell(fill="muted", mark=MARKS[shape], tone=tone, corner=text)


@lru_cache(maxsize=128)
def _masked(rows: tuple[Row, ...], sizes: Sizes, forms: int) -> list[Masked]:
    return masked(rows, sizes, FORMS[forms - 1])
