"""Amounts: units that convert, and products of a number with what may be a unit of one letter."""

import re

from palaestra.verifiers.answers.leaves import ONE, multiplied
from palaestra.verifiers.answers.nodes import MEASURED, Node, variables
from palaestra.verifiers.answers.values import exact
from palaestra.verifiers.quantities.units import Unit, unit_like


def scaled(quantity: Node) -> Node:
    """A quantity in the base units of its dimension."""
    known: Unit = quantity.value[0]
    value = Node("mul", (quantity.of[0], Node("number", (), known.factor)))
    return Node("add", (value, Node("number", (), known.offset))) if known.offset else value


def amount(node: Node, like: Unit) -> Node:
    """Return a product as an amount, if it can be read as one: "5m" is five metres.

    Only for a number times names that make a unit of the same dimension; otherwise it stays.
    """
    unit = unit_text(node)
    if unit is None:
        return node
    number, words = unit
    known = unit_like(words, like)
    if known is None or known.dimension != like.dimension:
        return node
    return Node("quantity", (number,), (known, words))


def unit_text(node: Node) -> tuple[Node, str] | None:
    """Return the number and the unit of a product, if it can be an amount."""
    if node.op == "neg":
        inner = unit_text(node.of[0])
        return None if inner is None else (Node("neg", (inner[0],)), inner[1])
    if node.op not in {"mul", "div"}:
        return None
    above, below = (_factors(part) for part in (node.of if node.op == "div" else (node, ONE)))
    if _unit_word(above[-1]) is None:
        return None
    number, names = _split(above)
    divisor, others = _split(below)
    words, over = _unit_words(names), _unit_words(others)
    if not number or words is None or over is None:
        return None
    first = multiplied(number)
    if divisor and divisor != [ONE]:  # 6/15 m
        first = Node("div", (first, multiplied(divisor)))
    return first, f"{words}/({over})" if over else words


def _factors(node: Node) -> tuple[Node, ...]:
    return node.of if node.op == "mul" else (node,)


def _split(factors: tuple[Node, ...]) -> tuple[list[Node], list[Node]]:
    """The numbers that a product begins with, and the rest."""
    split = next((n for n, part in enumerate(factors) if variables(part)), len(factors))
    return list(factors[:split]), list(factors[split:])


def _unit_words(names: list[Node]) -> str | None:
    """The unit that names make, or nothing for none; None where they can make none."""
    words = [_unit_word(name) for name in names]
    if None in words:
        return None
    return _PREFIXED.sub(r"\1Ω", " ".join(filter(None, words)))


_PREFIXED = re.compile(r"([kMGmnµ]) Ω")
_GREEK_UNITS = {"Omega": "Ω", "mu": "µ"}


def is_measured(node: Node) -> bool:
    """Whether a product has a unit of one letter behind its number."""
    if node.op in {"neg", "div"}:
        node = node.of[0]
    return node.op == "mul" and node.value == MEASURED


def _unit_word(node: Node) -> str | None:
    if node.op == "variable":
        return _GREEK_UNITS.get(node.value, str(node.value))
    if node.op == "pow" and node.of[0].op == "variable":
        exponent = exact(node.of[1])
        if exponent is not None and exponent.denominator == 1 and abs(exponent) < 9:
            return f"{node.of[0].value}^{exponent}"
    return None
