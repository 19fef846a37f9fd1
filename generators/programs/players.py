"""Programs and values by players who do not understand the question: constants, idioms, tables."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

BUILTINS: tuple[Callable[[Any], Any], ...] = (sorted, sum, max, min, len)
"""The built-in functions that come to mind first for a list or a string."""


def idioms(entry: str, argument: str) -> dict[str, str]:
    r"""Functions that apply one idiom to their argument, by the name of the player.

    >>> idioms("solve", "v")["reversed"]
    'def solve(v):\n    return v[::-1]'
    """
    calls = {each.__name__: f"{each.__name__}({argument})" for each in BUILTINS}
    expressions = {"unchanged": argument, "reversed": f"{argument}[::-1]", **calls}
    return {
        name: f"def {entry}({argument}):\n    return {text}" for name, text in expressions.items()
    }


def by_rote(entry: str, argument: str, examples: Sequence[tuple[Any, Any]]) -> dict[str, str]:
    r"""Functions that know only examples of arguments and results, by the name of the player.

    >>> players = by_rote("solve", "v", [(1, 2), (3, 2)])
    >>> players["commonest result of the examples"]
    'def solve(v):\n    return 2'
    >>> players["table of the examples"]
    "def solve(v):\n    return {'1': 2, '3': 2}.get(repr(v), 2)"
    """
    results = [result for _, result in examples]
    usual = max(results, key=results.count)
    rows = {repr(value): result for value, result in examples}
    return {
        "commonest result of the examples": f"def {entry}({argument}):\n    return {usual!r}",
        "table of the examples": (
            f"def {entry}({argument}):\n    return {rows!r}.get(repr({argument}), {usual!r})"
        ),
    }


def transformed(values: Iterable[Any]) -> dict[str, list[Any]]:
    """All of some values after one idiom, by its name; without idioms that do not apply to all.

    >>> transformed([[2, 1], "ab"])["reversed"]
    [[1, 2], 'ba']
    """
    items = list(values)
    rows = {"unchanged": items}
    if all(isinstance(item, list | str) and item for item in items):
        rows["reversed"] = [item[::-1] for item in items]
        rows |= {each.__name__: [each(item) for item in items] for each in BUILTINS if each != sum}
        if all(isinstance(number, int) for item in items for number in item):
            rows["sum"] = [sum(item) for item in items]
    return rows
