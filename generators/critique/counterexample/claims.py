"""Claims that all objects with some properties have another one, and tables to look them up in.

A table lists the objects of one size, and has a bit set for each property: bit n is 1 if object n
has the property. So the counterexamples of a claim are a few operations on whole numbers.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Literal, NamedTuple

from palaestra.generators.bitsets import ones
from palaestra.generators.critique.counterexample import graphs, numbers, permutations
from palaestra.generators.critique.counterexample.properties import Property

Domain = Literal["numbers", "graphs", "permutations"]
DOMAINS: tuple[Domain, ...] = ("numbers", "graphs", "permutations")

PROPERTIES: dict[Domain, tuple[Property[Any], ...]] = {
    "numbers": numbers.PROPERTIES,
    "graphs": graphs.PROPERTIES,
    "permutations": permutations.PROPERTIES,
}
OBJECTS: dict[Domain, Callable[[int], Sequence[Any]]] = {
    "numbers": numbers.objects,
    "graphs": graphs.objects,
    "permutations": permutations.objects,
}
TRIES = 2_000
"""Claims that are tried before the bounds are relaxed once more."""

MANY = 4
"""How often they are relaxed before the claim may be false for smaller objects."""


class Atom(NamedTuple):
    """A property by its position in the list of its domain, or its negation."""

    number: int
    positive: bool


class Claim(NamedTuple):
    """The claim that all objects of a size with some properties have another one."""

    domain: Domain
    size: int
    """The largest number, the number of vertices, or the length of the permutation."""

    premises: tuple[Atom, ...]
    conclusion: Atom


class Rarity(NamedTuple):
    """How rare counterexamples are."""

    share: float
    """The share of counterexamples among the objects with the premises, at most, and also among
    those without the conclusion."""

    first: float
    """The least counterexample among numbers, as a share of the largest number, at least."""


@lru_cache(maxsize=64)
def table(domain: Domain, size: int) -> tuple[tuple[int, ...], int]:
    """The bits of each property, and those of all objects."""
    objects = OBJECTS[domain](size)
    rows = [
        sum(1 << n for n, each in enumerate(objects) if known.holds(each))
        for known in PROPERTIES[domain]
    ]
    return tuple(rows), (1 << len(objects)) - 1


def bits(domain: Domain, size: int, atoms: Sequence[Atom]) -> int:
    """The objects that have all these properties, as bits."""
    rows, result = table(domain, size)
    for number, positive in atoms:
        result &= rows[number] if positive else ~rows[number]
    return result


def counterexamples(claim: Claim, size: int | None = None) -> int:
    """The counterexamples among the objects of a size, that of the claim by default, as bits."""
    atoms = (*claim.premises, negated(claim.conclusion))
    return bits(claim.domain, claim.size if size is None else size, atoms)


def refutes(claim: Claim, thing: Any) -> bool:
    """Whether an object has all premises but not the conclusion."""
    known = PROPERTIES[claim.domain]
    return all(
        known[number].holds(thing) == positive
        for number, positive in (*claim.premises, negated(claim.conclusion))
    )


def is_listed(claim: Claim, thing: Any) -> bool:
    """Whether an object is one of the counterexamples in the table, or isomorphic to one."""
    things = OBJECTS[claim.domain](claim.size)
    listed = (things[n] for n in ones(counterexamples(claim)))
    if claim.domain == "graphs":
        return graphs.invariant(thing) in map(graphs.invariant, listed)
    return thing in listed


def first_object(claim: Claim, objects: int) -> Any:
    """The first object whose bit is set."""
    return OBJECTS[claim.domain](claim.size)[(objects & -objects).bit_length() - 1]


def phrase(domain: Domain, atom: Atom) -> str:
    """A property as a clause with a verb.

    >>> phrase("numbers", Atom(0, False))
    'is odd'
    """
    known = PROPERTIES[domain][atom.number]
    return known.positive if atom.positive else known.negative


def claim(rng: Random, domain: Domain, size: int, premises: int, rarity: Rarity) -> Claim:
    """A false claim that holds for small objects, and of which every premise matters.

    The bounds of ``rarity`` are relaxed where no claim keeps them.
    """
    tries = 0
    while True:
        relaxed = 1 + tries // TRIES
        tries += 1
        some = rng.sample(range(len(PROPERTIES[domain])), premises + 1)
        atoms = [Atom(number, rng.random() < 0.5) for number in some]
        candidate = Claim(domain, size, tuple(atoms[:-1]), atoms[-1])
        if counterexamples(candidate) and _is_deceptive(candidate, rarity, relaxed):
            return candidate


def _is_deceptive(candidate: Claim, rarity: Rarity, relaxed: int) -> bool:
    """Whether a false claim holds for small objects and most others; less so if ``relaxed``."""
    domain, size, premises, conclusion = candidate
    exceptions = counterexamples(candidate)
    number = exceptions.bit_count()
    covered = bits(domain, size, premises)
    without = bits(domain, size, [negated(conclusion)])
    share = rarity.share * relaxed
    if number > share * min(covered.bit_count(), without.bit_count()):
        return False
    if not all(_matters(candidate, n) for n in range(len(premises))) and relaxed < MANY:
        return False
    if domain == "numbers":
        low = exceptions & -exceptions
        first = low.bit_length() + 1  # the first number is 2
        before = (covered & (low - 1)).bit_count()
        return first * relaxed >= rarity.first * size and before * relaxed >= 5
    holds = not counterexamples(candidate, size - 1) or relaxed >= MANY
    return holds and covered.bit_count() * relaxed >= 5


def _matters(candidate: Claim, premise: int) -> bool:
    """Whether there are at least twice as many counterexamples without a premise."""
    domain, size, premises, conclusion = candidate
    rest = (*premises[:premise], *premises[premise + 1 :], negated(conclusion))
    return bits(domain, size, rest).bit_count() >= 2 * counterexamples(candidate).bit_count()


def negated(atom: Atom) -> Atom:
    """The negation of a property."""
    return atom._replace(positive=not atom.positive)
