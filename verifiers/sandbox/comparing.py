"""Comparing what a program gave with what was wanted. All of it happens in the judge."""

import math
from collections.abc import Callable
from typing import Any, Literal

Comparison = Literal["tokens", "lines", "exact"]

Checker = Callable[[str, str, str], bool]
"""Our own judge of one output: input, wanted output, the program's output."""

DEPTH = 60
DIGITS = 4_000


def same_output(
    wanted: str, actual: str, compare: Comparison = "tokens", tolerance: float = 0.0
) -> bool:
    r"""Whether two outputs are the same.

    ``tokens`` goes by what stands between blanks, ``lines`` by lines without the blanks at their
    ends, ``exact`` by every sign. With a ``tolerance``, tokens that are numbers may differ by it,
    absolutely or as a share.

    >>> same_output("1 2\n", "1\n2"), same_output("1 2", "1\n2", "lines")
    (True, False)
    >>> same_output("0.5", "0.50001", tolerance=1e-3), same_output("0.5", "nan", tolerance=1)
    (True, False)
    """
    if compare == "exact":
        return wanted == actual
    if compare == "lines":
        return _lines(wanted) == _lines(actual)
    left, right = wanted.split(), actual.split()
    if len(left) != len(right):
        return False
    if not tolerance:
        return left == right
    return all(one == other or _near(one, other, tolerance) for one, other in zip(left, right))


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]


def _near(wanted: str, actual: str, tolerance: float) -> bool:
    try:
        one, other = float(wanted), float(actual)
    except ValueError:
        return False
    if not (math.isfinite(one) and math.isfinite(other)):
        return False
    return abs(one - other) <= tolerance * max(1.0, abs(one))


def same_value(wanted: Any, actual: Any, tolerance: float = 0.0, depth: int = DEPTH) -> bool:
    """Whether two plain values are the same, types included, also inside of sets and keys; lists
    and tuples are one type.

    True is not 1, and 1 is not 1.0, unless a ``tolerance`` for numbers is given, which is absolute
    or a share. NaN equals NaN, as a wanted value.

    >>> same_value([1, (2, "a")], [1, [2, "a"]]), same_value(1, True), same_value(1, 1.0)
    (True, False, False)
    """
    if depth == 0:
        return False
    if isinstance(wanted, list | tuple):
        return isinstance(actual, list | tuple) and len(wanted) == len(actual) and all(
            same_value(a, b, tolerance, depth - 1) for a, b in zip(wanted, actual)
        )  # fmt: skip
    if isinstance(wanted, dict):
        return isinstance(actual, dict) and _same_items(wanted, actual, tolerance, depth)
    if isinstance(wanted, set | frozenset):
        return isinstance(actual, set | frozenset) and (
            set(map(_keyed, wanted)) == set(map(_keyed, actual))
        )
    numbers = {type(wanted), type(actual)} <= {int, float}
    if tolerance and numbers:
        return _near(str(wanted), str(actual), tolerance)
    if type(wanted) is float and math.isnan(wanted):
        return type(actual) is float and math.isnan(actual)
    return type(wanted) is type(actual) and bool(wanted == actual)


def _keyed(value: Any) -> tuple[Any, Any]:
    """What stands for a member of a set or a key of a dict, and is equal only for one of the same
    types throughout.
    """
    if isinstance(value, tuple):
        return tuple, tuple(map(_keyed, value))
    if isinstance(value, frozenset):
        return frozenset, frozenset(map(_keyed, value))
    if type(value) is float and math.isnan(value):
        return float, "nan"
    return type(value), value


def _same_items(
    wanted: dict[Any, Any], actual: dict[Any, Any], tolerance: float, depth: int
) -> bool:
    by_key = {_keyed(key): value for key, value in actual.items()}
    return len(wanted) == len(by_key) and all(
        (keyed := _keyed(key)) in by_key and same_value(value, by_key[keyed], tolerance, depth - 1)
        for key, value in wanted.items()
    )
