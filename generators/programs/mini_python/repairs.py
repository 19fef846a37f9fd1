"""Repairs: all corrections of a line that undo a mistake of the types listed in prompts.

Generators choose from a few likely mistakes (:func:`~.mutate.slips`). A player has to consider
more: every operator may replace any other, a ``not`` may be missing anywhere, and the right
variable need not occur in the line. Examples that determine one repair must distinguish it from all
of these.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from palaestra.generators.programs.mini_python.parse import head
from palaestra.generators.programs.mini_python.rewriting import Change, rewritings
from palaestra.generators.programs.mini_python.syntax import (
    Assign,
    Augment,
    Binary,
    Call,
    Compare,
    Comprehension,
    Const,
    Def,
    Else,
    Expr,
    For,
    GeneratorExpression,
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

ARITHMETIC = ("+", "-", "*", "//", "%", "**")
AUGMENTING = ("+", "-", "*", "//", "%")
ORDERING = ("<", "<=", ">", ">=", "==", "!=")

_SIGNS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(ARITHMETIC, ARITHMETIC),
    **dict.fromkeys(("and", "or"), ("and", "or")),
    **dict.fromkeys(("in", "not in"), ("in", "not in")),
    **dict.fromkeys(("is", "is not"), ("is", "is not", "==", "!=")),
    **dict.fromkeys(ORDERING, ORDERING),
}
"""The operators that each operator may have replaced."""

_COUNTERPARTS: Mapping[str, str] = {
    one: other
    for pair in (
        ("min", "max"), ("any", "all"), ("upper", "lower"), ("isupper", "islower"),
        ("startswith", "endswith"), ("isalpha", "isdigit"), ("keys", "values"), ("chr", "ord"),
    )
    for one, other in (pair, pair[::-1])
}  # fmt: skip


class Names(NamedTuple):
    """The variables that may stand in a line."""

    on_line: Mapping[str, int]
    """Those that do, with how often."""
    in_scope: tuple[str, ...]
    """Those of its function."""

    def instead_of(self, name: str) -> Iterator[str]:
        """What may belong where another variable of the line stands by mistake."""
        others = self.in_scope if self.on_line[name] > 1 else self.on_line
        return (other for other in others if other != name)


def repairs(source: str) -> list[Change]:
    r"""All repairs of one line of a program.

    >>> [repair.text for repair in repairs("def f(n):\n    return n > 7")][:5]
    ['return not n > 7', 'return n < 7', 'return n <= 7', 'return n >= 7', 'return n == 7']
    """
    rows = [(number, head(row)) for number, row in enumerate(source.split("\n"), 1) if row.strip()]
    changes: list[Change] = []
    scopes = _scopes(changes for _, changes in rows)
    for (number, line), scope in zip(rows, scopes):
        on_line = Counter(part.name for part in nodes(line) if isinstance(part, Name))
        alternatives = dict.fromkeys(repaired(line, Names(on_line, scope)))
        changes += [Change(number, other) for other in alternatives]
    return changes


def _scopes(heads: Iterable[Head]) -> Iterator[tuple[str, ...]]:
    """The variables of the function that each line belongs to."""
    functions: list[list[Head]] = []
    for line_head in heads:
        if isinstance(line_head, Def) or not functions:
            functions.append([])
        functions[-1].append(line_head)
    for body in functions:
        names = dict.fromkeys(
            name for head in body for part in nodes(head) for name in _names(part)
        )
        yield from [tuple(names)] * len(body)


def _names(node: Node) -> tuple[str, ...]:
    match node:
        case Name(name):
            return (name,)
        case Def(_, parameters):
            return parameters
        case _:
            return ()


def repaired(head: Head, names: Names) -> Iterator[Head]:
    """Every line that a slip of the kinds there are may have turned into one."""
    if isinstance(head, Def | Else):
        return

    def repair(node: Node) -> Iterator[Node]:
        if isinstance(node, Expr) and not isinstance(node, Comprehension):
            yield Unary("not", node)
        own = _REPAIRS.get(type(node))
        if own is not None:
            yield from own(node, names)

    yield from rewritings(head, repair)


def _const(node: Const, names: Names) -> Iterator[Node]:
    if isinstance(node.value, bool):
        yield Const(not node.value)
    elif isinstance(node.value, int):
        yield from (Const(node.value + 1), Const(node.value - 1))


def _name(node: Name, names: Names) -> Iterator[Node]:
    yield from map(Name, names.instead_of(node.name))


def _unary(node: Unary, names: Names) -> Iterator[Node]:
    if node.sign == "not":
        yield node.operand


def _others(sign: str) -> Iterator[str]:
    return (other for other in _SIGNS[sign] if other != sign)


def _binary(node: Binary, names: Names) -> Iterator[Node]:
    yield from (replace(node, sign=sign) for sign in _others(node.sign))


def _compare(node: Compare, names: Names) -> Iterator[Node]:
    for index, sign in enumerate(node.signs):
        for other in _others(sign):
            yield replace(node, signs=(*node.signs[:index], other, *node.signs[index + 1 :]))


def _retargeted(target: Expr, names: Names) -> Iterator[Expr]:
    """A target with another variable in it; one that is a part of something is no target."""
    match target:
        case Name(name):
            yield from map(Name, names.instead_of(name))
        case TupleOf(items):
            for index, each in enumerate(items):
                for other in _retargeted(each, names):
                    yield TupleOf((*items[:index], other, *items[index + 1 :]))


def _augment(node: Augment, names: Names) -> Iterator[Node]:
    yield from (replace(node, sign=sign) for sign in AUGMENTING if sign != node.sign)
    yield Assign(node.target, node.value)
    yield from (replace(node, target=target) for target in _retargeted(node.target, names))


def _assign(node: Assign, names: Names) -> Iterator[Node]:
    if not isinstance(node.target, TupleOf):
        yield from (Augment(node.target, sign, node.value) for sign in AUGMENTING)
    yield from (replace(node, target=target) for target in _retargeted(node.target, names))


def _loop(node: For | Comprehension, names: Names) -> Iterator[Node]:
    yield from (replace(node, target=target) for target in _retargeted(node.target, names))


def _generator(node: GeneratorExpression, names: Names) -> Iterator[Node]:
    yield from (replace(node, comprehension=c) for c in _loop(node.comprehension, names))


def _jump(node: Jump, names: Names) -> Iterator[Node]:
    yield from (Jump(word) for word in ("break", "continue") if word != node.word)


def _call(node: Call, names: Names) -> Iterator[Node]:
    if node.function in _COUNTERPARTS:
        yield replace(node, function=_COUNTERPARTS[node.function])
    if node.function == "range":
        index = min(len(node.arguments) - 1, 1)
        end = node.arguments[index]
        if not isinstance(end, Const | Keyword):  # where a number is 1 too large itself
            for sign in ("+", "-"):
                moved = Binary(sign, end, Const(1))
                arguments = (*node.arguments[:index], moved, *node.arguments[index + 1 :])
                yield replace(node, arguments=arguments)


def _method(node: Method, names: Names) -> Iterator[Node]:
    arguments = node.arguments
    if node.method in _COUNTERPARTS:
        yield replace(node, method=_COUNTERPARTS[node.method])
    elif node.method == "append":
        yield replace(node, method="insert", arguments=(Const(0), *arguments))
    elif node.method == "insert" and arguments[0] == Const(0):
        yield replace(node, method="append", arguments=arguments[1:])
    elif node.method == "pop" and arguments in {(), (Const(0),)}:
        yield replace(node, arguments=() if arguments else (Const(0),))


_REPAIRS: Mapping[type, Callable[[Any, Names], Iterator[Node]]] = {
    Assign: _assign,
    Augment: _augment,
    Binary: _binary,
    Call: _call,
    Compare: _compare,
    Comprehension: _loop,
    Const: _const,
    For: _loop,
    GeneratorExpression: _generator,
    Jump: _jump,
    Method: _method,
    Name: _name,
    Unary: _unary,
}
