"""Players who look at a program of the subset, but neither run nor understand it."""

import re
from collections.abc import Sequence
from random import Random
from typing import Any

from palaestra.generators.programs.mini_python.mutate import slips
from palaestra.generators.programs.mini_python.parameters import Signature, literal
from palaestra.generators.programs.mini_python.parse import head
from palaestra.generators.programs.mini_python.rewriting import Change
from palaestra.generators.programs.mini_python.syntax import (
    Binary,
    Call,
    Compare,
    Conditional,
    Const,
    Index,
    Method,
    Name,
    nodes,
)
from palaestra.generators.programs.mini_python.writing import written

_LITERAL = re.compile(r"'[^']*'|\d+")
_PIECES = (Binary, Call, Compare, Conditional, Const, Index, Method, Name)


def literals(source: str) -> list[str]:
    """The numbers and strings of a program, as they are written.

    >>> literals("return n + 'a' * 12")
    ["'a'", '12']
    """
    return _LITERAL.findall(source)


def pieces(lines: Sequence[str]) -> list[str]:
    """The variables, constants, calls and operations in lines of a program.

    >>> pieces(["total += abs(n)"])
    ['total', 'abs(n)', 'n']
    """
    parts = (part for line in lines for part in nodes(head(line)))
    return list(dict.fromkeys(written(part) for part in parts if isinstance(part, _PIECES)))


def random_slips(source: str, rng: Random) -> dict[str, Change]:
    """A slip at random, the first one, and one in the last line that has any."""
    changes = slips(source)
    last = [change for change in changes if change.line == changes[-1].line]
    return {
        "random slip": rng.choice(changes),
        "first slip": changes[0],
        "slip in the last line": rng.choice(last),
    }


def filled_with(signature: Signature, value: Any, rng: Random) -> list[Any]:
    """Arguments that equal a value, or hold it as often as they can; else at random.

    >>> from palaestra.generators.programs.mini_python.parameters import Parameter
    >>> filled_with((Parameter("xs", "numbers", 0, 9, 2, 3),), 7, Random(0))
    [[7, 7, 7]]
    """
    row = []
    for parameter in signature:
        options = [value]
        if parameter.type_name in ("numbers", "words"):
            options.append([value] * parameter.most)
        elif isinstance(value, str):
            options.append((value * parameter.most)[: parameter.most])
        fitting = [option for option in options if not parameter.refused(option)]
        row.append(fitting[0] if fitting else parameter.sample(rng))
    return row


def arguments_of(call: str) -> tuple[Any, ...]:
    """The values in a call.

    >>> arguments_of("f([1], 'a')")
    ([1], 'a')
    """
    values: tuple[Any, ...] = literal(f"({call.partition('(')[2][:-1]},)")
    return values
