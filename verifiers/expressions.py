"""Working out sums that others have written: exactly, safely, and step by step.

The grammar is that of school: ``+`` and ``-`` bind least, then ``*``, ``/``, ``//`` and ``mod``,
then a leading minus, then ``^``; equals go from the left, powers from the right. Values are
fractions, so nothing is ever rounded. Answers may use LaTeX and other notations of
:mod:`~palaestra.verifiers.reading.notation`, leave out ``*`` before a bracket (but not behind a
division, where its order would be unclear), and end with an equals sign and the right value.
"""

import ast
import operator
import re
from collections.abc import Callable, Collection
from fractions import Fraction
from typing import NamedTuple

from palaestra.syntax import parse_expression
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.notation import in_ascii
from palaestra.verifiers.reading.numbers import DIGITS, rational

TOKENS = 1_000
"""How many numbers and signs an expression may have."""

DEPTH = 60
"""How deep brackets and signs may be nested."""

BITS = 4_000
"""How many binary digits the parts of a fraction may have on the way."""

_TOKEN = re.compile(r"\s*(\d+|\*\*|//|mod\b|[-+*/^()%])", re.ASCII | re.IGNORECASE)
_ZEROS = re.compile(r"\b0+(?=\d)", re.ASCII)
_SPELLINGS = {"**": "^", "%": "mod"}
_NUMBER = re.compile(r"\d+", re.ASCII)
_PRODUCT = re.compile(r"(?<=[\d)])\s*+\(")
_SPELLINGS = {"**": "^", "%": "mod"}
_PRODUCTS = ("*", "/", "//", "mod")


Number = int | Fraction
"""A value on the way: whole numbers are worked with as they are, which takes less time."""


class Worked(NamedTuple):
    """An expression that was worked out."""

    value: Fraction
    numbers: tuple[int, ...]
    """The numbers in it, as they stand from left to right."""

    steps: tuple[Fraction, ...]
    """What each sign between two numbers gave, in the order of working."""


def worked(text: str, signs: Collection[str] = "+-*/") -> Worked:
    """Evaluate an expression in which only some operators are allowed.

    Raises :class:`InvalidAnswer` for what is none, for a division by zero and for giants.

    >>> sum = worked("8 / (3 - 8/3)")
    >>> str(sum.value), sum.numbers, [str(step) for step in sum.steps]
    ('24', (8, 3, 8, 3), ['8/3', '1/3', '24'])
    >>> str(worked("-2^2 + 7 mod 4", ("+", "^", "mod")).value)
    '-1'
    """
    expression, stated = _sides(text)
    reader = _Reader(_tokens(expression), signs)
    value = reader.sum()
    if reader.next:
        raise InvalidAnswer(f"not an expression: unexpected {reader.next!r} after its end")
    if stated and rational(stated, "the value of the expression after '='") != value:
        raise InvalidAnswer("the expression does not have the value that is written after '='")
    return Worked(Fraction(value), tuple(reader.numbers), tuple(map(Fraction, reader.steps)))


def _sides(text: str) -> tuple[str, str]:
    """An expression, and the value that an equals sign gives it, or "".

    >>> _sides("8 * 3 = 24"), _sides("24 = 8 * 3"), _sides("8 * 3")
    (('8 * 3 ', ' 24'), ('8 * 3', '24 '), ('8 * 3', ''))
    """
    one, equals, other = in_ascii(text).partition("=")
    if equals and not other.strip():
        raise InvalidAnswer("not an expression: nothing follows '='")
    if len(_NUMBER.findall(other)) > len(_NUMBER.findall(one)):
        one, other = other.strip(), one
    return one, other


def apply(sign: str, left: Number, right: Number) -> Number:
    """Apply an operator to two numbers.

    >>> [str(apply(sign, Fraction(-7), Fraction(2))) for sign in ("/", "//", "mod", "^")]
    ['-7/2', '-4', '1', '49']
    """
    if sign in ("/", "//", "mod") and not right:
        raise InvalidAnswer("a division by zero")
    if sign == "^":
        return _power(left, right)
    return _bounded(_MEANING[sign](left, right))


_MEANING: dict[str, Callable[[Number, Number], Number]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": Fraction,
    "//": operator.floordiv,
    "mod": operator.mod,
}


def _power(base: Number, exponent: Number) -> Number:
    if exponent.denominator != 1 or not (base or exponent > 0):
        raise InvalidAnswer("a power that is not a number of this kind")
    if abs(exponent.numerator) * _bits(base) > BITS:
        raise InvalidAnswer("a number too large on the way")
    return Fraction(Fraction(base) ** int(exponent))


def _bits(number: Number) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def _bounded(number: Number) -> Number:
    if _bits(number) > BITS:
        raise InvalidAnswer("a number too large on the way")
    return number


def _tokens(text: str) -> list[str]:
    chars = text.strip()
    tokens: list[str] = []
    position = 0
    while position < len(chars):
        token = _TOKEN.match(chars, position)
        if not token:
            raise InvalidAnswer("expected an expression of numbers, operators and parentheses")
        tokens.append(_SPELLINGS.get(token[1], token[1].lower()))
        position = token.end()
        if len(tokens) > TOKENS or len(token[1]) > DIGITS:
            raise InvalidAnswer("not an expression: too long")
    return tokens


class _Reader:
    """Recursive descent, which works the expression out as it goes."""

    def __init__(self, tokens: list[str], signs: Collection[str]) -> None:
        self.tokens = [*tokens, ""]  # which no part of an expression begins with
        self.signs = signs
        self.position = self.depth = 0
        self.numbers: list[int] = []
        self.steps: list[Number] = []

    @property
    def next(self) -> str:
        return self.tokens[self.position]

    def sum(self) -> Number:
        value = self._product()
        while self.next in ("+", "-"):
            sign = self._sign()
            value = self._step(sign, value, self._product())
        return value

    def _product(self) -> Number:
        value = self._signed()
        divided = False
        while self.next in _PRODUCTS or self.next == "(":
            if self.next == "(" and divided:
                raise InvalidAnswer("a product without '*' behind a division; set brackets")
            sign = "*" if self.next == "(" else self._sign()
            if sign not in self.signs:
                raise InvalidAnswer(f"the operator {sign!r} is not allowed")
            divided = sign != "*"
            value = self._step(sign, value, self._signed())
        return value

    def _signed(self) -> Number:
        if self.next not in ("+", "-"):
            return self._powers()
        negative = self.next == "-"
        self.position += 1
        value = self._deeper(self._signed)
        return -value if negative else value

    def _powers(self) -> Number:
        base = self._atom()
        if self.next != "^":
            return base
        return self._step(self._sign(), base, self._deeper(self._signed))

    def _atom(self) -> Number:
        token = self.next
        self.position += 1
        if token.isdigit():
            self.numbers.append(int(token))
            return self.numbers[-1]
        if token != "(":
            raise InvalidAnswer(f"not an expression: {token or 'its end'!r} instead of a number")
        value = self._deeper(self.sum)
        if self.next != ")":
            raise InvalidAnswer("not an expression: a bracket is not closed")
        self.position += 1
        return value

    def _sign(self) -> str:
        sign = self.next
        if sign not in self.signs:
            raise InvalidAnswer(f"the operator {sign!r} is not allowed")
        self.position += 1
        return sign

    def _step(self, sign: str, left: Number, right: Number) -> Number:
        self.steps.append(apply(sign, left, right))
        return self.steps[-1]

    def _deeper(self, part: Callable[[], Number]) -> Number:
        self.depth += 1
        if self.depth > DEPTH:
            raise InvalidAnswer("not an expression: too deeply nested")
        value = part()
        self.depth -= 1
        return value


def second_opinion(text: str) -> Worked | None:
    """The same by Python's own grammar, of which only the parser is used; ``None`` for no sum.

    >>> second_opinion("2 * -3 - 1").value
    Fraction(-7, 1)
    """
    try:
        expression, _ = _sides(text)
    except InvalidAnswer:
        return None
    source = expression.replace("^", "**").replace("mod", "%").strip()
    source = _PRODUCT.sub("*(", _ZEROS.sub("", source))
    if len(source) > 500 or not set(source) <= set("0123456789+-*/%() "):
        return None
    numbers: list[int] = []
    steps: list[Number] = []
    try:
        value = _walk(parse_expression(source), numbers, steps)
    except (SyntaxError, RecursionError, MemoryError, InvalidAnswer):
        return None
    return Worked(Fraction(value), tuple(numbers), tuple(map(Fraction, steps)))


_NODES: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/",
    ast.FloorDiv: "//", ast.Mod: "mod", ast.Pow: "^",
}  # fmt: skip


def _walk(node: ast.expr, numbers: list[int], steps: list[Number]) -> Number:
    match node:
        case ast.Constant(value=int(number)):
            numbers.append(number)
            return number
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=part):
            value = _walk(part, numbers, steps)
            return -value if isinstance(node.op, ast.USub) else value
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _NODES:
            one, other = _walk(left, numbers, steps), _walk(right, numbers, steps)
            steps.append(apply(_NODES[type(sign)], one, other))
            return steps[-1]
    raise InvalidAnswer("not a sum")
