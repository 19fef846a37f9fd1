"""Answers of several values: numbers by name, sets of names, and the share that is right."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.reading.numbers import integer
from palaestra.verifiers.reading.values import items, pairs

NOBODY = "none"
"""The text for an empty set."""


def numbered(values: Iterable[object]) -> str:
    r"""Write values as lines that are numbered from 1.

    >>> numbered(["a", 7])
    '1: a\n2: 7'
    """
    return "\n".join(f"{number}: {value}" for number, value in enumerate(values, 1))


def places(number: int) -> list[str]:
    """Return the names of ``number`` numbered lines.

    >>> places(3)
    ['1', '2', '3']
    """
    return [str(n) for n in range(1, number + 1)]


def by_name(
    text: str, names: Collection[str], values: Collection[str] | None = None
) -> dict[str, str]:
    r"""Read values by name, like :func:`~palaestra.verifiers.reading.values.pairs`.

    Lines may also begin with ``1.`` or ``1)``, contain ``*`` for bold, and end with a full stop.

    >>> by_name("1. true\n**2**: False.", ["1", "2"], ["true", "false"])
    {'1': 'true', '2': 'false'}
    """
    return pairs(text, names, values)


def numbers_by_name(text: str, names: Collection[str]) -> dict[str, int]:
    """Read a whole number for each name, one name per line.

    >>> numbers_by_name("bo: 3", ["Bo"])
    {'Bo': 3}
    """
    return {name: integer(value) for name, value in pairs(text, names).items()}


def name_set(text: str, known: Collection[str]) -> frozenset[str]:
    """Read a set of known names, in any order, each once; ``none`` is the empty set.

    >>> sorted(name_set("bo and Ada", ["Ada", "Bo", "Cleo"])), name_set("none", ["Ada"])
    (['Ada', 'Bo'], frozenset())
    """
    if text.strip().casefold() == NOBODY:
        return frozenset()
    by_key = {name.casefold(): name for name in known}
    names = [item.casefold() for item in items(text, "a list of names")]
    names = [item for item in names if item != "and"]
    if not names or not by_key.keys() >= set(names):
        raise InvalidAnswer(f"expected a list of names from the question, or '{NOBODY}'")
    if len(set(names)) < len(names):
        raise InvalidAnswer("a name is listed twice")
    return frozenset(by_key[key] for key in names)


def as_text(names: Collection[str]) -> str:
    """Write a set of names as an answer.

    >>> as_text({"Bo", "Ada"}), as_text(())
    ('Ada, Bo', 'none')
    """
    return ", ".join(sorted(names)) or NOBODY


def matched(values: Mapping[Any, Any], right: Mapping[Any, Any]) -> Score:
    """Score 1 if all values are right, otherwise 0; the reason says how many are wrong, not which.

    >>> matched({"a": 1, "b": 2}, {"a": 1, "b": 3}).reason
    '1 of the 2 values is wrong'
    """
    wrong = sum(values[name] != value for name, value in right.items())
    parts = {"right": 1 - wrong / len(right)}
    if not wrong:
        return Score(1, parts=parts)
    are = "is" if wrong == 1 else "are"
    return Score(0, f"{wrong} of the {len(right)} values {are} wrong", parts)


def in_order(values: Sequence[Any], right: Sequence[Any]) -> Score:
    """Score a list of values like :func:`matched`."""
    return matched(dict(enumerate(values)), dict(enumerate(right)))
