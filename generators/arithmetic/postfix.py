"""Expressions in postfix notation (reverse Polish notation, after Lukasiewicz)."""

from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import TypeVar

Value = TypeVar("Value")

Postfix = tuple[str, ...]
"""Operands and signs; each sign follows its two operands."""


def postfix(rng: Random, operands: Sequence[str], signs: Sequence[str]) -> Postfix:
    """A random expression with the operands in their order.

    >>> postfix(Random(1), ("1", "2", "3"), "+")
    ('1', '2', '3', '+', '+')
    """
    if len(operands) == 1:
        return tuple(operands)
    cut = rng.randrange(1, len(operands))
    left, right = postfix(rng, operands[:cut], signs), postfix(rng, operands[cut:], signs)
    return (*left, *right, rng.choice(signs))


def folded(
    row: Postfix,
    signs: Collection[str],
    read: Callable[[str], Value],
    join: Callable[[str, Value, Value], Value],
) -> Value:
    """The value of an expression, where ``read`` gives the value of an operand and ``join`` that
    of a sign and two values.

    >>> folded(("1", "2", "3", "+", "+"), "+", int, lambda sign, a, b: a + b)
    6
    """
    stack: list[Value] = []
    for token in row:
        if token in signs:
            right, left = stack.pop(), stack.pop()
            stack.append(join(token, left, right))
        else:
            stack.append(read(token))
    return stack[0]


def infix(row: Postfix, signs: Collection[str]) -> str:
    """An expression in infix notation, with brackets around every part but the whole.

    >>> infix(("1", "2", "3", "+", "+"), "+")
    '1 + (2 + 3)'
    """
    text = folded(row, signs, str, lambda sign, left, right: f"({left} {sign} {right})")
    return text[1:-1] if row[-1] in signs else text
