"""Rules of number sequences, and all continuations that fit the first terms of one.

In a rule ``(p, q, r, s)`` each term is ``p * (the one before) + q * (the one before that) +
r * (its own position, from 1) + s``. In some kinds two rules alternate, or two sequences do.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from random import Random
from typing import Literal

Kind = Literal["steady", "placed", "second", "turns", "woven"]

Rule = tuple[int, int, int, int]
Numbers = tuple[int, ...]

FACTORS = (-3, -2, -1, 0, 1, 2, 3)
POSITIONS = (-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5)
LARGEST = 30
"""How far from 0 a constant may be."""


@cache
def shapes(rule_name: Kind) -> tuple[tuple[int, int, int], ...]:
    """The factors p, q, r that rules of a kind may have."""
    q = FACTORS if rule_name == "second" else (0,)
    r = POSITIONS if rule_name == "placed" else (0,)
    return tuple(product(FACTORS, q, r))


def following(terms: Sequence[int], rule: Rule) -> int:
    """The next term.

    >>> following((1, 2, 3), (1, 1, 0, 5))
    10
    """
    p, q, r, s = rule
    return p * terms[-1] + q * terms[-2] + r * (len(terms) + 1) + s


def extended(rule_name: Kind, rules: Sequence[Rule], terms: Sequence[int], number: int) -> Numbers:
    """A sequence with ``number`` more terms.

    >>> extended("woven", [(1, 0, 0, 1), (2, 0, 0, 0)], (5, 1, 6, 2), 3)
    (5, 1, 6, 2, 7, 4, 8)
    """
    numbers = list(terms)
    for _ in range(number):
        turn = len(numbers) % len(rules)
        own = numbers[turn :: len(rules)] if rule_name == "woven" else numbers
        numbers.append(following((0, *own) if rule_name == "woven" else own, rules[turn]))
    return tuple(numbers)


def _fitting(rule_name: Kind, steps: Sequence[tuple[int, int, int, int]]) -> Iterator[Rule]:
    """The rules that give the next term for each pair of terms and position."""
    (b, a, position, wanted), *rest = steps
    for p, q, r in shapes(rule_name):
        s = wanted - p * a - q * b - r * position
        if -LARGEST <= s <= LARGEST and all(p * y + q * x + r * n + s == z for x, y, n, z in rest):
            yield p, q, r, s


def continuations(rule_name: Kind, terms: Numbers, number: int) -> set[Numbers]:
    """The next ``number`` terms by each rule of a kind that fits.

    >>> continuations("steady", (2, 4, 8, 16, 32), 2)
    {(64, 128)}
    """
    if rule_name == "woven":
        options = [list(_fitting("steady", _steps((0, *terms[turn::2])))) for turn in (0, 1)]
    elif rule_name == "turns":
        steps = _steps(terms)
        options = [list(_fitting("steady", steps[first::2])) for first in (0, 1)]
    else:
        options = [list(_fitting(rule_name, _steps(terms)))]
    return {extended(rule_name, rules, terms, number)[len(terms) :] for rules in product(*options)}


def _steps(terms: Sequence[int]) -> list[tuple[int, int, int, int]]:
    return [(terms[n - 2], terms[n - 1], n + 1, terms[n]) for n in range(2, len(terms))]


def random_sequence(rng: Random, rule_name: Kind, size: int) -> Numbers:
    """A sequence of ``size`` terms by random rules."""
    single = rule_name in {"turns", "woven"}
    known = shapes("steady" if single else rule_name)
    rules: list[Rule] = []
    for _ in range(2 if single else 1):
        p, q, r = rng.choice(known)
        rules.append((p, q, r, rng.randint(-20, 20)))
    first = (rng.randint(-9, 20), rng.randint(-9, 20))
    return extended(rule_name, rules, first, size - 2)
