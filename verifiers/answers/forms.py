"""The form of an answer, where a task asks for more than the right value (rule R21)."""

import math
import re
from fractions import Fraction

from palaestra.verifiers.answers.nodes import Node, variables
from palaestra.verifiers.answers.values import exact

_PLAIN_DECIMAL = re.compile(r"[-+]?\d+(?:\.(\d+))?")


def misfit(form: str, gold: Node, answer: Node, text: str) -> str:
    """What keeps an answer from having a form, or nothing.

    >>> from palaestra.verifiers.answers.grammar import parsed
    >>> misfit("simplified", parsed("1/2"), parsed("2/4"), "2/4")
    'it is not in lowest terms'
    """
    if form == "value":
        return ""
    if form.startswith("decimal"):
        places = int(form.removeprefix("decimal(").removesuffix(")"))
        number = _PLAIN_DECIMAL.fullmatch(text.replace(",", "").strip("$ "))
        fits = number is not None and len(number[1] or "") == places
        return "" if fits else f"it is not a number with {places} decimals"
    if form == "closed":
        return "it has decimals" if answer.has("decimal") else ""
    if form == "factored":
        short = factors(answer) < factors(gold)
        return "it has fewer factors than it could have" if short else ""
    return next(filter(None, map(_unfinished, answer.within())), "")


def factors(node: Node) -> int:
    """Return how many factors with variables a product has; a power counts as its exponent."""
    if node.op == "neg":
        return factors(node.of[0])
    if node.op in {"mul", "div"}:
        return sum(map(factors, node.of))
    if not variables(node):
        return 0
    if node.op == "pow":
        times = exact(node.of[1]) if not variables(node.of[1]) else None
        if times is not None and times.denominator == 1 and 0 < times <= 100:
            return int(times) * factors(node.of[0])
    return 1


def _unfinished(node: Node) -> str:
    """What is left to work out at one place, or nothing."""
    match node.op:
        case "decimal":
            return ""
        case "div":
            return _fraction(node)
        case "pow":
            return _power(node)
        case "add" if sum(map(_is_rational, node.of)) > 1:
            # A whole number and a proper fraction make a mixed number, which is simple enough.
            return "" if _is_mixed(node) else "two of its terms can be added"
        case "add" if len({repr(_unknown(term)) for term in node.of}) < len(node.of):
            return "two of its terms can be added"
        case "mul" if sum(map(_is_rational, node.of)) > 1:
            return "two of its factors can be multiplied"
        case "call" if exact(node) is not None:
            return "a function is left to work out"
    return ""


def _is_rational(node: Node) -> bool:
    return exact(node) is not None


def _is_mixed(node: Node) -> bool:
    whole, *others = node.of
    return whole.op == "number" and len(others) == 1 and others[0].op == "div"


def _unknown(term: Node) -> Node:
    """A term without its rational factor."""
    if term.op == "neg":
        return _unknown(term.of[0])
    if term.op == "mul":
        return Node("mul", tuple(part for part in term.of if exact(part) is None))
    return Node("mul", () if exact(term) is not None else (term,))


def _fraction(node: Node) -> str:
    above, below = map(exact, node.of)
    if above is not None and below is not None:
        if above.denominator != 1 or below.denominator != 1 or below <= 0:
            return "a fraction is left to work out"
        lowest = math.gcd(above.numerator, below.numerator) == 1 and below > 1
        return "" if lowest else "it is not in lowest terms"
    if not variables(node.of[1]) and below is None and _has_root(node.of[1]):
        return "there is a root in a denominator"
    common = [_coefficient(part) for part in node.of]
    if all(value.denominator == 1 for value in common) and math.gcd(*map(int, common)) > 1:
        return "it is not in lowest terms"
    return ""


def _coefficient(node: Node) -> Fraction:
    """The greatest whole number that every term is divisible by."""
    if node.op == "neg":
        return _coefficient(node.of[0])
    if node.op == "add":
        parts = [_coefficient(part) for part in node.of]
        if any(part.denominator != 1 for part in parts):
            return Fraction(1)
        return Fraction(math.gcd(*map(int, parts)))
    if node.op == "mul":
        return math.prod(
            (v for part in node.of if (v := exact(part)) is not None), start=Fraction(1)
        )
    value = exact(node)
    return Fraction(1) if value is None else value


def _has_root(node: Node) -> bool:
    return any(piece.op == "pow" and _degree(piece) > 1 for piece in node.within())


def _degree(power: Node) -> int:
    exponent = exact(power.of[1])
    return 1 if exponent is None else exponent.denominator


def _power(node: Node) -> str:
    base, degree = exact(node.of[0]), _degree(node)
    if base is None:
        return ""
    if exact(node) is not None:
        return "a power is left to work out"
    if base.denominator != 1 or degree < 2:
        return ""
    whole = abs(base.numerator)
    for root in range(2, 1_000):
        if root**degree > whole:
            break
        if whole % root**degree == 0:
            return "a root can be drawn in part"
    return ""
