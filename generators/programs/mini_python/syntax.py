"""What programs are made of: expressions, the heads of statements, and statements with bodies.

Every statement stands on a line of its own, so that a line can be read, changed and put back by
itself.
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
class Conditional:
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
    """``owner[subscript]``."""

    owner: "Expr"
    subscript: "Expr"


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
class Comprehension:
    """A list comprehension."""

    item: "Expr"
    target: "Expr"
    iterable: "Expr"
    test: "Expr | None"


@dataclass(slots=True, unsafe_hash=True)
class GeneratorExpression:
    """A generator expression, which is the only argument of what uses it up."""

    comprehension: Comprehension


Expr = (
    Const | Name | Unary | Binary | Compare | Conditional | Call | Method | Index | Slice
    | ListOf | TupleOf | DictOf | Comprehension | GeneratorExpression
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
    parts = []
    for name in node.__slots__:
        part = getattr(node, name)
        if type(part) is tuple:
            parts += [each for each in part if not isinstance(each, str)]
        elif hasattr(part, "__slots__"):
            parts.append(part)
    return parts


def nodes(node: Node) -> list[Node]:
    """A node and all under it.

    >>> len(nodes(Binary("+", Name("x"), Const(1))))
    3
    """
    waiting = [node]
    for each in waiting:  # which grows while it is walked
        waiting += children(each)
    return waiting


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
