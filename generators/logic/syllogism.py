"""Categorical statements, and what follows from them: Venn's diagrams (1880) with a bit a region.

With terms numbered from 0, region ``r`` of the diagram holds the things that belong to exactly
those terms whose bits are set in ``r``. A set of regions is a mask with a bit for each of them.
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
    """A statement about two terms, such as that all of the one are of the other."""

    form: Form
    subject: int
    predicate: int

    def topic(self) -> tuple[bool, int, int]:
        """Equal for statements that say the same or the opposite of one another."""
        ends = (self.subject, self.predicate)
        if self.form in {"no", "some"}:  # whose terms may change places
            return (False, min(ends), max(ends))
        return (True, *ends)


@cache
def statements(terms: int) -> tuple[Categorical, ...]:
    """All statements about so many terms.

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
    """The regions that a statement speaks of: it says of them that all are empty, or not all."""
    outside = claim.form in {"all", "some not"}
    predicate = regions(claim.predicate, terms)
    return regions(claim.subject, terms) & (~predicate if outside else predicate)


class Diagram:
    """What premises leave: the regions that may have members, and sets of which some must."""

    def __init__(self, premises: Sequence[Categorical], terms: int, inhabited: bool) -> None:
        self.terms = terms
        self.room = (1 << (1 << terms)) - 1
        for premise in premises:
            if premise.form in {"all", "no"}:
                self.room &= ~extent(premise, terms)
        needed = [extent(p, terms) for p in premises if p.form in {"some", "some not"}]
        needed += [regions(term, terms) for term in range(terms if inhabited else 0)]
        self.needed = [regions_ & self.room for regions_ in needed]

    def possible(self) -> bool:
        """Whether the premises can be true together."""
        return all(self.needed)

    def verdict(self, claim: Categorical) -> Verdict:
        """What becomes of a statement, given premises that can be true together.

        It is impossible for a set of regions to have members where it has no room, and certain
        where it holds all the room of a set that must have some. Nothing else is either, since
        the room can be filled up, or left empty but for one region of each set that must not be.
        """
        spoken = extent(claim, self.terms) & self.room
        universal = claim.form in {"all", "no"}
        if not spoken:
            return "follows" if universal else "contradicts"
        for need in self.needed:
            if not need & ~spoken:
                return "contradicts" if universal else "follows"
        return "open"


def connected(rng: Random, terms: int, number: int) -> list[Categorical]:
    """Random premises that tie all the terms together: each new term to one of the two before."""
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
