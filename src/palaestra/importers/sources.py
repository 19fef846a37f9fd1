"""What functions of other packages call, by their source code."""

import ast
import textwrap
from collections.abc import Iterator
from typing import Any

from palaestra.syntax import parse, source_of

EVALUATING = frozenset({"eval", "exec", "parse_expr", "sympify", "parse_latex", "lambdify"})
"""Functions that execute a text, directly or, as in SymPy, by way of ``eval``."""


def tree_of(target: Any) -> ast.Module:
    """The syntax tree of a class or a function."""
    return parse(textwrap.dedent(source_of(target)))


def calls_in(tree: ast.AST) -> Iterator[str]:
    """The names of the functions and methods that are called.

    >>> sorted(calls_in(parse("print(ast.literal_eval(text))")))
    ['literal_eval', 'print']
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id
            elif isinstance(node.func, ast.Attribute):
                yield node.func.attr
