"""Random term rewriting systems that terminate, and all normal forms of a term.

Each rule decreases in a lexicographic path order, whose precedence is random.
"""

from random import Random
from typing import NamedTuple

from palaestra.generators.logic.terms import (
    Rewriting,
    Rule,
    Signature,
    is_greater,
    matched,
    random_term,
    size,
    variables,
)
from palaestra.verifiers.proofs.rewriting import Term

TRIES = 400
"""Left sides that are tried for a system."""

SYMBOLS = 40
"""The most symbols of a term: rules that copy their variables make terms grow without bound."""


class Reducts(NamedTuple):
    """The normal forms of a term, and all terms that it can be rewritten to, itself included."""

    normal_forms: list[Term]
    terms: set[Term]


def random_system(rng: Random, signature: Signature, number: int) -> list[Rule]:
    """At most ``number`` rules that terminate. No left side is an instance of another one.

    The left sides are linear. Most rules keep all of their variables, so that terms do not
    collapse.
    """
    symbols = rng.sample([*signature.unary, *signature.binary], len(signature.unary) + 1)
    precedence = {symbol: rank for rank, symbol in enumerate([*signature.constants, *symbols])}
    rules = list[Rule]()
    for _ in range(TRIES):
        leaves = [*signature.constants, "x", "y", "x", "y"]
        left = random_term(rng, signature, leaves, rng.randint(2, 5))
        names = variables(left)
        if not names or len(names) != len(set(names)):
            continue
        if any(matched(rule.left, left) or matched(left, rule.left) for rule in rules):
            continue
        right = _right_side(rng, signature, left, precedence)
        if right is not None:
            rules.append(Rule(left, right))
        if len(rules) == number:
            break
    return rules


def _right_side(
    rng: Random, signature: Signature, left: Term, precedence: dict[str, int]
) -> Term | None:
    """A smaller term than the left side; None where none is found in a few tries."""
    names = variables(left)
    leaves = [*names, *names, *signature.constants]
    least = size(left) - 1
    for _ in range(20):
        right = random_term(rng, signature, leaves, rng.randint(least, max(least, 6)))
        kept = variables(right)
        if not is_greater(left, right, precedence):
            continue
        if set(kept) != set(names) and rng.random() < 0.85:
            continue
        if len(kept) == len(set(kept)) or rng.random() < 0.3:
            return right
    return None


def reducts(term: Term, system: Rewriting, most: int) -> Reducts | None:
    """All terms that a term can be rewritten to; None if there are more than ``most``, or if one is
    longer than :data:`SYMBOLS`.
    """
    terms, waiting, normal = {term}, [term], list[Term]()
    while waiting:
        each = waiting.pop()
        results = {result for _, result, _ in system.results(each)}
        if not results:
            normal.append(each)
        waiting += sorted(results - terms)
        terms |= results
        if len(terms) > most or any(size(result) > SYMBOLS for result in results):
            return None
    return Reducts(sorted(normal, key=lambda each: (size(each), each)), terms)


def ambiguous_term(
    rng: Random, signature: Signature, system: Rewriting, symbols: int, forms: int
) -> Term | None:
    """A random term of about so many symbols, put together of two parts.

    Each part is the one with most normal forms among a few random terms. None if their choices are
    fewer than ``forms`` in all.
    """
    half = (symbols - 1) // 2
    parts, choices = list[Term](), 1
    for each in (half, symbols - 1 - half):
        part, number = _ambiguous(rng, signature, system, each)
        parts.append(part)
        choices *= number
    if choices < forms:
        return None
    whole: Term = (rng.choice(signature.binary), *parts)
    return (rng.choice(signature.unary), whole) if rng.random() < 0.5 else whole


def _ambiguous(
    rng: Random, signature: Signature, system: Rewriting, symbols: int
) -> tuple[Term, int]:
    """A term and the number of its normal forms."""
    best: Term = (signature.constants[0],)
    most = 1
    for _ in range(6):
        term = random_term(rng, signature, signature.constants, max(1, symbols))
        reached = reducts(term, system, 40)
        if reached is not None and len(reached.normal_forms) >= most:
            best, most = term, len(reached.normal_forms)
    return best, most
