"""All changes that shorten a program, whether or not they preserve its behaviour."""

from collections.abc import Iterator

from palaestra.generators.programs.mini_python.rewriting import Change, on_lines, rewritings
from palaestra.generators.programs.mini_python.syntax import (
    Const,
    Def,
    Else,
    For,
    GeneratorExpression,
    Head,
    If,
    Jump,
    Keyword,
    Node,
    TupleOf,
    children,
)


def omissions(source: str) -> list[Change]:
    r"""Every statement removed, or executed unconditionally.

    >>> [cut.text for cut in omissions("def f(n):\n    n += 1 + n\n    return n")]
    ['pass', 'pass']
    """
    return on_lines(source, _left_out)


def cuts(source: str) -> list[Change]:
    r"""Every expression replaced with one of its parts.

    >>> [cut.text for cut in cuts("def f(n):\n    n += 1 + n\n    return n")]
    ['n += 1', 'n += n']
    """
    return on_lines(source, shorter)


def shorter(head: Head) -> Iterator[Head]:
    """Every line with one part removed."""
    return rewritings(head, _parts)


def _left_out(head: Head) -> Iterator[Head]:
    match head:
        case Def() | Else():
            pass
        case If(word):
            yield If(word, Const(False))
            if word != "while":
                yield If(word, Const(True))
        case For(target):
            yield For(target, TupleOf(()))
        case _:
            yield Jump("pass")


def _parts(node: Node) -> Iterator[Node]:
    """The parts of an expression that may replace it."""
    if not isinstance(node, Head | Keyword | GeneratorExpression):
        for part in children(node):
            if not isinstance(part, Keyword | GeneratorExpression):
                yield part
