"""General rules and facts about some people, as clauses and in words.

A rule is about all people, or about all pairs of an admirer and the admired. Since rules do not
assert that unnamed people exist, it is enough to ground them for the named ones.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.logic.first_order_entailment.clauses import Clause, certain, propagated

Literals = tuple[int, ...]
"""Adjectives, numbered from 1; negative if they do not apply."""


Link = Literal["self", "admirer", "admired"]


class Rule(NamedTuple):
    """An implication: if all literals of a condition hold, one of the others holds."""

    condition: Literals
    then: Literals
    link: Link
    """To whom the consequence applies: the same person, their admirers, or those they admire."""


def random_rule(
    rng: Random, shape: str, world: Sequence[set[int]], couples: Sequence[tuple[int, int]]
) -> Rule | None:
    """A random rule that holds in a world (the literals of each person), or ``None``."""
    link: Link = "self"
    ends = [(person, person) for person in range(len(world))]
    if couples and rng.random() < 0.4:
        link = rng.choice(("admirer", "admired"))
        ends = [(a, b) if link == "admired" else (b, a) for a, b in couples]
    # The condition is true of some person, so most rules apply.
    condition = rng.sample(sorted(world[rng.choice(ends)[0]]), 1 if shape == "chain" else 2)
    if rng.random() < 0.5:
        condition = condition[:1]
    met = [world[b] for a, b in ends if world[a].issuperset(condition)]
    known = {abs(trait) for trait in condition}
    options = [x for x in sorted(set.intersection(*met)) if abs(x) not in known]
    if not options:
        return None
    then = [rng.choice(options)]
    if shape == "choice" and rng.random() < 0.3:
        known.add(abs(then[0]))
        then += [x for x in rng.sample(sorted(met[0]), len(known) + 1) if abs(x) not in known][:1]
    return Rule(tuple(sorted(condition)), tuple(sorted(then)), link)


def as_text(rule: Rule, word: Callable[[int], str], style: int) -> str:
    """A rule in words, in one of three styles; ``word`` gives an adjective or its negation.

    >>> adjective = lambda x: f"{'not ' * (x < 0)}{'abc'[abs(x) - 1]}"
    >>> as_text(Rule((-1, 2), (3,), "admirer"), adjective, 0)
    'Whoever admires somebody who is b and not a is c.'
    """
    condition, then, link = rule
    # Negated adjectives come last, so that "not" cannot be read as applying to others.
    if_ = " and ".join(map(word, sorted(condition, reverse=True)))
    then_ = " or ".join(map(word, sorted(then, reverse=True)))
    if link == "admirer":
        return f"Whoever admires somebody who is {if_} is {then_}."
    if link == "admired":
        return f"Whoever is admired by somebody who is {if_} is {then_}."
    if len(condition) == len(then) == 1 and then[0] < 0 < condition[0] and style % 3 == 0:
        return f"Nobody who is {if_} is {word(-then[0])}."
    return (
        f"Everyone who is {if_} is {then_}.",
        f"If someone is {if_}, they are {then_}.",
        f"All people who are {if_} are {then_}.",
    )[style % 3]


def literal(person: int, trait: int, adjectives: int) -> int:
    """The literal that a person has a trait; negative for a negative trait.

    >>> literal(2, -3, 10)
    -23
    """
    fact = person * adjectives + abs(trait)
    return fact if trait > 0 else -fact


def person_and_trait(fact: int, adjectives: int) -> tuple[int, int]:
    """The person and the trait of a literal.

    >>> person_and_trait(-23, 10)
    (2, -3)
    """
    person, number = divmod(abs(fact) - 1, adjectives)
    return person, number + 1 if fact > 0 else -number - 1


def ground_clauses(
    people: int,
    adjectives: int,
    rules: Iterable[Rule],
    facts: tuple[tuple[int, int], ...],
    admires: tuple[tuple[int, int], ...],
) -> tuple[Clause, ...]:
    """The facts, and the rules for every person, as clauses."""
    known: list[Clause] = [(literal(*fact, adjectives),) for fact in facts]
    for condition, then, link in rules:
        couples: Iterable[tuple[int, int]] = admires
        if link == "self":
            couples = [(person, person) for person in range(people)]
        elif link == "admirer":
            couples = [(other, one) for one, other in admires]
        for a, b in couples:
            unless = [-literal(a, trait, adjectives) for trait in condition]
            known.append((*unless, *(literal(b, trait, adjectives) for trait in then)))
    return tuple(known)


@lru_cache(maxsize=256)
def grounded(
    people: int,
    adjectives: int,
    rules: tuple[Rule, ...],
    facts: tuple[tuple[int, int], ...],
    admires: tuple[tuple[int, int], ...],
) -> tuple[Clause, ...]:
    """The same as :func:`ground_clauses`, kept for the next call."""
    return ground_clauses(people, adjectives, rules, facts, admires)


@lru_cache(maxsize=256)
def verdicts(clauses: tuple[Clause, ...], literals: tuple[int, ...]) -> tuple[str, ...]:
    """The verdicts on literals."""
    units = propagated(clauses)
    assert units is not None, "the premises hold in the world that they were sampled from"
    known, remaining = units
    return tuple(
        "true" if one in known else "false" if -one in known else certain(remaining, one)
        for one in literals
    )
