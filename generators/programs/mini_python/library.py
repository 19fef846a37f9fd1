"""The operators, built-in functions and methods of the subset, each with its cost.

Each delegates to Python's own implementation after checking that it ends soon.
"""

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from palaestra.generators.programs.mini_python.machine import (
    LARGEST,
    LONGEST,
    SIZED,
    Limit,
    Machine,
)

Operation = Callable[[Machine, Any, Any], Any]

REPEATED = frozenset({str, list, tuple})


def _plain(operate: Callable[[Any, Any], Any]) -> Operation:
    """Operators whose result is no larger than both operands together."""
    return lambda machine, one, other: machine.kept(operate(one, other))


def _times(operate: Callable[[Any, Any], Any]) -> Operation:
    def times(machine: Machine, one: Any, other: Any) -> Any:
        for row, number in ((one, other), (other, one)):
            if type(row) in REPEATED and isinstance(number, int) and len(row) * number > LONGEST:
                raise Limit("a value gets too large")
        return machine.kept(operate(one, other))

    return times


def _modulo(machine: Machine, one: Any, other: Any) -> Any:
    if isinstance(one, str):
        raise Limit("texts are not formatted here")
    return one % other


def _power(machine: Machine, one: Any, other: Any) -> Any:
    if isinstance(one, int) and isinstance(other, int):
        if other < 0 and one:
            raise Limit("there are no fractions here")
        if int(one).bit_length() * other > 140 and abs(one) > 1:
            raise Limit("a number gets too large")
    return machine.kept(one**other)


QUICK: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "//": operator.floordiv, "%": operator.mod,
}  # fmt: skip
"""The binary operators on two integers."""

OPERATIONS: Mapping[str, Operation] = {
    "+": _plain(operator.add),
    "-": _plain(operator.sub),
    "*": _times(operator.mul),
    "//": _plain(operator.floordiv),
    "%": _modulo,
    "**": _power,
    "+=": _plain(operator.iadd),
    "-=": _plain(operator.sub),
    "*=": _times(operator.imul),
    "//=": _plain(operator.floordiv),
    "%=": _modulo,
}


def gathered(machine: Machine, source: Any) -> list[Any]:
    """The items of an iterable as a list, with its cost charged."""
    if type(source) in SIZED:
        machine.kept(source)
    items = list(source)
    machine.spend(len(items) >> 4)
    machine.weigh(items)
    return items


def drained(machine: Machine, source: Any) -> Iterable[Any]:
    """The same, item by item where the items are only made on the way."""
    return gathered(machine, source) if type(source) in SIZED else _weighed(machine, source)


def _weighed(machine: Machine, source: Iterable[Any]) -> Iterator[Any]:
    for item in source:
        machine.spend(1)
        machine.weigh(item)
        yield item


def _weighing(compare: Callable[[Any, Any], bool]) -> Operation:
    def comparison(machine: Machine, one: Any, other: Any) -> bool:
        machine.weigh(one, other)
        return compare(one, other)

    return comparison


def _contains(machine: Machine, one: Any, other: Any) -> bool:
    machine.weigh(one, other)
    if type(other) is str:
        if type(one) is str:
            machine.spend(len(one) * len(other) >> 10)  # at worst, each sign meets each
    elif type(other) not in {list, tuple, dict, set}:
        other = gathered(machine, other)
    return one in other


COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne, "is": operator.is_, "is not": operator.is_not,
}  # fmt: skip
"""The comparison operators on two integers."""

COMPARISONS: Mapping[str, Operation] = {
    **{sign: _weighing(compare) for sign, compare in COMPARED.items()},
    "in": _contains,
    "not in": lambda machine, one, other: not _contains(machine, one, other),
}


def backwards(value: Any) -> bool:
    """The value of the argument ``reverse``."""
    if not isinstance(value, int):
        raise Limit("reverse is a truth value")  # of any kind, in newer Pythons
    return bool(value)


def _sorted(machine: Machine, source: Any, reverse: Any = False) -> list[Any]:
    turned = backwards(reverse)
    return sorted(gathered(machine, source), reverse=turned)


def _set(machine: Machine, source: Any) -> set[Any]:
    items = gathered(machine, source)
    machine.spend(len(items) >> 1)  # at worst, each item meets each
    return set(items)


def _sum(machine: Machine, source: Any, start: Any = 0) -> Any:
    items = drained(machine, source)
    if isinstance(start, int | str):  # a text is what no sum may begin with
        return machine.kept(sum(items, start))
    for item in items:
        start = machine.kept(start + item)
    return start


def _best(choose: Callable[[Any], Any]) -> Callable[..., Any]:
    def best(machine: Machine, *values: Any) -> Any:
        if len(values) > 1:
            machine.weigh(*values)
            return choose(values)
        return choose(drained(machine, values[0]))

    return best


def _range(machine: Machine, *bounds: Any) -> Any:
    if any(isinstance(bound, int) and abs(bound) > LARGEST for bound in bounds):
        raise Limit("a range gets too large")
    numbers = range(*bounds)
    if numbers and abs(numbers[-1] - numbers[0]) // abs(numbers.step) > LONGEST:
        raise Limit("a range gets too large")
    return numbers


def _whole(machine: Machine, value: Any) -> Any:
    if isinstance(value, str) and len(value) > 50:
        raise Limit("a number gets too large")
    return machine.kept(int(value))


def _text(machine: Machine, value: Any) -> Any:
    machine.weigh(value)
    return machine.kept(str(value))


def _looped_over(function: Callable[..., Any]) -> Callable[..., Any]:
    """An iterator over items whose cost is already charged."""

    def loop(machine: Machine, *values: Any) -> Any:
        for value in values:
            machine.kept(value)
        return function(*values)

    return loop


BUILTINS: Mapping[str, Callable[..., Any]] = {
    "abs": lambda machine, value: abs(value),
    "all": lambda machine, source: all(drained(machine, source)),
    "any": lambda machine, source: any(drained(machine, source)),
    "bool": lambda machine, value: bool(value),
    "chr": lambda machine, value: chr(value),
    "enumerate": _looped_over(enumerate),
    "int": _whole,
    "len": lambda machine, value: len(value),
    "list": lambda machine, source: machine.kept(gathered(machine, source)),
    "max": _best(max),
    "min": _best(min),
    "ord": lambda machine, value: ord(value),
    "range": _range,
    "reversed": _looped_over(reversed),
    "set": _set,
    "sorted": _sorted,
    "str": _text,
    "sum": _sum,
    "tuple": lambda machine, source: tuple(machine.kept(gathered(machine, source))),
    "zip": _looped_over(zip),
}
"""The built-in functions; their first argument is the machine."""


def check_cost(machine: Machine, target: Any, method: str, arguments: list[Any]) -> None:
    """Charge for methods that do more than look up an item."""
    if method in {"count", "index", "remove", "sort"}:
        machine.weigh(target, *arguments)
    elif method in {"get", "pop", "setdefault"}:
        machine.weigh(*arguments)
    elif method == "replace":
        old, new = arguments
        if isinstance(target, str) and isinstance(old, str) and isinstance(new, str):
            machine.spend(len(target) >> 4)
            if (target.count(old) + 1) * len(new) > 2 * LONGEST:
                raise Limit("a value gets too large")
    elif method == "join":
        arguments[0] = gathered(machine, arguments[0])
        if sum(len(each) for each in arguments[0] if isinstance(each, str)) > LONGEST:
            raise Limit("a value gets too large")
