"""A small language of formulas for rows of a table, with its own parser and evaluation.

Values are whole numbers, texts and truth values. A formula never has side effects, cannot loop,
and takes time linear in its length. Its functions are listed in :data:`FUNCTIONS`.
"""

import datetime
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from palaestra.task import InvalidAnswer

Value = int | str | bool
Row = Mapping[str, Value]
Rule = Callable[[Row], Value]

LONGEST = 3_000
"""How many characters a formula may have."""

DEPTH = 40
"""How deep parts may be nested."""

LARGEST = 10**12
"""The largest number on the way."""

_TOKEN = re.compile(
    r"\s*(?:(\d{1,9})(?!\d)|([A-Za-z_]\w{0,30})|'([^'\n]{0,60})'|\"([^\"\n]{0,60})\""
    r"|(<=|>=|<>|!=|==|[-+*=<>(),]))",
    re.ASCII,
)
_SPELLINGS = {"!=": "<>", "==": "="}
_COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "<": int.__lt__,
    "<=": int.__le__,
    ">": int.__gt__,
    ">=": int.__ge__,
}


class FormulaError(ValueError):
    """A formula has no value in a row."""


class Function(NamedTuple):
    """A function of the language."""

    arguments: tuple[type, ...]
    more: bool
    """Whether the last argument may be repeated."""
    apply: Callable[..., Value]


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise FormulaError("NUMBER of a text that is no number")
    return int(text)


def _divided(one: int, other: int) -> int:
    if not other:
        raise FormulaError("a division by zero")
    return one // other


def _remainder(one: int, other: int) -> int:
    return one - other * _divided(one, other)


def _part(text: str, start: int, size: int) -> str:
    if start < 1 or size < 0:
        raise FormulaError("MID of a part that begins before the text, or has a negative length")
    return text[start - 1 : start - 1 + size]


def _date(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise FormulaError("a date that is none") from None


FUNCTIONS: Mapping[str, Function] = {
    "AND": Function((bool, bool), True, lambda *values: all(values)),
    "OR": Function((bool, bool), True, lambda *values: any(values)),
    "NOT": Function((bool,), False, lambda value: not value),
    "MIN": Function((int, int), True, min),
    "MAX": Function((int, int), True, max),
    "DIV": Function((int, int), False, _divided),
    "MOD": Function((int, int), False, _remainder),
    "LEN": Function((str,), False, len),
    "MID": Function((str, int, int), False, _part),
    "NUMBER": Function((str,), False, _number),
    "WEEKDAY": Function((str,), False, lambda text: _date(text).isoweekday()),
    "MONTH": Function((str,), False, lambda text: _date(text).month),
    "DAY": Function((str,), False, lambda text: _date(text).day),
}
"""The functions but for IF, which has no value for the part that is not chosen, and LOOKUP."""

_TYPES = {int: "a number", str: "a text", bool: "a condition"}


def parsed(text: str, columns: Collection[str], table: Mapping[str, int]) -> Rule:
    """Return a formula as a function of a row. Raises :class:`InvalidAnswer` for any other text.

    ``table`` is the table of LOOKUP. The function raises :class:`FormulaError` for a row in which
    the formula has no value.

    >>> rule = parsed("IF(n > 2, MOD(n, 3), LOOKUP(t, 7))", ["n", "t"], {"a": 5})
    >>> rule({"n": 8, "t": ""}), rule({"n": 1, "t": "a"}), rule({"n": 2, "t": "b"})
    (2, 5, 7)
    """
    parser = _Parser(text, columns, table)
    rule = parser.formula()
    if parser.sort:
        raise InvalidAnswer(f"expected the formula to end before {parser.token!r}")
    return rule


class _Parser:
    """Reads a formula from left to right into closures."""

    def __init__(self, text: str, columns: Collection[str], table: Mapping[str, int]) -> None:
        if len(text) > LONGEST:
            raise InvalidAnswer(f"a formula has at most {LONGEST} characters", "limit")
        body = text.strip().removeprefix("=").strip()
        self.columns = {name.casefold(): name for name in columns}
        self.table, self.tokens, end = table, list[tuple[str, str]](), 0
        while end < len(body):
            match = _TOKEN.match(body, end)
            if not match:
                raise InvalidAnswer("expected a formula in the language of the question")
            number, name, one, other, sign = match.groups()
            if number or name:
                self.tokens.append(("number", number) if number else ("name", name))
            elif sign:
                self.tokens.append(("sign", _SPELLINGS.get(sign, sign)))
            else:
                self.tokens.append(("text", other if one is None else one))
            end = match.end()
        self.at, self.depth = 0, 0

    @property
    def sort(self) -> str:
        """What the next token is, or nothing at the end."""
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    @property
    def token(self) -> str:
        """The next token, or nothing at the end."""
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def is_sign(self, *signs: str) -> bool:
        """Whether one of these signs comes next."""
        return self.sort == "sign" and self.token in signs

    def take(self, *wanted: str) -> str:
        """Read a token, one of these signs if there are any."""
        token = self.token
        if not self.sort or (wanted and not self.is_sign(*wanted)):
            raise InvalidAnswer(f"expected {' or '.join(wanted) or 'more'} in the formula")
        self.at += 1
        return token

    def formula(self) -> Rule:
        """A formula, or a part of one: sums with a comparison between them, or one sum."""
        self.depth += 1
        if self.depth > DEPTH:
            raise InvalidAnswer(f"a formula has at most {DEPTH} levels", "limit")
        left = self.sum()
        if self.is_sign("=", "<>", *_COMPARED):
            left = _comparison(self.take(), left, self.sum())
        self.depth -= 1
        return left

    def sum(self) -> Rule:
        """Products with plus and minus signs between them."""
        terms = [("+", self.product())]
        while self.is_sign("+", "-"):
            terms.append((self.take(), self.product()))
        return _sum(terms) if len(terms) > 1 else terms[0][1]

    def product(self) -> Rule:
        """Factors with multiplication signs between them."""
        factors = [self.factor()]
        while self.is_sign("*"):
            self.take()
            factors.append(self.factor())
        return _product(factors) if len(factors) > 1 else factors[0]

    def factor(self) -> Rule:
        """A number, text, column, function or formula in brackets, or minus one of these."""
        negative = False
        while self.is_sign("-"):
            self.take()
            negative = not negative
        rule = self.atom()
        return _sum([("-", rule)]) if negative else rule

    def atom(self) -> Rule:
        """A factor without its sign."""
        sort, token = self.sort, self.take()
        if sort == "number":
            return _constant(int(token))
        if sort == "text":
            return _constant(token)
        if sort == "sign":
            if token != "(":
                raise InvalidAnswer(f"unexpected {token!r} in the formula")
            rule = self.formula()
            self.take(")")
            return rule
        if not self.is_sign("("):
            if token.casefold() not in self.columns:
                raise InvalidAnswer(f"there is no column {token[:40]!r}")
            return _column(self.columns[token.casefold()])
        return self.call(token.upper())

    def call(self, name: str) -> Rule:
        """A function with its arguments."""
        self.take("(")
        arguments = [self.formula()]
        while self.is_sign(","):
            self.take()
            arguments.append(self.formula())
        self.take(")")
        if name == "IF":
            _check_number(name, arguments, 3, False)
            return _choice(*arguments)
        if name == "LOOKUP":
            _check_number(name, arguments, 2, False)
            return _lookup(self.table, *arguments)
        if name not in FUNCTIONS:
            raise InvalidAnswer(f"there is no function {name[:40]!r}")
        function = FUNCTIONS[name]
        _check_number(name, arguments, len(function.arguments), function.more)
        return _call(name, function, arguments)


def _check_number(name: str, arguments: Sequence[Rule], number: int, more: bool) -> None:
    if len(arguments) < number or (len(arguments) > number and not more):
        raise InvalidAnswer(f"{name} has {number} arguments{' or more' if more else ''}")


def _of_type(value: Value, wanted: type) -> Value:
    if type(value) is not wanted:
        raise FormulaError(f"expected {_TYPES[wanted]}, got {_TYPES[type(value)]}")
    return value


def _whole(value: Value) -> int:
    if type(value) is not int:
        raise FormulaError(f"expected a number, got {_TYPES[type(value)]}")
    if abs(value) > LARGEST:
        raise FormulaError("a number too large")
    return value


def _constant(value: Value) -> Rule:
    return lambda row: value


def _column(name: str) -> Rule:
    return lambda row: row[name]


def _sum(terms: Sequence[tuple[str, Rule]]) -> Rule:
    def value(row: Row) -> int:
        total = 0
        for sign, term in terms:
            number = _whole(term(row))
            total += number if sign == "+" else -number
        return _whole(total)

    return value


def _product(factors: Sequence[Rule]) -> Rule:
    def value(row: Row) -> int:
        result = 1
        for factor in factors:
            result = _whole(result * _whole(factor(row)))
        return result

    return value


def _comparison(sign: str, left: Rule, right: Rule) -> Rule:
    if sign in ("=", "<>"):

        def equal(row: Row) -> bool:
            one, other = left(row), right(row)
            if type(one) is not type(other):
                raise FormulaError("a comparison of a text with a number or a condition")
            return (one == other) == (sign == "=")

        return equal
    compare = _COMPARED[sign]
    return lambda row: compare(_whole(left(row)), _whole(right(row)))


def _choice(condition: Rule, one: Rule, other: Rule) -> Rule:
    return lambda row: one(row) if _of_type(condition(row), bool) else other(row)


def _lookup(table: Mapping[str, int], key: Rule, default: Rule) -> Rule:
    def value(row: Row) -> Value:
        name = str(_of_type(key(row), str))
        return table[name] if name in table else default(row)

    return value


def _call(name: str, function: Function, arguments: Sequence[Rule]) -> Rule:
    rest = len(arguments) - len(function.arguments)
    types = (*function.arguments, *function.arguments[-1:] * rest)

    def value(row: Row) -> Value:
        return function.apply(*(_of_type(each(row), t) for each, t in zip(arguments, types)))

    return value
