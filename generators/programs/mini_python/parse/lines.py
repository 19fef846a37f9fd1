"""Lines into heads of statements, or whole statements."""

from collections.abc import Mapping
from functools import lru_cache

from palaestra.generators.programs.mini_python.parse.expressions import ExpressionParser
from palaestra.generators.programs.mini_python.parse.subset import LOOPING, PASSING, UNORDERED
from palaestra.generators.programs.mini_python.parse.tokens import tokens
from palaestra.generators.programs.mini_python.syntax import (
    Assign,
    Augment,
    Call,
    Compare,
    Comprehension,
    Def,
    Do,
    Else,
    Expr,
    For,
    Head,
    If,
    Index,
    Jump,
    Method,
    Name,
    Node,
    Return,
    TupleOf,
    children,
)
from palaestra.task import InvalidAnswer

_AUGMENTED = frozenset({"+=", "-=", "*=", "//=", "%="})


class _LineParser(ExpressionParser):
    def head(self) -> Head:
        word = self.tokens[0]
        if word in _HEADS:
            self.at = 1
            return _HEADS[word](self)
        expressions = self.expressions()
        sign = self.tokens[self.at]
        if sign in _AUGMENTED and isinstance(expressions, Name | Index):
            self.at += 1
            return Augment(expressions, sign[:-1], self.expressions())
        if sign == "=" and _can_be_assigned(expressions):
            self.at += 1
            return Assign(expressions, self.expressions())
        return Do(expressions)

    def define(self) -> Head:
        name = self.name()
        self.need("(")
        parameters: list[str] = []
        while not self.take(")"):
            if parameters:
                self.need(",")
            parameters.append(self.name())
        self.need(":")
        if len(set(parameters)) < len(parameters):
            raise InvalidAnswer("two parameters have the same name")
        return Def(name, tuple(parameters))

    def loop(self) -> Head:
        target = self.target()
        self.need("in")
        source = self.expressions()
        self.need(":")
        return For(target, source)

    def tested(self) -> Head:
        word = self.tokens[self.at - 1]
        test = self.expression()
        self.need(":")
        return If(word, test)

    def otherwise(self) -> Head:
        self.need(":")
        return Else()

    def result(self) -> Head:
        return Return(None if self.tokens[self.at] == "" else self.expressions())

    def jump(self) -> Head:
        return Jump(self.tokens[0])


_HEADS = {
    "def": _LineParser.define,
    "for": _LineParser.loop,
    "else": _LineParser.otherwise,
    "return": _LineParser.result,
    **dict.fromkeys(("if", "elif", "while"), _LineParser.tested),
    **dict.fromkeys(("break", "continue", "pass"), _LineParser.jump),
}


def _can_be_assigned(target: Expr) -> bool:
    if isinstance(target, TupleOf):
        return bool(target.items) and all(map(_can_be_assigned, target.items))
    return isinstance(target, Name | Index)


@lru_cache(maxsize=1024)
def head(line: str) -> Head:
    """The head of a statement, or a whole one, from a line without its indentation.

    Raises :class:`InvalidAnswer` for what is not in the subset.

    >>> head("total += x % 3")
    Augment(target=Name(name='total'), sign='+', value=Binary(sign='%', left=Name(name='x'), \
right=Const(value=3)))
    """
    line_tokens = tokens(line)
    if not line_tokens:
        raise InvalidAnswer("there is nothing in a line")
    parser = _LineParser(line_tokens)
    read = parser.head()
    parser.end()
    if "set" in line_tokens or not PASSING.isdisjoint(line_tokens):
        _check_kept(read, frozenset())
    return read


def expression(text: str) -> Expr:
    """An expression from a text.

    >>> expression("-2 ** 2")
    Unary(sign='-', operand=Binary(sign='**', left=Const(value=2), right=Const(value=2)))
    """
    line_head = head(text)
    if not isinstance(line_head, Do):
        raise InvalidAnswer("not an expression")
    return line_head.value


def display(text: str, width: int) -> Expr:
    """An expression from a text that may be longer than a line, and is only looked at.

    >>> display("1, 2", 4)
    TupleOf(items=(Const(value=1), Const(value=2)))
    """
    parser = ExpressionParser(tokens(text, width))
    values = parser.expressions()
    parser.end()
    return values


def _check_kept(node: Node, allowed: frozenset[str]) -> None:
    """Refuse to keep what can be looped over only once, or in no fixed order."""
    name = node.function if isinstance(node, Call) else getattr(node, "method", "")
    if name in PASSING | {"set"} and name not in allowed:
        raise InvalidAnswer(f"{name}() cannot be kept here, only looped over")
    for index, child in enumerate(children(node)):
        _check_kept(child, _allowed_in(node, name, index))


def _allowed_in(node: Node, name: str, index: int) -> frozenset[str]:
    """What is used up where it stands as the part of a node at a place."""
    match node:
        case Compare(signs) if index and signs[index - 1] in {"in", "not in"}:
            return PASSING | {"set"}
        case For() | Comprehension() if index == (2 if isinstance(node, Comprehension) else 1):
            return PASSING
        case Call(_, arguments) if name in {"min", "max"} and len(arguments) > 1:
            return frozenset()  # which would give one of them
        case Call():
            return _INSIDE[name in LOOPING, name in UNORDERED]
        case Method() if index:
            return _INSIDE[name in LOOPING, False]
        case _:
            return frozenset()


_INSIDE: Mapping[tuple[bool, bool], frozenset[str]] = {
    (True, True): PASSING | {"set"},
    (True, False): PASSING,
    (False, True): frozenset({"set"}),
    (False, False): frozenset(),
}
