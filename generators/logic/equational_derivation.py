"""Random equations, and shortest derivations of one term from another by breadth-first search.

Terms longer than :data:`LONGEST` are left out of all searches, which makes them finite.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.logic.terms import (
    Rewriting,
    Rule,
    Signature,
    matched,
    random_term,
    size,
    variables,
)
from palaestra.verifiers.proofs.rewriting import Term

LONGEST = 13
"""The most symbols of a term."""

MOST = 40_000
"""The most terms that a search for a derivation visits."""


TRIES = 400
"""Equations that are tried for a set of them."""


class Derivation(NamedTuple):
    """The terms after the first one, each with the index of the equation, and how many terms the
    search visited.
    """

    steps: list[tuple[int, Term]]
    visited: int


def random_equations(rng: Random, signature: Signature, number: int) -> list[Rule]:
    """At most so many equations whose sides have the same variables, so that both can be replaced.

    No side is a variable, and no side of an equation is an instance of one of another equation on
    the same side. There are fewer equations if some of them leave no room for others.
    """
    equations = list[Rule]()
    leaves = [*signature.constants, "x", "y", "x"]
    for _ in range(TRIES):
        if len(equations) == number:
            break
        left = random_term(rng, signature, leaves, rng.randint(2, 4))
        right = random_term(rng, signature, leaves, rng.randint(2, 5))
        if set(variables(left)) != set(variables(right)) or left == right:
            continue
        if matched(left, right) or matched(right, left):
            continue
        if not any(matched(each.left, left) or matched(left, each.left) for each in equations):
            equations.append(Rule(left, right))
    return equations


def both_ways(equations: Sequence[Rule]) -> Rewriting:
    """The rules that use each equation from left to right, and then those from right to left."""
    return Rewriting([*equations, *(Rule(right, left) for left, right in equations)])


def neighbours(term: Term, ways: Rewriting) -> Iterator[tuple[int, Term]]:
    """The results of one use of an equation, in either direction, with the index of the equation.

    Results longer than :data:`LONGEST` are left out.
    """
    equations, room = len(ways.rules) // 2, LONGEST - size(term)
    for number, result, growth in ways.results(term):
        if growth <= room and result != term:
            yield number % equations, result


def distances(start: Term, ways: Rewriting, depth: int, most: int) -> dict[Term, int]:
    """The terms that are at most ``depth`` steps away from a term, with the number of steps; fewer
    of them where their number comes to more than ``most``, or grows faster than evenly.
    """
    reached, layer = {start: 0}, [start]
    for step in range(1, depth + 1):
        fresh = dict.fromkeys(
            result
            for term in layer
            for _, result in neighbours(term, ways)
            if result not in reached
        )
        if not fresh or len(reached) + len(fresh) > most * (step + 1) / (depth + 1):
            break
        reached |= dict.fromkeys(fresh, step)
        layer = [*fresh]
    return reached


def derivation(start: Term, goal: Term, equations: Sequence[Rule]) -> Derivation:
    """A shortest derivation, by breadth-first search from both ends, the smaller layer first.

    Raises ``ValueError`` if there is none, or if more than :data:`MOST` terms would be visited.
    """
    ways = both_ways(equations)
    before: dict[Term, tuple[int, Term] | None] = {start: None}
    after: dict[Term, tuple[int, Term] | None] = {goal: None}
    ends = {id(before): [start], id(after): [goal]}
    while ends[id(before)] and ends[id(after)] and len(before) + len(after) < MOST:
        near = min(before, after, key=lambda each: len(ends[id(each)]))
        far = after if near is before else before
        layer = list[Term]()
        for term in ends[id(near)]:
            for number, result in neighbours(term, ways):
                if result not in near:
                    near[result] = (number, term)
                    layer.append(result)
        ends[id(near)] = layer
        meeting = next((term for term in layer if term in far), None)
        if meeting is not None:
            return Derivation(_joined(before, after, meeting), len(before) + len(after))
    raise ValueError("no derivation was found")


def _joined(
    before: dict[Term, tuple[int, Term] | None],
    after: dict[Term, tuple[int, Term] | None],
    meeting: Term,
) -> list[tuple[int, Term]]:
    """The steps up to the meeting, which lead backwards, and those from there."""
    steps, term = list[tuple[int, Term]](), meeting
    while (link := before[term]) is not None:
        steps.append((link[0], term))
        term = link[1]
    steps.reverse()
    term = meeting
    while (link := after[term]) is not None:
        steps.append(link)
        term = link[1]
    return steps
