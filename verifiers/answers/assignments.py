"""What a chain of equalities, such as x = 3 + 4 = 7, gives a name to, and which value."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from palaestra.task import InvalidAnswer
from palaestra.verifiers.answers.equality import equal
from palaestra.verifiers.answers.nodes import ARITHMETIC, Node, infinite, variables
from palaestra.verifiers.answers.values import context, numeric


class Assigned(NamedTuple):
    """A name, or None for bare numbers, and its value; several where some are rounded."""

    name: Node | None
    values: tuple[Node, ...]


def assigned(relation: Node) -> Assigned | None:
    """Return the name and the value of a chain of equalities; None if it assigns nothing.

    Raises :class:`InvalidAnswer` for a chain that is false, such as 7 = 3 + 5 or 3 ≈ 4.
    """
    if any(sign not in {"=", "~", "->"} for sign in relation.value):
        return None
    sides = relation.of
    for one, sign, other in _constant_steps(relation):
        if sign == "=" and not infinite(one) and not equal(_plain(one), _plain(other)):
            raise InvalidAnswer("its sides are not equal")
        if sign == "~" and not _rounds(one, other):
            raise InvalidAnswer("its sides are not nearly equal")
    head, last = sides[0], sides[-1]
    if not variables(head) and all(map(_is_constant, sides)):
        return Assigned(None, sides if "~" in relation.value else (last,))
    if _is_name(head):
        rounded = "~" in relation.value[1:] and all(map(_is_constant, sides[1:]))
        return Assigned(head, sides[1:] if rounded else (last,))
    if last.op in {"variable", "letters"} and not variables(head):
        return Assigned(last, (head,))
    return None


def _is_constant(side: Node) -> bool:
    """Whether a side has a value of its own, as a number or a percentage."""
    if side.op == "percent":
        side = side.of[0]
    return side.op in ARITHMETIC and not variables(side)


def _constant_steps(relation: Node) -> Iterator[tuple[Node, str, Node]]:
    """The constant sides of a chain that follow each other, with the sign between them: that they
    are equal where names stand between them, too.
    """
    steps = [(n, side) for n, side in enumerate(relation.of) if _is_constant(side)]
    for (n, one), (m, other) in pairwise(steps):
        signs = relation.value[n:m]
        if "->" not in signs:
            yield one, "~" if "~" in signs else "=", other


def _rounds(one: Node, other: Node) -> bool:
    """Whether the second is the first, rounded or cut off after its last digit; where only the
    first is written out, whether that is the second rounded.
    """
    if (digit := _last_digit(other)) is None:
        one, other, digit = other, one, _last_digit(one)
    if digit is None:
        return equal(_plain(one), _plain(other))
    ctx = context()
    true, value = (numeric(_plain(side), {}) for side in (one, other))
    if ctx.im(true) != 0 or ctx.im(value) != 0:
        return False
    step = ctx.mpf(digit.numerator) / digit.denominator
    return bool(abs(true - value) <= step / 2 or 0 <= (abs(true) - abs(value)) < step)


def _plain(side: Node) -> Node:
    """A percentage as a number."""
    if side.op != "percent":
        return side
    return Node("div", (side.of[0], Node("number", (), Fraction(100))))


def _last_digit(side: Node) -> Fraction | None:
    """What one more in its last digit is worth, for a number that is written out."""
    if side.op == "neg":
        return _last_digit(side.of[0])
    if side.op == "percent":
        inner = _last_digit(side.of[0])
        return None if inner is None else inner / 100
    if side.op == "number" and side.value.denominator == 1:
        return Fraction(1)
    if side.op != "decimal":
        return None
    mantissa, _, exponent = side.value[1].lower().partition("e")
    return Fraction(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def _is_name(node: Node) -> bool:
    """Whether something is given a value by it: x, f(x), P(A), an angle, |AB|, a : b."""
    if node.op in {"variable", "letters"}:
        return True
    if node.op in {"abs", "ratio"}:
        return all(map(_is_name, node.of))
    if node.op == "constant":
        return node.value in {"e", "i"}
    if node.op == "mul":
        return node.of[0].op == "variable" and all(map(_is_argument, node.of))
    return node.op == "tuple" and all(map(_is_name, node.of))


def _is_argument(node: Node) -> bool:
    return node.op in {"variable", "number"} or (node.op == "constant" and node.value in {"e", "i"})


def names_differ(one: Node | None, other: Node | None) -> bool:
    """Return whether two names denote different things; f(x) may be called y."""
    if one is None or other is None:
        return False
    if one.op == other.op == "letters":
        return sorted(one.value) != sorted(other.value)  # AB and BA are one segment
    return one.op == other.op == "variable" and one != other


def without_words(equation: Node, multiplied: bool) -> Node:
    """An equation with the letters that make a side multiplied, or taken for one name."""

    def changed(side: Node) -> Node:
        if side.op != "letters":
            return side
        return side.of[0] if multiplied else Node("variable", (), side.value)

    return equation.changed(changed)


def spells(answer: Node, word: str) -> bool:
    """Whether letters are those of a word, in its order: side by side, or multiplied."""
    if answer.op == "letters":
        return bool(answer.value == word)
    if answer.op != "mul" or any(part.op != "variable" for part in answer.of):
        return False
    return word == "".join(part.value for part in answer.of)


def chain(node: Node) -> list[Node]:
    """What hyphens join into a row, such as the path A-B-C or 1-2-3; nothing for other sums."""
    first, *others = node.of
    if len(others) < 2 or any(other.op != "neg" for other in others):
        return []
    links = [first, *(other.of[0] for other in others)]
    letters = all(link.op == "variable" and link.value.isupper() for link in links)
    return links if letters or all(link.op == "number" for link in links) else []
