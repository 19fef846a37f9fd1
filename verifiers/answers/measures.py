"""Amounts: units that convert, and products of a number with what may be a unit of one letter."""

import re

from palaestra.verifiers.answers.leaves import multiplied
from palaestra.verifiers.answers.nodes import MEASURED, Node, variables
from palaestra.verifiers.answers.values import exact
from palaestra.verifiers.units import Unit, unit_like


def scaled(quantity: Node) -> Node:
    """A quantity in the base units of its dimension."""
    known: Unit = quantity.value[0]
    value = Node("mul", (quantity.of[0], Node("number", (), known.factor)))
    return Node("add", (value, Node("number", (), known.offset))) if known.offset else value


def amount(node: Node, like: Unit) -> Node:
    """A product as an amount, where it can be read as one: "5m" as five metres.

    Only for a number times names that make a unit of the same dimension; otherwise it stays.
    """
    told = unit_text(node)
    if told is None:
        return node
    number, words = told
    known = unit_like(words, like)
    if known is None or known.dimension != like.dimension:
        return node
    return Node("quantity", (number,), (known, words))


def unit_text(node: Node) -> tuple[Node, str] | None:
    """The number and the unit of a product, where it may be an amount."""
    if node.op == "neg":
        inner = unit_text(node.of[0])
        return None if inner is None else (Node("neg", (inner[0],)), inner[1])
    if node.op not in {"mul", "div"}:
        return None
    above, below = (node.of[0], node.of[1]) if node.op == "div" else (node, None)
    factors = above.of if above.op == "mul" else (above,)
    split = next((n for n, part in enumerate(factors) if variables(part)), 0)
    first, names = multiplied(list(factors[:split])) if split else factors[0], factors[split:]
    words = [_unit_word(name) for name in names]
    over = (
        None
        if below is None
        else [_unit_word(name) for name in (below.of if below.op == "mul" else (below,))]
    )
    if not split or None in words or (over is not None and None in over):
        return None
    text = _PREFIXED.sub(r"\1Ω", " ".join(filter(None, words)))
    return first, text if over is None else f"{text}/({' '.join(filter(None, over))})"


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
