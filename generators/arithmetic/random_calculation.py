"""Random expressions whose intermediate values stay small."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from palaestra.task import InvalidAnswer
from palaestra.verifiers.expressions import Number, apply

LARGEST = 10**9
"""The largest absolute value of an intermediate result."""

FINEST = 2_000
"""The largest denominator of an intermediate result."""

_RANKS = {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "mod": 2, "^": 3}
_NUMBER = 4


class Term(NamedTuple):
    """An expression, its value, and the precedence of its outermost sign."""

    text: str
    value: Number
    rank: int = _NUMBER

    def bracketed(self, least: int) -> str:
        """The text, in brackets if its precedence is below ``least``."""
        return self.text if self.rank >= least else f"({self.text})"


def number(value: int) -> Term:
    """A number as a term."""
    return Term(str(value), value)


def combine(sign: str, left: Term, right: Term) -> Term | None:
    """Two terms joined by a sign; ``None`` if the result is undefined or too large.

    >>> four, minus = number(4), combine("-", number(1), number(3))
    >>> combine("-", four, minus).text, combine("*", minus, four).text
    ('4 - (1 - 3)', '(1 - 3) * 4')
    >>> combine("/", four, number(0))
    """
    if sign in ("//", "mod") and not (left.value.denominator == right.value.denominator == 1):
        return None
    if sign == "^" and not (right.rank == _NUMBER and right.value <= 4 and -30 <= left.value <= 30):
        return None
    try:
        value = apply(sign, left.value, right.value)
    except InvalidAnswer:
        return None
    if value.denominator > FINEST or abs(value.numerator) > LARGEST * value.denominator:
        return None
    rank = _RANKS[sign]
    # Operations associate to the left, so a right operand of equal precedence needs brackets; an
    # exponent is always a number, and any other base than a number needs brackets.
    first = left.bracketed(_NUMBER if sign == "^" else rank)
    return Term(f"{first} {sign} {right.bracketed(rank + 1)}", value, rank)


def negated(term: Term) -> Term:
    """A term with a leading minus, which needs brackets unless it begins a sum.

    >>> combine("*", number(2), negated(number(3))).text
    '2 * (-3)'
    """
    return Term(f"-{term.bracketed(3)}", -term.value, 1)


def expression(
    rng: Random, length: int, largest: int, signs: Sequence[str], minus: float = 0.0
) -> Term:
    """A random expression of ``length`` numbers from 1 to ``largest``.

    ``minus`` is the probability that a part has a leading minus.
    """
    term = number(rng.randint(1, largest)) if length == 1 else None
    while not term:
        cut = rng.randrange(1, length)
        left = expression(rng, cut, largest, signs, minus)
        right = expression(rng, length - cut, largest, signs, minus)
        term = _combined(rng, left, right, signs)
    return negated(term) if minus and rng.random() < minus else term


def _combined(rng: Random, left: Term, right: Term, signs: Sequence[str]) -> Term | None:
    for sign in rng.sample(signs, len(signs)):
        small = sign == "^" and right.rank == _NUMBER  # exponents are sampled separately
        if term := combine(sign, left, number(rng.randint(2, 3)) if small else right):
            return term
    return None
