"""Categorical statements, and their consequences by Venn diagrams (1880) as bit masks.

With terms numbered from 0, region ``r`` of the diagram contains the things that belong to exactly
those terms whose bits are set in ``r``. A set of regions is a mask with one bit for each of them.
"""

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from random import Random
from typing import Literal, NamedTuple

Form = Literal["all", "no", "some", "some not"]
Verdict = Literal["follows", "contradicts", "open"]

FORMS: tuple[Form, ...] = ("all", "no", "some", "some not")


class Categorical(NamedTuple):
    """A statement about two terms, such as "all A are B"."""

    form: Form
    subject: int
    predicate: int

    def topic(self) -> tuple[bool, int, int]:
        """A key that is equal for statements with the same meaning or the opposite one."""
        ends = (self.subject, self.predicate)
        if self.form in {"no", "some"}:  # the symmetric forms
            return (False, min(ends), max(ends))
        return (True, *ends)


@cache
def statements(terms: int) -> tuple[Categorical, ...]:
    """All statements about ``terms`` terms.

    >>> [claim.form for claim in statements(2)][:3]
    ['all', 'all', 'no']
    """
    ends = list(permutations(range(terms), 2))
    return tuple([Categorical(form, *pair) for form in FORMS for pair in ends])


@cache
def regions(term: int, terms: int) -> int:
    """The regions inside a term."""
    return sum(1 << region for region in range(1 << terms) if region >> term & 1)


@cache
def extent(claim: Categorical, terms: int) -> int:
    """The regions of which a statement asserts that all are empty, or that not all are."""
    outside = claim.form in {"all", "some not"}
    predicate = regions(claim.predicate, terms)
    return regions(claim.subject, terms) & (~predicate if outside else predicate)


class Diagram:
    """The Venn diagram of premises: regions that may have members, and sets of which some must."""

    def __init__(self, premises: Sequence[Categorical], terms: int, inhabited: bool) -> None:
        self.terms = terms
        self.possible_regions = (1 << (1 << terms)) - 1
        for premise in premises:
            if premise.form in {"all", "no"}:
                self.possible_regions &= ~extent(premise, terms)
        needed = [extent(p, terms) for p in premises if p.form in {"some", "some not"}]
        needed += [regions(term, terms) for term in range(terms if inhabited else 0)]
        self.needed = [regions_ & self.possible_regions for regions_ in needed]

    def possible(self) -> bool:
        """Whether the premises can be true together."""
        return all(self.needed)

    def verdict(self, claim: Categorical) -> Verdict:
        """The verdict on a statement by consistent premises.

        A set of regions is certainly empty if none of its regions is possible, and certainly has
        members if it includes all possible regions of a set that must have some. In all other
        cases both can be the case.
        """
        affected = extent(claim, self.terms) & self.possible_regions
        universal = claim.form in {"all", "no"}
        if not affected:
            return "follows" if universal else "contradicts"
        for need in self.needed:
            if not need & ~affected:
                return "contradicts" if universal else "follows"
        return "open"


def connected(rng: Random, terms: int, number: int) -> list[Categorical]:
    """Random premises that connect all terms: each new term with one of the two before it."""
    links = [(rng.randrange(max(0, term - 2), term), term) for term in range(1, terms)]
    links += [(rng.randrange(last), last) for last in range(terms - 1, 0, -1)] * 2
    statements: dict[tuple[bool, int, int], Categorical] = {}
    for one, other in links:
        (form,) = rng.choices(FORMS, (9, 4, 3, 2))
        claim = Categorical(form, *((one, other) if rng.random() < 0.65 else (other, one)))
        statements.setdefault(claim.topic(), claim)
        if len(statements) == number:
            break
    return list(statements.values())
