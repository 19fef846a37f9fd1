"""Programs with one change: a line or a part of an expression is replaced."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from palaestra.generators.programs.mini_python.parse import head
from palaestra.generators.programs.mini_python.syntax import Comprehension, Head, Index, Node
from palaestra.generators.programs.mini_python.writing import written


class Change(NamedTuple):
    """A line number and the replacement of the line."""

    line: int
    """The number of the line, from 1."""
    head: Head

    @property
    def text(self) -> str:
        """The new line, without its indentation."""
        return written(self.head)


def on_lines(source: str, rewrite: Callable[[Head], Iterable[Head]]) -> list[Change]:
    """Every change that a rewriting of heads makes in a program."""
    rows = ((number, row.strip()) for number, row in enumerate(source.split("\n"), 1))
    return [Change(number, new) for number, row in rows if row for new in rewrite(head(row))]


def replaced(source: str, line: int, text: str) -> str:
    r"""A program with one line replaced, at the indentation that it had.

    >>> replaced("def f(n):\n    return n + 1", 2, "return n - 1")
    'def f(n):\n    return n - 1'
    """
    rows = source.split("\n")
    row = rows[line - 1]
    rows[line - 1] = row[: len(row) - len(row.lstrip(" "))] + text
    return "\n".join(rows)


def swapped(node: Node, part: Node, other: Node) -> Node:
    """A node with one part replaced.

    >>> total = head("return n + 1").value
    >>> written(swapped(total, total.left, total))
    'n + 1 + 1'
    """
    if node is part:
        return other
    if type(node) is tuple:
        return tuple(swapped(each, part, other) for each in node)
    if not hasattr(node, "__slots__"):
        return node
    return type(node)(*(swapped(getattr(node, name), part, other) for name in node.__slots__))


def rewritings(node: Node, rewrite: Callable[[Node], Iterable[Node]]) -> Iterator[Node]:
    """Every node that differs from one in itself or in one part that is rewritten."""
    yield from rewrite(node)
    yield from _in_parts(node, rewrite)


def _in_parts(node: Node, rewrite: Callable[[Node], Iterable[Node]]) -> Iterator[Node]:
    make, fields = type(node), node.__slots__
    parts = [getattr(node, field) for field in fields]
    for index, part in enumerate(parts):
        for other in _part_rewritings(fields[index], part, rewrite):
            yield make(*parts[:index], other, *parts[index + 1 :])


def _part_rewritings(
    field: str, part: Any, rewrite: Callable[[Node], Iterable[Node]]
) -> Iterator[Any]:
    if field in {"target", "comprehension"}:  # which stays one, whatever becomes of its parts
        if isinstance(part, Index | Comprehension):
            yield from _in_parts(part, rewrite)
    elif type(part) is tuple:
        for index, each in enumerate(part):
            if not isinstance(each, str):
                for other in rewritings(each, rewrite):
                    yield (*part[:index], other, *part[index + 1 :])
    elif hasattr(part, "__slots__"):
        yield from rewritings(part, rewrite)
