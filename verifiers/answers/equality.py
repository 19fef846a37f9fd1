"""When two expressions are equal, and two equations, and two sets of real numbers.

Nothing is simplified, so nothing is searched for: values decide.
"""

import hashlib
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from palaestra.task import InvalidAnswer
from palaestra.verifiers.answers.nodes import Node, Undefined, variables
from palaestra.verifiers.answers.values import (
    DIGITS,
    EFFORT,
    PRIME,
    context,
    cost,
    exact,
    is_rational,
    numeric,
    residue,
)

NOISE = 15
"""How many of the last digits are not looked at."""


def equal(one: Node, other: Node) -> bool:
    """Whether two expressions have the same value, at all values of their variables.

    Raises :class:`Undefined` where one of them has none, and :class:`InvalidAnswer` with status
    ``limit`` where that would take too long to find.
    """
    names = variables(one) | variables(other)
    if not names:
        left, right = exact(one), exact(other)
        if left is not None and right is not None:
            return left == right
        affordable([one, other], 1)
        return same_number(one, other)
    if is_rational(one) and is_rational(other):
        return _identical(one, other, names)
    affordable([one, other], 3)
    return _agreeing(one, other, names)


def affordable(nodes: Iterable[Node], times: int) -> None:
    """Raises :class:`InvalidAnswer` if so many evaluations would take too long."""
    if sum(map(cost, nodes)) * times > EFFORT:
        raise InvalidAnswer("too long an expression to work out", "limit")


# ------------------------------------------------------------------ rational functions


def _identical(one: Node, other: Node, names: Iterable[str]) -> bool:
    """Whether two rational functions are one (Schwartz 1980, Zippel 1979)."""
    agreed = 0
    for turn in range(6):
        point = {name: _residue_of(name, turn) for name in names}
        try:
            if residue(one, point) != residue(other, point):
                return False
        except ZeroDivisionError:
            continue
        agreed += 1
        if agreed == 2:
            return True
    raise Undefined("it divides by zero")


@lru_cache(maxsize=4096)
def _residue_of(name: str, turn: int) -> int:
    digest = hashlib.blake2b(f"{turn} {name}".encode("utf-8", "replace"), digest_size=16)
    return int.from_bytes(digest.digest(), "big") % PRIME


# ------------------------------------------------------------------ numbers, to many digits


def close(one: Any, other: Any) -> bool:
    """Whether two numbers agree in all digits that count."""
    ctx = context()
    if one == other or ctx.isinf(one) or ctx.isinf(other):
        return bool(one == other)
    return bool(abs(one - other) <= max(abs(one), abs(other)) * ctx.mpf(10) ** (NOISE - DIGITS))


def same_number(one: Node, other: Node) -> bool:
    """Return whether two constants are equal; more digits decide small differences."""
    ctx = context()
    left, right = numeric(one, {}), numeric(other, {})
    if close(left, right):
        return True
    if max(ctx.mag(left), ctx.mag(right)) > -40 and ctx.mag(left - right) > -100:
        return False
    apart = abs(left - right)
    with ctx.workdps(2 * DIGITS):
        again = abs(numeric(one, {}) - numeric(other, {}))
        return bool(again < apart * ctx.mpf(10) ** (NOISE - DIGITS // 2))


def _agreeing(one: Node, other: Node, names: Iterable[str]) -> bool:
    """Whether two functions agree at places of all signs."""
    ctx = context()
    agreed = False
    for left, right, negative in _values(one, other, names):
        if negative and not (_is_real(left, ctx) and _is_real(right, ctx)):
            continue  # on other branches of roots and logarithms there is nothing to compare
        if not close(left, right):
            return False
        agreed = True
    if not agreed:
        raise Undefined("it has no value at any place that was tried")
    return True


def _values(one: Node, other: Node, names: Iterable[str]) -> Iterator[tuple[Any, Any, bool]]:
    """The values of two expressions where both have one, and whether that is below zero."""
    for turn, negative in enumerate((False, False, True)):
        point = {name: _place(name, turn, negative) for name in names}
        try:
            yield numeric(one, point), numeric(other, point), negative
        except Undefined:
            continue


def _is_real(value: Any, ctx: Any) -> bool:
    return bool(abs(ctx.im(value)) <= abs(value) * ctx.mpf(10) ** (NOISE - DIGITS))


def _place(name: str, turn: int, negative: bool) -> Any:
    """Where a variable is put: in (0, 1), then in (1, 3), then on the other side of zero."""
    ctx = context()
    share = ctx.mpf(_residue_of(name, turn)) / PRIME
    value = share / 2 + ctx.mpf(1) / 4 if turn == 0 else 1 + 2 * share
    return -value if negative else value


# ------------------------------------------------------------------ equations


def proportional(one: Node, other: Node) -> bool:
    """Whether two differences vanish at the same places: one is a constant times the other."""
    names = variables(one)
    if not names or names != variables(other):
        return False
    if is_rational(one) and is_rational(other):
        return _proportional(one, other, names)
    affordable([one, other], 3)
    ratios = []
    for left, right, _ in _values(one, other, names):
        if left == 0 or right == 0:
            return False
        ratios.append(left / right)
    return len(ratios) > 1 and all(close(a, b) for a, b in pairwise(ratios))


def _proportional(one: Node, other: Node, names: Iterable[str]) -> bool:
    ratios = []
    for turn in range(6):
        point = {name: _residue_of(name, turn) for name in names}
        try:
            left, right = residue(one, point), residue(other, point)
        except ZeroDivisionError:
            continue
        if left == 0 or right == 0:
            return False
        ratios.append(left * pow(right, -1, PRIME) % PRIME)
    return len(ratios) > 2 and len(set(ratios)) == 1


# ------------------------------------------------------------------ sets of real numbers


class Stretch(NamedTuple):
    """An interval: its ends, and whether they are left out."""

    low: Any
    low_open: bool
    high: Any
    high_open: bool


def _end(node: Node) -> Any:
    """An end of an interval, as a real number of mpmath or an infinity."""
    ctx = context()
    if node.op == "constant" and node.value == "inf":
        return ctx.inf
    if node.op == "neg" and node.of[0] == Node("constant", (), "inf"):
        return -ctx.inf
    if variables(node):
        raise InvalidAnswer("an interval ends at a variable")
    affordable([node], 1)
    value = numeric(node, {})
    if not _is_real(value, ctx):
        raise InvalidAnswer("an interval ends at a number that is not real")
    return ctx.re(value)


def stretches(node: Node) -> list[Stretch]:
    """The intervals that a set of real numbers is made of, from low to high and apart.

    Raises :class:`InvalidAnswer` for what is no such set.
    """
    return _merged(_stretches(node))


def _stretches(node: Node) -> list[Stretch]:
    inf = context().inf
    match node.op:
        case "reals":
            return [Stretch(-inf, True, inf, True)]
        case "tuple" if len(node.of) == 2:
            low, high = map(_end, node.of)
            return [Stretch(low, node.value[0] == "(", high, node.value[1] == ")")]
        case "union" | "or":
            return [stretch for part in node.of for stretch in _stretches(part)]
        case "set":
            return [Stretch(end, False, end, False) for end in map(_end, node.of)]
        case "less":
            return _without(_merged(_stretches(node.of[0])), _stretches(node.of[1]))
        case "relation":
            return _related(node)
    raise InvalidAnswer("not a set of real numbers")


def _without(whole: list[Stretch], removed: list[Stretch]) -> list[Stretch]:
    """What is left of intervals when points are taken out of them."""
    for hole in removed:
        if hole.low != hole.high:
            raise InvalidAnswer("only points are taken out of a set here")
        left = []
        for stretch in whole:
            if stretch.low <= hole.low <= stretch.high:
                left.append(stretch._replace(high=hole.low, high_open=True))
                left.append(stretch._replace(low=hole.low, low_open=True))
            else:
                left.append(stretch)
        whole = left
    return whole


_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}


def _related(node: Node) -> list[Stretch]:
    """What an inequality in one variable leaves to it."""
    sides, relations = node.of, node.value
    if relations == ("in",):
        return _stretches(sides[1])
    sides = tuple(map(_unknown, sides))
    if len(set().union(*map(variables, sides))) != 1:
        raise InvalidAnswer("not an inequality in one variable")
    if len(sides) == 3:
        low = _half(sides[1], _TURNED.get(relations[0], ""), sides[0])
        high = _half(sides[1], relations[1], sides[2])
        return [_common(a, b) for a in low for b in high]
    if len(sides) == 2:
        left, right = sides
        if variables(right) and not variables(left):
            return _half(right, _TURNED.get(relations[0], ""), left)
        if variables(right):
            left, right = Node("add", (left, Node("neg", (right,)))), _ZERO
        return _half(left, relations[0], right)
    raise InvalidAnswer("not an inequality that is solved")


def _unknown(side: Node) -> Node:
    """The value of a function at a variable, such as f(x), as an unknown of its own."""
    if side.op == "mul" and all(part.op == "variable" for part in side.of) and len(side.of) == 2:
        function, argument = (part.value for part in side.of)
        if function in {"f", "g", "h", "F", "G", "H"}:
            return Node("variable", (), f"{function}({argument})")
    return side


_ZERO = Node("number", (), Fraction(0))


def _solved(side: Node, relation: str, bound: Node) -> tuple[str, Any]:
    """A linear inequality solved for its variable: the relation, and the end.

    What is linear is told by four values: at 0 and 1, and at two places that nobody foresees.
    """
    ctx = context()
    names = variables(side)
    if len(names) != 1 or variables(bound):
        raise InvalidAnswer("not an inequality in one variable")
    (name,) = names
    affordable([side, bound], 4)
    places = [ctx.mpf(0), ctx.mpf(1), _place(name, 1, False), _place(name, 2, True)]
    limit = numeric(bound, {})
    values = [numeric(side, {name: point}) - limit for point in places]
    slope = values[1] - values[0]
    straight = all(close(v, values[0] + slope * p) for v, p in zip(values[2:], places[2:]))
    if not straight or slope == 0 or not all(_is_real(value, ctx) for value in values):
        raise InvalidAnswer("not a linear inequality")
    return relation if slope > 0 else _TURNED.get(relation, ""), -values[0] / slope


def _half(unknown: Node, relation: str, bound: Node) -> list[Stretch]:
    inf = context().inf
    if unknown.op not in {"variable", "abs"}:
        relation, end = _solved(unknown, relation, bound)
        unknown = Node("variable", (), "")
    else:
        end = _end(bound)
    is_strict = relation in {"<", ">"}
    if unknown.op == "abs" and unknown.of[0].op == "variable" and end >= 0:
        if relation in {"<", "<="}:
            return [Stretch(-end, is_strict, end, is_strict)]
        if relation in {">", ">="}:
            return [Stretch(-inf, True, -end, is_strict), Stretch(end, is_strict, inf, True)]
    if unknown.op == "variable":
        match relation:
            case "<" | "<=":
                return [Stretch(-inf, True, end, is_strict)]
            case ">" | ">=":
                return [Stretch(end, is_strict, inf, True)]
            case "=":
                return [Stretch(end, False, end, False)]
            case "!=":
                return [Stretch(-inf, True, end, True), Stretch(end, True, inf, True)]
    raise InvalidAnswer("not an inequality that is solved")


def _common(one: Stretch, other: Stretch) -> Stretch:
    low = max((one.low, one.low_open), (other.low, other.low_open))
    high = min((one.high, not one.high_open), (other.high, not other.high_open))
    return Stretch(low[0], low[1], high[0], not high[1])


def _merged(stretches: list[Stretch]) -> list[Stretch]:
    real = [
        s
        for s in stretches
        if s.low < s.high or (s.low == s.high and not (s.low_open or s.high_open))
    ]
    merged: list[Stretch] = []
    for stretch in sorted(real, key=lambda s: (s.low, s.low_open)):
        last = merged[-1] if merged else None
        touching = last is not None and (
            stretch.low < last.high
            or (stretch.low == last.high and not (stretch.low_open and last.high_open))
        )
        if last is None or not touching:
            merged.append(stretch)
        elif (stretch.high, not stretch.high_open) > (last.high, not last.high_open):
            merged[-1] = last._replace(high=stretch.high, high_open=stretch.high_open)
    return merged


def same_stretches(one: Node, other: Node) -> bool:
    """Whether two sets of real numbers are the same."""
    left, right = stretches(one), stretches(other)
    return len(left) == len(right) and all(
        (a.low_open, a.high_open) == (b.low_open, b.high_open)
        and close(a.low, b.low)
        and close(a.high, b.high)
        for a, b in zip(left, right)
    )
