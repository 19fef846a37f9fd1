"""Mutations: all small mistakes that programmers could make in a line.

Testing tests by them is an idea of R. DeMillo, R. Lipton and F. Sayward, "Hints on test data
selection: help for the practicing programmer" (1978).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from palaestra.generators.programs.mini_python.rewriting import Change, on_lines, rewritings
from palaestra.generators.programs.mini_python.syntax import (
    Assign,
    Augment,
    Binary,
    Call,
    Compare,
    Const,
    Def,
    Else,
    Head,
    Jump,
    Keyword,
    Method,
    Name,
    Node,
    TupleOf,
    Unary,
    nodes,
)

TOLD = (
    "a whole number is 1 too large or 1 too small",
    "an arithmetic operator is another one (such as + for -, or // for %)",
    "a comparison is another one (such as < for <= or >, == for !=, or 'in' for 'not in')",
    "'and' is 'or' or the other way round, or a 'not' is missing",
    "a variable is another one from the same line",
    "+= is -= or plain =, or the other way round, or another such operator",
    "the end of a range is 1 too large or 1 too small",
    "a function or method is its counterpart (such as min for max, or append(x) for insert(0, x))",
    "True is False, or break is continue, or the other way round",
)
"""The types of mistakes, in English."""

_COMPARED: Mapping[str, tuple[str, ...]] = {
    "<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="),
    "==": ("!=",), "!=": ("==",), "in": ("not in",), "not in": ("in",),
}  # fmt: skip
_COMPUTED: Mapping[str, tuple[str, ...]] = {
    "+": ("-", "*"), "-": ("+",), "*": ("+",), "//": ("%",), "%": ("//",), "**": ("*",),
    "and": ("or",), "or": ("and",),
}  # fmt: skip
_AUGMENTED: Mapping[str, tuple[str, ...]] = {
    "+": ("-", ""), "-": ("+", ""), "*": ("+", ""), "//": ("-",), "%": ("//",),
}  # fmt: skip
_COUNTERPARTS: Mapping[str, str] = {
    "min": "max", "max": "min", "any": "all", "all": "any", "upper": "lower", "lower": "upper",
    "startswith": "endswith", "endswith": "startswith",
}  # fmt: skip


def slips(source: str) -> list[Change]:
    r"""All changes of a program by one mistake.

    >>> [slip.text for slip in slips("def f(n):\n    return n + 1")]
    ['return n - 1', 'return n * 1', 'return n + 2', 'return n + 0']
    """
    return on_lines(source, slipped)


def slipped(head: Head) -> Iterator[Head]:
    """All lines that differ from a line by one mistake.

    >>> from palaestra.generators.programs.mini_python.parse import head
    >>> from palaestra.generators.programs.mini_python.writing import written
    >>> [written(slip) for slip in slipped(head("while a < b:"))]
    ['while a <= b:', 'while a > b:', 'while b < b:', 'while a < a:']
    """
    if isinstance(head, Def | Else):
        return iter(())
    parts = (part.name for part in nodes(head) if isinstance(part, Name))
    names = tuple(dict.fromkeys(parts))

    def slip(node: Node) -> Iterator[Node]:
        own = _SLIPS.get(type(node))
        return iter(()) if own is None else own(node, names)

    return rewritings(head, slip)


def _const(node: Const, names: tuple[str, ...]) -> Iterator[Node]:
    if isinstance(node.value, bool):
        yield Const(not node.value)
    elif isinstance(node.value, int):
        yield from (Const(node.value + 1), Const(node.value - 1))


def _name(node: Name, names: tuple[str, ...]) -> Iterator[Node]:
    yield from (Name(name) for name in names if name != node.name)


def _unary(node: Unary, names: tuple[str, ...]) -> Iterator[Node]:
    if node.sign == "not":
        yield node.operand


def _binary(node: Binary, names: tuple[str, ...]) -> Iterator[Node]:
    for sign in _COMPUTED[node.sign]:
        yield replace(node, sign=sign)


def _compare(node: Compare, names: tuple[str, ...]) -> Iterator[Node]:
    for index, sign in enumerate(node.signs):
        for other in _COMPARED.get(sign, ()):
            yield replace(node, signs=(*node.signs[:index], other, *node.signs[index + 1 :]))


def _augment(node: Augment, names: tuple[str, ...]) -> Iterator[Node]:
    for sign in _AUGMENTED[node.sign]:
        yield replace(node, sign=sign) if sign else Assign(node.target, node.value)


def _assign(node: Assign, names: tuple[str, ...]) -> Iterator[Node]:
    if not isinstance(node.target, TupleOf):
        yield Augment(node.target, "+", node.value)


def _jump(node: Jump, names: tuple[str, ...]) -> Iterator[Node]:
    if node.word != "pass":
        yield Jump("continue" if node.word == "break" else "break")


def _call(node: Call, names: tuple[str, ...]) -> Iterator[Node]:
    if node.function in _COUNTERPARTS:
        yield replace(node, function=_COUNTERPARTS[node.function])
    if node.function == "range":
        first, *rest = node.arguments
        bounds = rest or [first]
        end = bounds[0]
        if isinstance(end, Const | Keyword) or (isinstance(end, Binary) and end.sign in {"+", "-"}):
            return  # where a number is 1 too large, or may be
        for sign in ("+", "-"):
            moved = (Binary(sign, end, Const(1)), *bounds[1:])
            yield replace(node, arguments=(first, *moved) if rest else moved)


def _method(node: Method, names: tuple[str, ...]) -> Iterator[Node]:
    arguments = node.arguments
    if node.method in _COUNTERPARTS:
        yield replace(node, method=_COUNTERPARTS[node.method])
    elif node.method == "append":
        yield replace(node, method="insert", arguments=(Const(0), *arguments))
    elif node.method == "insert" and arguments[0] == Const(0):
        yield replace(node, method="append", arguments=arguments[1:])
    elif node.method == "pop" and arguments in {(), (Const(0),)}:
        yield replace(node, arguments=() if arguments else (Const(0),))


_SLIPS: Mapping[type, Callable[[Any, tuple[str, ...]], Iterator[Node]]] = {
    Assign: _assign,
    Augment: _augment,
    Binary: _binary,
    Call: _call,
    Compare: _compare,
    Const: _const,
    Jump: _jump,
    Method: _method,
    Name: _name,
    Unary: _unary,
}
