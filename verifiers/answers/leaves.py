"""Numbers as leaves of a tree, and what may be calculated with."""

from fractions import Fraction
from functools import lru_cache

from palaestra.task import InvalidAnswer
from palaestra.verifiers.answers.nodes import ARITHMETIC, Node

DIGITS = 2_000
"""How many digits a number may have."""

ZERO, ONE, TWO, TEN = (Node("number", (), Fraction(n)) for n in (0, 1, 2, 10))
HALF = Node("div", (ONE, TWO))
IMAGINARY = Node("constant", (), "i")
REALS = Node("reals")


def arithmetic_only(node: Node) -> Node:
    """Return the node itself if it has a value; sets and lists have none."""
    if node.op in ARITHMETIC or node.op in {"pm", "based"}:
        return node
    if node.op == "letters":  # what is calculated with is a product, and no word
        return node.of[0]
    raise InvalidAnswer("sets, lists and the like cannot be calculated with")


def negated(node: Node) -> Node:
    """The negative of an expression."""
    return Node("neg", (node.of[0] if node.op == "letters" else node,))


def added(terms: list[Node]) -> Node:
    """A sum, or its only term."""
    if len(terms) == 1:
        return terms[0]
    return Node("add", (arithmetic_only(terms[0]), *terms[1:]))


def multiplied(factors: list[Node]) -> Node:
    """A product, or its only factor; a matrix may be multiplied by numbers before it."""
    if len(factors) == 1:
        return factors[0]
    *scalars, last = factors
    if last.op == "matrix":  # a matrix with numbers before it
        scalar = multiplied(scalars)
        return last.changed(lambda row: row.changed(lambda cell: multiplied([scalar, cell])))
    return Node("mul", tuple(map(arithmetic_only, factors)))


@lru_cache(maxsize=2048)
def number(digits: str) -> Node:
    """A whole number."""
    if len(digits) > DIGITS:
        raise InvalidAnswer(f"a number of more than {DIGITS} digits", "limit")
    return Node("number", (), Fraction(int(digits)))


@lru_cache(maxsize=2048)
def decimal(digits: str) -> Node:
    """A decimal number, with or without a power of ten."""
    mantissa, _, exponent = digits.replace("E", "e").partition("e")
    if len(mantissa) > DIGITS or len(exponent) > 4:
        raise InvalidAnswer(f"a number of more than {DIGITS} digits", "limit")
    value = Fraction("0" + mantissa if mantissa.startswith(".") else mantissa)
    if exponent:
        value *= Fraction(10) ** int(exponent)
    return Node("decimal", (), (value, digits))
