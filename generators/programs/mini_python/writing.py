"""The text of expressions and heads, with a minimum of parentheses."""

from typing import Any

from palaestra.generators.programs.mini_python.syntax import (
    TIGHT,
    Assign,
    Augment,
    Binary,
    Call,
    Compare,
    Comprehension,
    Conditional,
    Const,
    Def,
    DictOf,
    Do,
    Else,
    Expr,
    For,
    GeneratorExpression,
    If,
    Index,
    Jump,
    Keyword,
    ListOf,
    Method,
    Name,
    Node,
    Return,
    Slice,
    TupleOf,
    Unary,
)

ATOM = 10


def _tightness(node: Expr) -> int:
    match node:
        case Conditional():
            return 1
        case Compare():
            return 5
        case Binary(sign):
            return TIGHT[sign]
        case Unary(sign):
            return 4 if sign == "not" else 8
        case Const(value) if isinstance(value, int) and value < 0:
            return 8
        case _:
            return ATOM


def _bound(node: Expr, least: int) -> str:
    """An operand, in parentheses if its precedence requires them."""
    text = written(node)
    return f"({text})" if _tightness(node) < least and not isinstance(node, TupleOf) else text


def _row(items: tuple[Node, ...]) -> str:
    return ", ".join(map(written, items))


def written(node: Node) -> str:
    """An expression, a keyword or a head as a line of Python.

    >>> total = Binary("+", Name("x"), Const(1))
    >>> written(Binary("*", total, Unary("-", total)))
    '(x + 1) * -(x + 1)'
    """
    text: str = _WRITERS[type(node)](node)
    return text


def _binary(node: Binary) -> str:
    level = TIGHT[node.sign]
    left, right = (level + 1, 8) if node.sign == "**" else (level, level + 1)
    return f"{_bound(node.left, left)} {node.sign} {_bound(node.right, right)}"


def _compare(node: Compare) -> str:
    first, *rest = (_bound(operand, 6) for operand in node.operands)
    return first + "".join(f" {sign} {text}" for sign, text in zip(node.signs, rest))


def _unary(node: Unary) -> str:
    return f"not {_bound(node.operand, 4)}" if node.sign == "not" else f"-{_bound(node.operand, 8)}"


def _slice(node: Slice) -> str:
    low, high, step = ("" if part is None else written(part) for part in _bounds(node))
    return f"{_bound(node.owner, ATOM)}[{low}:{high}{':' + step if step else ''}]"


def _bounds(node: Slice) -> tuple[Expr | None, ...]:
    return node.low, node.high, node.step


def _tuple(node: TupleOf) -> str:
    return f"({_row(node.items)}{',' if len(node.items) == 1 else ''})"


def bare(node: Expr) -> str:
    """An expression in a position where a tuple needs no parentheses.

    >>> bare(TupleOf((Name("a"), Name("b"))))
    'a, b'
    """
    text = written(node)
    return text[1:-1] if isinstance(node, TupleOf) and node.items else text


def _comprehension(node: Comprehension) -> str:
    test = "" if node.test is None else f" if {_bound(node.test, 2)}"
    source = _bound(node.iterable, 2)
    return f"{written(node.item)} for {bare(node.target)} in {source}{test}"


_WRITERS: dict[type, Any] = {
    Const: lambda n: repr(n.value),
    Name: lambda n: n.name,
    Unary: _unary,
    Binary: _binary,
    Compare: _compare,
    Conditional: lambda n: f"{_bound(n.yes, 2)} if {_bound(n.test, 2)} else {_bound(n.no, 1)}",
    Keyword: lambda n: f"{n.name}={written(n.value)}",
    Call: lambda n: f"{n.function}({_row(n.arguments)})",
    Method: lambda n: f"{_bound(n.owner, ATOM)}.{n.method}({_row(n.arguments)})",
    Index: lambda n: f"{_bound(n.owner, ATOM)}[{written(n.subscript)}]",
    Slice: _slice,
    ListOf: lambda n: f"[{_row(n.items)}]",
    TupleOf: _tuple,
    DictOf: lambda n: (
        f"{{{', '.join(f'{written(k)}: {written(v)}' for k, v in zip(n.keys, n.values))}}}"
    ),
    Comprehension: lambda n: f"[{_comprehension(n)}]",
    GeneratorExpression: lambda n: _comprehension(n.comprehension),
    Def: lambda n: f"def {n.name}({', '.join(n.parameters)}):",
    If: lambda n: f"{n.word} {written(n.test)}:",
    For: lambda n: f"for {bare(n.target)} in {bare(n.iterable)}:",
    Else: lambda n: "else:",
    Assign: lambda n: f"{bare(n.target)} = {bare(n.value)}",
    Augment: lambda n: f"{written(n.target)} {n.sign}= {bare(n.value)}",
    Do: lambda n: written(n.value),
    Return: lambda n: "return" if n.value is None else f"return {bare(n.value)}",
    Jump: lambda n: n.word,
}
