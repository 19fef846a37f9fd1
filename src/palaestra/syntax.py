"""Syntax trees of Python, from any thread.

CPython before 3.13 counts how deep it is in a tree in one place for all threads, so that two that
build trees at once may get a SystemError for no fault of theirs (gh-106905). Ours take turns; where
the other one is not ours, it is tried again.
"""

import ast
import inspect
from collections.abc import Callable
from threading import RLock
from types import CodeType
from typing import TypeVar

Made = TypeVar("Made")

TRIES = 20
"""How often a tree is built before somebody else's trees are no excuse."""

_turn = RLock()


def parse(source: str, name: str = "<unknown>") -> ast.Module:
    """The tree of a program, as of :func:`ast.parse`, with its errors."""
    return _alone(lambda: ast.parse(source, name))


def parse_expression(source: str) -> ast.expr:
    """The tree of an expression.

    >>> ast.dump(parse_expression("7"))
    'Constant(value=7)'
    """
    return _alone(lambda: ast.parse(source, mode="eval")).body


def compiled(tree: ast.Module, name: str) -> CodeType:
    """The code of a tree that is a program. Raises ``SyntaxError`` or another error of
    :func:`compile` where it is none.
    """
    return _alone(lambda: compile(tree, name, "exec", dont_inherit=True))


def source_of(thing: type | Callable[..., object]) -> str:
    """The text of a class or a function of ours. For a class, the standard library builds the
    tree of its module.
    """
    return _alone(lambda: inspect.getsource(thing))


def _alone(make: Callable[[], Made]) -> Made:
    with _turn:
        for _ in range(TRIES - 1):
            try:
                return make()
            except SystemError:
                pass  # somebody else was building one
        return make()
