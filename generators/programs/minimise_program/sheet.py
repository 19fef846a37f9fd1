"""A program as editable rows, and properties of its expressions."""

import re
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from palaestra.generators.programs.mini_python.draw import Function
from palaestra.generators.programs.mini_python.parameters import Parameter
from palaestra.generators.programs.mini_python.parse import expression, head
from palaestra.generators.programs.mini_python.syntax import (
    Binary,
    Call,
    Comprehension,
    Const,
    Def,
    Else,
    Expr,
    GeneratorExpression,
    Head,
    If,
    Jump,
    Method,
    Name,
    Node,
    Return,
    Unary,
    nodes,
)
from palaestra.generators.programs.mini_python.writing import written

INDENT = 4

NAMES = (
    "aux", "backup", "base", "bonus", "buffer", "check", "delta", "extra", "fresh", "guess", "hold",
    "inner", "keep", "last_one", "limit_of", "memo", "other", "outer", "peak_of", "prior", "quota",
    "rest_of", "share", "spare", "step", "stock", "temp", "total_of", "track", "unit", "whole",
)  # fmt: skip
"""Names of redundant variables."""

FUNCTIONS = ("adapt", "apply", "arrange", "combine", "deal", "form", "prepare", "refine", "treat")
"""Names of redundant functions."""

PURE_METHODS = frozenset({
    "copy", "count", "endswith", "find", "get", "index", "isalpha", "isdigit", "islower", "isupper",
    "join", "lower", "replace", "split", "startswith", "strip", "upper",
})  # fmt: skip
"""Methods that change nothing."""

NUMERIC = frozenset({"abs", "int", "len", "ord"})
"""Functions that return integers."""

PURE_FUNCTIONS = NUMERIC | {
    "all", "any", "bool", "chr", "enumerate", "list", "max", "min", "range", "sorted", "str", "sum",
    "tuple", "zip",
}  # fmt: skip


class NoFittingRow(Exception):
    """No row of a program fits a type of padding."""


class Row(NamedTuple):
    """A line: its indentation and its statement."""

    depth: int
    head: Node
    needless: bool = False
    """Whether the row is padding, which is not padded again."""


class Sheet:
    """An editable program."""

    def __init__(self, rng: Random, function: Function) -> None:
        self.rng = rng
        self.function = function
        lines = [line for line in function.source.split("\n") if line]
        self.rows = [Row(len(line) - len(line.lstrip()), head(line.strip())) for line in lines]
        self.names = {*re.findall(r"\w+", function.source)}

    def source(self) -> str:
        """The program as it stands."""
        lines: list[str] = []
        for depth, node, _ in self.rows:
            if isinstance(node, Def) and lines:
                lines.append("")
            lines.append(" " * depth + written(node))
        return "\n".join(lines)

    # ------------------------------------------------------------------------------------ places

    def main(self) -> range:
        """The indices of the rows of the main function, which is the last one."""
        starts = (n for n, row in enumerate(self.rows) if isinstance(row.head, Def))
        return range(max(starts) + 1, len(self.rows))

    def statement(self, fits: Callable[[Row], bool], main: bool = False) -> int:
        """The index of a random row that begins a statement and fits.

        Raises :class:`NoFittingRow` if there is none.
        """
        places = self.main() if main else range(len(self.rows))
        rows = ((n, self.rows[n]) for n in places)
        fitting = [n for n, row in rows if _begins(row.head) and not row.needless and fits(row)]
        if not fitting:
            raise NoFittingRow
        return self.rng.choice(fitting)

    def end(self, index: int) -> int:
        """The index after all rows that are indented under a row."""
        depth, end = self.rows[index].depth, index + 1
        while end < len(self.rows) and self.rows[end].depth > depth:
            end += 1
        return end

    def whole(self, index: int) -> int:
        """The index after a statement, including its other branches."""
        end = self.end(index)
        while end < len(self.rows) and self.continues(end, self.rows[index].depth):
            end = self.end(end)
        return end

    def continues(self, index: int, depth: int) -> bool:
        """Whether another branch of a statement at a depth begins at an index."""
        row = self.rows[index]
        return row.depth == depth and not _begins(row.head) and not isinstance(row.head, Def)

    # ----------------------------------------------------------------------------------- changes

    def insert(
        self, index: int, *heads: Head, depth: int | None = None, needless: bool = True
    ) -> None:
        """Insert rows before a row, at its depth by default."""
        level = self.rows[index].depth if depth is None else depth
        self.rows[index:index] = [Row(level, head, needless) for head in heads]

    def deepen(self, start: int, end: int) -> None:
        """Indent rows by one more level."""
        for index in range(start, end):
            row = self.rows[index]
            self.rows[index] = row._replace(depth=row.depth + INDENT)

    def fresh(self, pool: tuple[str, ...] = NAMES) -> str:
        """An unused name."""
        free = [name for name in pool if name not in self.names]
        name = self.rng.choice(free) if free else f"{self.rng.choice(pool)}_{len(self.names)}"
        self.names.add(name)
        return name

    # ------------------------------------------------------------------------------- expressions

    def test(self, holds: bool | None) -> Expr:
        """A condition on an argument that holds always (true), never (false), or sometimes
        (``None``).
        """
        parameter = self.rng.choice(self.function.signature)
        always, never, sometimes = _tests(parameter, self.rng)
        tests = sometimes if holds is None else always if holds else never
        return expression(self.rng.choice(tests))


class Pad(NamedTuple):
    """A type of padding."""

    write: Callable[[Sheet], None]
    """Inserts the padding, or raises :class:`NoFittingRow`."""
    tier: int
    """The lowest tier that uses it."""


def pad(tier: int) -> Callable[[Callable[[Sheet], None]], Pad]:
    """Turn a function that inserts padding into a :class:`Pad`."""
    return lambda write: Pad(write, tier)


def _begins(head: Head) -> bool:
    """Whether a row begins a statement, so that other statements may stand in front of it."""
    branch = isinstance(head, If) and head.word == "elif"
    return not branch and not isinstance(head, Def | Else)


def _tests(parameter: Parameter, rng: Random) -> tuple[tuple[str, ...], ...]:
    """Conditions on a parameter that hold always, never, and sometimes within its bounds."""
    p, few, many = parameter.name, parameter.fewest, parameter.most
    if parameter.type_name == "number":
        k = rng.randint(parameter.low + 2, parameter.high - 2)
        return (
            (f"{p} > {parameter.low - 1}", f"{p} <= {parameter.high}", f"{p} != 0"),
            (f"{p} < {parameter.low}", f"{p} > {parameter.high}", f"{p} == 0"),
            (f"{p} > {k}", f"{p} % 2 == 0", f"{p} % 3 != 1"),
        )
    size = (f"len({p}) > {few - 1}", f"len({p}) <= {many}")
    wrong_size = (f"len({p}) < {few}", f"len({p}) > {many}", f"not {p}")
    if parameter.type_name == "numbers":
        k = rng.randint(6, 14)
        return (
            (*size, f"{p}[0] >= 0", f"min({p}) > -1", f"sum({p}) <= {many * parameter.high}"),
            (*wrong_size, f"{p}[-1] < 0", f"max({p}) > {parameter.high}"),
            (f"{p}[0] > {k}", f"{p}[-1] % 2 == 0", f"{p}[0] < {p}[1]"),
        )
    first = p if parameter.type_name == "word" else f"{p}[0]"
    return (
        (*size, f"{first}[0] in {parameter.letters!r}", f"{first} != ''"),
        (*wrong_size, f"'z' in {p}", f"{first} == ''"),
        (f"{first}[0] > 'b'", f"'a' in {first}", f"len({first}) % 2 == 0"),
    )


# -------------------------------------------------------------------------------- what is known


def last(row: Row) -> bool:
    """Whether a statement always leaves its block."""
    return isinstance(row.head, Return) or row.head in {Jump("break"), Jump("continue")}


def pure(node: Node) -> bool:
    """Whether an expression has no side effects."""
    return not any(
        (isinstance(part, Method) and part.method not in PURE_METHODS)
        or (isinstance(part, Call) and part.function not in PURE_FUNCTIONS)
        for part in nodes(node)
    )


def numeric(node: Node) -> bool:
    """Whether the value of an expression is always an integer.

    >>> numeric(expression("x + 1")), numeric(expression("x + y"))
    (True, False)
    """
    match node:
        case Const(value):
            return type(value) is int
        case Unary("-", _) | Binary("-" | "%" | "//" | "**"):
            return True
        case Binary("+", left, right):
            return numeric(left) or numeric(right)
        case Binary("*", left, right):
            return numeric(left) and numeric(right)
        case Call(function):
            return function in NUMERIC
        case _:
            return False


def names(node: Node) -> list[str]:
    """The variables in an expression, in the order of their first use."""
    variables = (part.name for part in nodes(node) if isinstance(part, Name))
    return list(dict.fromkeys(variables))


def binds(node: Node) -> bool:
    """Whether an expression has variables of its own."""
    return any(isinstance(part, Comprehension | GeneratorExpression) for part in nodes(node))
