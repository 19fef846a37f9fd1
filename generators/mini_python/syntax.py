"""What programs are made of: expressions, the heads of statements, and statements with bodies.

Every statement stands on a line of its own, so that a line can be read, changed and put back by
itself. ``written`` gives the text of an expression or a head, with as few brackets as can be.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(slots=True, unsafe_hash=True)
class Const:
    """A whole number, a text, a truth value or ``None``."""

    value: int | str | bool | None


@dataclass(slots=True, unsafe_hash=True)
class Name:
    """A variable."""

    name: str


@dataclass(slots=True, unsafe_hash=True)
class Unary:
    """``-x`` or ``not x``."""

    sign: str
    operand: "Expr"


@dataclass(slots=True, unsafe_hash=True)
class Binary:
    """Arithmetic on two operands, or ``and`` and ``or``."""

    sign: str
    left: "Expr"
    right: "Expr"


@dataclass(slots=True, unsafe_hash=True)
class Compare:
    """A comparison, or a chain of them."""

    signs: tuple[str, ...]
    operands: tuple["Expr", ...]


@dataclass(slots=True, unsafe_hash=True)
class Choice:
    """``yes if test else no``."""

    yes: "Expr"
    test: "Expr"
    no: "Expr"


@dataclass(slots=True, unsafe_hash=True)
class Keyword:
    """A named argument of a built-in function."""

    name: str
    value: "Expr"


@dataclass(slots=True, unsafe_hash=True)
class Call:
    """A call of a function."""

    function: str
    arguments: tuple["Expr | Keyword", ...]


@dataclass(slots=True, unsafe_hash=True)
class Method:
    """A call of a method."""

    owner: "Expr"
    method: str
    arguments: tuple["Expr | Keyword", ...]


@dataclass(slots=True, unsafe_hash=True)
class Index:
    """``owner[place]``."""

    owner: "Expr"
    place: "Expr"


@dataclass(slots=True, unsafe_hash=True)
class Slice:
    """``owner[low:high:step]``."""

    owner: "Expr"
    low: "Expr | None"
    high: "Expr | None"
    step: "Expr | None"


@dataclass(slots=True, unsafe_hash=True)
class ListOf:
    """A list of expressions."""

    items: tuple["Expr", ...]


@dataclass(slots=True, unsafe_hash=True)
class TupleOf:
    """A tuple of expressions; also several targets of an assignment or a loop."""

    items: tuple["Expr", ...]


@dataclass(slots=True, unsafe_hash=True)
class DictOf:
    """A dictionary."""

    keys: tuple["Expr", ...]
    values: tuple["Expr", ...]


@dataclass(slots=True, unsafe_hash=True)
class Each:
    """A list comprehension."""

    item: "Expr"
    target: "Expr"
    iterable: "Expr"
    test: "Expr | None"


Expr = (
    Const | Name | Unary | Binary | Compare | Choice | Call | Method | Index | Slice
    | ListOf | TupleOf | DictOf | Each
)  # fmt: skip


@dataclass(slots=True, unsafe_hash=True)
class Def:
    """The head of a function."""

    name: str
    parameters: tuple[str, ...]


@dataclass(slots=True, unsafe_hash=True)
class If:
    """``if``, ``elif`` or ``while``."""

    word: str
    test: Expr


@dataclass(slots=True, unsafe_hash=True)
class For:
    """A loop over the items of something."""

    target: Expr
    iterable: Expr


@dataclass(slots=True, unsafe_hash=True)
class Else:
    """The other branch."""


@dataclass(slots=True, unsafe_hash=True)
class Assign:
    """``target = value``."""

    target: Expr
    value: Expr


@dataclass(slots=True, unsafe_hash=True)
class Augment:
    """``target += value`` and its like; the sign is that without ``=``."""

    target: Expr
    sign: str
    value: Expr


@dataclass(slots=True, unsafe_hash=True)
class Do:
    """An expression as a statement."""

    value: Expr


@dataclass(slots=True, unsafe_hash=True)
class Return:
    """The end of a call."""

    value: Expr | None


@dataclass(slots=True, unsafe_hash=True)
class Jump:
    """``break``, ``continue`` or ``pass``."""

    word: str


Head = Def | If | For | Else | Assign | Augment | Do | Return | Jump
Node = Any
"""An expression, a keyword or a head."""


@dataclass(slots=True, unsafe_hash=True)
class Statement:
    """A statement where it stands: its line, its head, and what is indented under it."""

    line: int
    text: str
    head: Head
    body: tuple["Statement", ...] = ()
    other: tuple["Statement", ...] = ()


def children(node: Node) -> list[Node]:
    """The nodes right under one.

    >>> children(Binary("+", Name("x"), Const(1)))
    [Name(name='x'), Const(value=1)]
    """
    found = []
    for name in node.__slots__:
        part = getattr(node, name)
        if type(part) is tuple:
            found += [each for each in part if not isinstance(each, str)]
        elif hasattr(part, "__slots__"):
            found.append(part)
    return found


def nodes(node: Node) -> list[Node]:
    """A node and all under it.

    >>> len(nodes(Binary("+", Name("x"), Const(1))))
    3
    """
    found = [node]
    for each in found:  # which grows while it is walked
        found += children(each)
    return found


TIGHT = {
    "or": 2,
    "and": 3,
    "not": 4,
    "+": 6,
    "-": 6,
    "*": 7,
    "//": 7,
    "%": 7,
    "**": 9,
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!=", "in", "not in", "is", "is not"), 5),
}
"""How tightly the signs bind that stand between two operands; the minus of one has 8."""

ATOM = 10


def _tightness(node: Expr) -> int:
    match node:
        case Choice():
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
    """An operand, in brackets unless it binds as tightly as it must."""
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
    """An expression where a tuple needs no brackets.

    >>> bare(TupleOf((Name("a"), Name("b"))))
    'a, b'
    """
    text = written(node)
    return text[1:-1] if isinstance(node, TupleOf) and node.items else text


def _each(node: Each) -> str:
    test = "" if node.test is None else f" if {_bound(node.test, 2)}"
    source = _bound(node.iterable, 2)
    return f"[{written(node.item)} for {bare(node.target)} in {source}{test}]"


_WRITERS: dict[type, Any] = {
    Const: lambda n: repr(n.value),
    Name: lambda n: n.name,
    Unary: _unary,
    Binary: _binary,
    Compare: _compare,
    Choice: lambda n: f"{_bound(n.yes, 2)} if {_bound(n.test, 2)} else {_bound(n.no, 1)}",
    Keyword: lambda n: f"{n.name}={written(n.value)}",
    Call: lambda n: f"{n.function}({_row(n.arguments)})",
    Method: lambda n: f"{_bound(n.owner, ATOM)}.{n.method}({_row(n.arguments)})",
    Index: lambda n: f"{_bound(n.owner, ATOM)}[{written(n.place)}]",
    Slice: _slice,
    ListOf: lambda n: f"[{_row(n.items)}]",
    TupleOf: _tuple,
    DictOf: lambda n: (
        f"{{{', '.join(f'{written(k)}: {written(v)}' for k, v in zip(n.keys, n.values))}}}"
    ),
    Each: _each,
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
