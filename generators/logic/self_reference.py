"""Statements about the truth of statements in one list: sampling, wording and evaluation.

A world assigns a truth value to each statement. The worlds in which a statement's claim holds are
a mask with one bit for each world, as for the wires of a circuit.
"""

from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.circuits import wires

Kind = Literal[
    "exactly", "at least", "at most", "is true", "is false", "alike", "differ", "either", "both",
    "even", "among first", "next false", "more odd",
]  # fmt: skip


class Claim(NamedTuple):
    """A statement about statements, numbered from 1, or about the number of true ones."""

    form: Kind
    one: int
    other: int


def random_claim(rng: Random, form: Kind, number: int) -> Claim:
    """A random claim of a kind, about ``number`` statements."""
    one, other = sorted(rng.sample(range(1, number + 1), 2))
    # Unused fields are 0, so that equal claims compare equal.
    if form in {"even", "more odd"}:
        return Claim(form, 0, 0)
    if form in {"exactly", "at least", "at most"}:
        return Claim(form, rng.randint(1, number - 1), 0)
    if form in {"is true", "is false"}:
        return Claim(form, rng.randint(1, number), 0)
    if form == "among first":
        return Claim(form, rng.randint(2, number - 1), rng.randint(1, 2))
    return Claim(form, one, other)


def as_text(claim: Claim) -> str:
    """A statement in words.

    >>> as_text(Claim("at most", 1, 0))
    'At most 1 of these statements is true.'
    """
    form, one, other = claim
    are = "is" if (other if form == "among first" else one) == 1 else "are"
    return {
        "exactly": f"Exactly {one} of these statements {are} true.",
        "at least": f"At least {one} of these statements {are} true.",
        "at most": f"At most {one} of these statements {are} true.",
        "is true": f"Statement {one} is true.",
        "is false": f"Statement {one} is false.",
        "alike": f"Statements {one} and {other} are both true or both false.",
        "differ": f"Of statements {one} and {other}, exactly one is true.",
        "either": f"Of statements {one} and {other}, at least one is true.",
        "both": f"Statements {one} and {other} are both true.",
        "even": "The number of true statements among these is even.",
        "among first": f"Of the first {one} statements, exactly {other} {are} true.",
        "next false": f"Statement {one} is true or statement {other} is false, or both.",
        "more odd": "More statements with odd numbers than with even numbers are true.",
    }[form]


def holds(claim: Claim, true: frozenset[int], number: int) -> bool:
    """Whether a claim holds if exactly these statements are true.

    >>> holds(Claim("exactly", 2, 0), frozenset({1, 3}), 4)
    True
    """
    form, one, other = claim
    counts = {
        "exactly": len(true) == one,
        "at least": len(true) >= one,
        "at most": len(true) <= one,
    }
    if form in counts:
        return counts[form]
    a, b = one in true, other in true
    return {
        "is true": a,
        "is false": not a,
        "alike": a == b,
        "differ": a != b,
        "either": a or b,
        "both": a and b,
        "even": len(true) % 2 == 0,
        "among first": sum(n <= one for n in true) == other,
        "next false": a or not b,
        "more odd": 2 * sum(n % 2 for n in true) > len(true),
    }[form]


@cache
def _counts(statements: tuple[int, ...], number: int) -> tuple[int, ...]:
    """For 0, 1, 2 and so on, the worlds in which that number of some statements is true."""
    tables = wires((), number)
    by_count = [(1 << (1 << number)) - 1]
    for n in statements:
        table = tables[n - 1]
        by_count = [
            (same & ~table) | (fewer & table) for same, fewer in zip([*by_count, 0], [0, *by_count])
        ]
    return tuple(by_count)


def _any(tables: Iterable[int]) -> int:
    either = 0
    for table in tables:
        either |= table
    return either


@lru_cache(maxsize=1_000)
def _column(claim: Claim, number: int) -> int:
    """The mask of the worlds in which a claim holds."""
    form, one, other = claim
    tables, every = wires((), number), (1 << (1 << number)) - 1
    counts = _counts(tuple(range(1, number + 1)), number)
    if form in {"exactly", "at least", "at most", "even"}:
        fits = {
            "exactly": counts[one : one + 1],
            "at least": counts[one:],
            "at most": counts[: one + 1],
            "even": counts[::2],
        }[form]
        return _any(fits)
    if form == "among first":
        return _counts(tuple(range(1, one + 1)), number)[other]
    if form == "more odd":
        odd, even = (_counts(tuple(range(start, number + 1, 2)), number) for start in (1, 2))
        return _any(x & y for n, x in enumerate(odd) for y in even[:n])
    a, b = tables[one - 1], tables[other - 1]
    return {
        "is true": a,
        "is false": every ^ a,
        "alike": every ^ a ^ b,
        "differ": a ^ b,
        "either": a | b,
        "both": a & b,
        "next false": a | (every ^ b),
    }[form]


@lru_cache(maxsize=64)
def consistent(claims: tuple[Claim, ...], among: Collection[int] = ()) -> int:
    """The mask of the worlds in which exactly the claims of true statements hold, of all statements
    or of those ``among`` them.
    """
    number = len(claims)
    worlds = every = (1 << (1 << number)) - 1
    for n, claim in enumerate(claims, 1):
        if among and n not in among:
            continue
        column = _column(claim, number)
        worlds &= every ^ column ^ wires((), number)[n - 1]
    return worlds
