"""How much of a repository has been mended, by what a player reads and writes; nothing is run."""

import ast
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.tools.engine import Changes
from palaestra.syntax import parse


class Repair(NamedTuple):
    """A function that has a fault, the file that it is in, and its text as it should be."""

    path: str
    function: str
    text: str


def goal_of(repairs: Iterable[Repair]) -> Changes:
    """Each file with a fault is opened, and each faulty function has the right code."""
    goal: Changes = {}
    for each in repairs:
        goal |= {("opened", each.path): True, ("mended", each.path, each.function): True}
    return goal


def mended(repairs: Iterable[Repair], files: Mapping[str, str]) -> Changes:
    """The repairs whose code stands in the files, whatever is documented there."""
    return {
        ("mended", each.path, each.function): True
        for each in repairs
        if code_of(files[each.path], each.function) == code_of(each.text, each.function) != ""
    }


@lru_cache(maxsize=1_024)
def code_of(text: str, function: str) -> str:
    r"""The code of the only function of a name in a program, without its documentation; nothing
    where there is none, or where the text is no program.

    >>> code_of("def f(a):\n    'It is a.'\n    return (a)", "f")
    'return a'
    """
    try:
        nodes = [
            node
            for node in ast.walk(parse(text))
            if isinstance(node, ast.FunctionDef) and node.name == function
        ]
        bodies = [node.body[1:] if ast.get_docstring(node) else node.body for node in nodes]
        return "\n".join(map(ast.unparse, bodies[0])) if len(bodies) == 1 else ""
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
