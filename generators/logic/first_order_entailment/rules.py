"""Rules about everyone and facts about some people, spelt out as clauses and put in words.

A rule speaks of all people, or of all who admire one another. Since it asserts nothing of anybody
who is not named, what follows about the named ones is what follows when it is spelt out for them.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.logic.first_order_entailment.clauses import Clause, certain, propagated

Literals = tuple[int, ...]
"""Adjectives, numbered from 1; negative where somebody is not so."""


Link = Literal["self", "admirer", "admired"]


class Rule(NamedTuple):
    """Of whoever is all of the first, somebody must be at least one of the second."""

    given: Literals
    then: Literals
    link: Link
    """Of whom the second is said: the same person, one who admires them, or one they admire."""


def drawn(
    rng: Random, shape: str, world: Sequence[set[int]], couples: Sequence[tuple[int, int]]
) -> Rule | None:
    """A rule that is kept in a world, given as what is true of each; none where luck fails."""
    link: Link = "self"
    ends = [(person, person) for person in range(len(world))]
    if couples and rng.random() < 0.4:
        link = rng.choice(("admirer", "admired"))
        ends = [(a, b) if link == "admired" else (b, a) for a, b in couples]
    # Most rules apply to somebody, who is taken as a model.
    given = rng.sample(sorted(world[rng.choice(ends)[0]]), 1 if shape == "chain" else 2)
    if rng.random() < 0.5:
        given = given[:1]
    met = [world[b] for a, b in ends if world[a].issuperset(given)]
    known = {abs(trait) for trait in given}
    options = [x for x in sorted(set.intersection(*met)) if abs(x) not in known]
    if not options:
        return None
    then = [rng.choice(options)]
    if shape == "choice" and rng.random() < 0.3:
        known.add(abs(then[0]))
        then += [x for x in rng.sample(sorted(met[0]), len(known) + 1) if abs(x) not in known][:1]
    return Rule(tuple(sorted(given)), tuple(sorted(then)), link)


def as_text(rule: Rule, word: Callable[[int], str], style: int) -> str:
    """A rule in words, in one of three styles, where ``word`` says an adjective or its opposite.

    >>> adjective = lambda x: f"{'not ' * (x < 0)}{'abc'[abs(x) - 1]}"
    >>> as_text(Rule((-1, 2), (3,), "admirer"), adjective, 0)
    'Whoever admires somebody who is b and not a is c.'
    """
    given, then, link = rule
    # What is denied comes last, lest "not" be taken to reach further than it does.
    if_ = " and ".join(map(word, sorted(given, reverse=True)))
    then_ = " or ".join(map(word, sorted(then, reverse=True)))
    if link == "admirer":
        return f"Whoever admires somebody who is {if_} is {then_}."
    if link == "admired":
        return f"Whoever is admired by somebody who is {if_} is {then_}."
    if len(given) == len(then) == 1 and then[0] < 0 < given[0] and style % 3 == 0:
        return f"Nobody who is {if_} is {word(-then[0])}."
    return (
        f"Everyone who is {if_} is {then_}.",
        f"If someone is {if_}, they are {then_}.",
        f"All people who are {if_} are {then_}.",
    )[style % 3]


def literal(person: int, trait: int, adjectives: int) -> int:
    """The number of a statement about somebody.

    >>> literal(2, -3, 10)
    -23
    """
    fact = person * adjectives + abs(trait)
    return fact if trait > 0 else -fact


@lru_cache(maxsize=256)
def spelt_out(
    people: int,
    adjectives: int,
    rules: tuple[Rule, ...],
    facts: tuple[tuple[int, int], ...],
    admires: tuple[tuple[int, int], ...],
) -> tuple[Clause, ...]:
    """Facts, and rules for everybody, as clauses."""
    known: list[Clause] = [(literal(*fact, adjectives),) for fact in facts]
    for given, then, link in rules:
        couples: Iterable[tuple[int, int]] = admires
        if link == "self":
            couples = [(person, person) for person in range(people)]
        elif link == "admirer":
            couples = [(other, one) for one, other in admires]
        for a, b in couples:
            unless = [-literal(a, trait, adjectives) for trait in given]
            known.append((*unless, *(literal(b, trait, adjectives) for trait in then)))
    return tuple(known)


@lru_cache(maxsize=256)
def weighed(clauses: tuple[Clause, ...], literals: tuple[int, ...]) -> tuple[str, ...]:
    """The verdicts on literals."""
    units = propagated(clauses)
    assert units is not None, "the premises hold in the world they were drawn from"
    known, left = units
    return tuple(
        "true" if one in known else "false" if -one in known else certain(left, one)
        for one in literals
    )
