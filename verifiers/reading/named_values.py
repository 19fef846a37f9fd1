"""Judging answers of several values: numbers by name, sets of names, what of it is right."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.reading.values import integer, items, pairs

NOBODY = "none"
"""How an empty set is written."""

_NUMBER = re.compile(r"^\s{0,9}(\d{1,3})[.)]\s", re.ASCII)


def numbered(values: Iterable[object]) -> str:
    r"""Values as lines with numbers from 1.

    >>> numbered(["a", 7])
    '1: a\n2: 7'
    """
    return "\n".join(f"{number}: {value}" for number, value in enumerate(values, 1))


def places(number: int) -> list[str]:
    """The names of so many numbered lines.

    >>> places(3)
    ['1', '2', '3']
    """
    return [str(n) for n in range(1, number + 1)]


def by_name(
    text: str, names: Collection[str], values: Collection[str] | None = None
) -> dict[str, str]:
    r"""Values by name: :func:`~palaestra.verifiers.reading.values.pairs`, or a list or sentence.

    That is, with ``1.`` or ``1)`` for a number, with stars around it, with a full stop at the end.

    >>> by_name("1. true\n**2**: False.", ["1", "2"], ["true", "false"])
    {'1': 'true', '2': 'false'}
    """
    return pairs("\n".join(map(_tidied, text.splitlines())), names, values)


def _tidied(line: str) -> str:
    return _NUMBER.sub(r"\1: ", line.replace("*", "").rstrip().removesuffix("."))


def numbers_by_name(text: str, names: Collection[str]) -> dict[str, int]:
    """A whole number for each name, on lines of their own.

    >>> numbers_by_name("bo: 3", ["Bo"])
    {'Bo': 3}
    """
    return {name: integer(value) for name, value in pairs(text, names).items()}


def name_set(text: str, known: Collection[str]) -> frozenset[str]:
    """Some of the known names, in any order, each once; ``none`` for none of them.

    >>> sorted(name_set("bo and Ada", ["Ada", "Bo", "Cleo"])), name_set("none", ["Ada"])
    (['Ada', 'Bo'], frozenset())
    """
    if text.strip().casefold() == NOBODY:
        return frozenset()
    by_key = {name.casefold(): name for name in known}
    names = [item.casefold() for item in items(text, "a list of names")]
    names = [item for item in names if item != "and"]
    if not names or not by_key.keys() >= set(names):
        raise InvalidAnswer(f"not a list of the names given, or '{NOBODY}'")
    if len(set(names)) < len(names):
        raise InvalidAnswer("a name is listed twice")
    return frozenset(by_key[key] for key in names)


def as_text(names: Collection[str]) -> str:
    """A set of names as an answer.

    >>> as_text({"Bo", "Ada"}), as_text(())
    ('Ada, Bo', 'none')
    """
    return ", ".join(sorted(names)) or NOBODY


def matched(values: Mapping[Any, Any], right: Mapping[Any, Any]) -> Score:
    """1 where all values are right; else 0, with how many are wrong and never which.

    >>> matched({"a": 1, "b": 2}, {"a": 1, "b": 3}).reason
    '1 of the 2 values asked for is wrong'
    """
    wrong = sum(values[name] != value for name, value in right.items())
    parts = {"right": 1 - wrong / len(right)}
    if not wrong:
        return Score(1, parts=parts)
    are = "is" if wrong == 1 else "are"
    return Score(0, f"{wrong} of the {len(right)} values asked for {are} wrong", parts)


def in_order(values: Sequence[Any], right: Sequence[Any]) -> Score:
    """The same for values without names."""
    return matched(dict(enumerate(values)), dict(enumerate(right)))
