"""Programs of calls that name the results of other calls: reading them, and running them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from palaestra.generators.tools.nested_calls.interfaces import (
    ARITY,
    Function,
    Work,
    argument_types,
    taken,
)
from palaestra.generators.tools.nested_calls.meanings import MEASURES, UNITS, converted
from palaestra.generators.tools.nested_calls.records import Records, evaluated
from palaestra.generators.tools.nested_calls.steps import Operation, Schema, Step, Unsuitable
from palaestra.task import InvalidAnswer
from palaestra.verifiers.calls.reading import CALLS, Call, read_calls
from palaestra.verifiers.json.reading import exact_number, fenced, read_json

LABELS = ("as", "label", "save_as")
"""The keys under which a call may name its result."""

LARGEST = 4_096
"""How many bits the numerator and the denominator of a number may have."""

_REFERENCE = re.compile(r"\$\{?(\w{1,100})(?:\.(\w{1,100}))?\}?")


class Invocation(NamedTuple):
    """A call of a program, and the name of its result."""

    name: str
    arguments: Mapping[str, Any]
    label: str


class Id(NamedTuple):
    """The id of a record, which no argument can spell out."""

    record: int
    number: int


class Ids(NamedTuple):
    """A list of ids of a type of records."""

    record: int
    numbers: tuple[int, ...]


Result = Id | Ids | Fraction | dict[str, Any]
"""What a call returns."""


class Failure(Exception):
    """A program that cannot be run to its end."""


def read_program(text: str, functions: Mapping[str, Function]) -> list[Invocation]:
    """The calls of an answer, where those without names are numbered from 1.

    Raises :class:`InvalidAnswer` for what is no list of calls, or where two names are the same.
    """

    def order(name: str) -> Sequence[str]:
        return functions[name].parameters if name in functions else ()

    labels: list[str] = []
    calls: list[Call] = []
    try:
        for label, call in _labelled(text):
            labels.append(label)
            calls.append(call)
    except InvalidAnswer:
        calls = read_calls(text, order)
        labels = [""] * len(calls)
    if len(calls) > CALLS:
        raise InvalidAnswer(f"{len(calls)} calls, and at most {CALLS} are looked at", "limit")
    if not calls:
        raise InvalidAnswer("no function is called")
    names = [label or str(n) for n, label in enumerate(labels, 1)]
    if len({*names}) < len(names):
        raise InvalidAnswer('two calls have the same name after "as"')
    return [Invocation(*call, name) for call, name in zip(calls, names)]


def _labelled(text: str) -> Iterator[tuple[str, Call]]:
    """The calls of an answer in JSON with the names of their results, which may be empty."""
    for entry in _entries(text):
        if not isinstance(entry, dict):
            raise InvalidAnswer("a call is an object")
        labels = [entry[key] for key in LABELS if key in entry]
        label = labels[0] if len(labels) == 1 else ""
        if len(labels) > 1 or not isinstance(label, str):
            raise InvalidAnswer("a call has one name for its result, which is a text")
        rest = {key: value for key, value in entry.items() if key not in LABELS}
        yield label.removeprefix("$"), _call(rest)


def _entries(text: str) -> list[Any]:
    if "<tool_call>" in text:
        blocks = (each.partition("</tool_call>")[0] for each in text.split("<tool_call>")[1:])
        return [entry for block in blocks for entry in _listed(read_json(block))]
    body = fenced(text).strip()
    lines = [line for line in map(str.strip, body.splitlines()) if line]
    if len(lines) > 1 and all(line[0] == "{" and line[-1] == "}" for line in lines):
        return [read_json(line) for line in lines]
    return _listed(read_json(body))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _call(entry: Mapping[str, Any]) -> Call:
    """The call of an object without the name of its result."""
    calls = read_calls(json.dumps(entry))
    if len(calls) != 1:
        raise InvalidAnswer("an object is one call")
    return calls[0]


def run(
    program: Sequence[Invocation],
    functions: Mapping[str, Function],
    schema: Schema,
    records: Records,
) -> Iterator[Result]:
    """The results of the calls of a program on a data set, one after the other.

    Raises :class:`Failure` at the first call that cannot be made.
    """
    results: dict[str, Result] = {}
    for number, invocation in enumerate(program, 1):
        try:
            function = functions.get(invocation.name)
            if function is None:
                raise Failure(f"there is no function {invocation.name[:60]!r}")
            values = _values(schema, function, invocation.arguments, results)
            result = applied(records, function, values)
        except Failure as failure:
            raise Failure(f"call {number}: {failure}") from None
        results[invocation.label] = result
        results.setdefault(str(number), result)
        yield result


def _values(
    schema: Schema,
    function: Function,
    arguments: Mapping[str, Any],
    results: Mapping[str, Result],
) -> list[Any]:
    """The values of the arguments in the order of the parameters; that of an option may be None."""
    strange = [name for name in arguments if name not in function.parameters]
    if strange:
        raise Failure(f"{function.name} has no argument {strange[0][:60]!r}")
    values: list[Any] = []
    types = argument_types(function)
    for n, (name, expected) in enumerate(zip(function.parameters, types)):
        if name not in arguments:
            if n < ARITY[function.work]:
                raise Failure(f"{function.name} needs the argument {name!r}")
            values.append(None)
            continue
        value = _resolved(arguments[name], results)
        if not _fits(value, expected, taken(schema, function)):
            raise Failure(f"the argument {name!r} of {function.name} has another type")
        values.append(value)
    return values


def _resolved(value: Any, results: Mapping[str, Result]) -> Any:
    """A literal as it is, with numbers exact, or the result that a reference names."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Fraction(exact_number(value))
    if not isinstance(value, str) or not (match := _REFERENCE.fullmatch(value)):
        return value
    if match[1] not in results:
        raise Failure(f"no call before it has the name {match[1][:60]!r}")
    result = results[match[1]]
    if match[2] is None:
        return result
    if not isinstance(result, dict) or match[2] not in result:
        raise Failure(f"{value[:80]} is no field of an object")
    return result[match[2]]


def _fits(value: Any, expected: str, record: int) -> bool:
    if expected in {"id", "ids"}:
        return isinstance(value, Id if expected == "id" else Ids) and value.record == record
    return isinstance(value, {"number": Fraction, "text": str, "boolean": bool}[expected])


def applied(records: Records, function: Function, values: Sequence[Any]) -> Result:
    """What a function returns for arguments of the right types."""
    try:
        match function.work:
            case "plus" | "minus" | "times" | "parts":
                return _calculated(function, *values)
            case "convert":
                family = function.family()
                return converted(values[0], family, function.unit, function.other_unit)
            case "details":
                return _object(records, function, values[0].number)
            case "either":
                return Ids(function.record, tuple(sorted({*values[0].numbers, *values[1].numbers})))
            case "find":
                key = function.record, values[0].strip().casefold()
                if key not in records.names:
                    raise Failure("there is nothing of this name")
                return Id(function.record, records.names[key])
        return _looked_up(records, function, values)
    except Unsuitable:
        raise Failure("the list has too few records") from None


def _calculated(function: Function, one: Fraction, other: Fraction) -> Fraction:
    if not function.above and function.work == "minus":
        one, other = other, one
    if function.work == "plus":
        value = one + other
    elif function.work == "minus":
        value = one - other
    elif function.work == "times":
        value = one * other
    else:
        one, other = (one, other) if function.above else (other, one)
        if not other:
            raise Failure("a division by zero")
        value = one / other
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > LARGEST:
        raise Failure("a number too long")
    return value


def _object(records: Records, function: Function, number: int) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for field in function.fields:
        if field.unit:
            family = MEASURES[field.key].family
            amount = Fraction(records.values(function.record, field.key)[number])
            smallest = next(iter(UNITS[family]))
            result[field.name] = converted(amount, family, smallest, field.unit)
        else:
            link = records.schema.link(function.record, field.key)
            result[field.name] = Id(link.target, records.links(link.source, link.key)[number])
    return result


def _looked_up(records: Records, function: Function, values: Sequence[Any]) -> Result:
    """The result of a function that does what a step of a request does."""
    work, record = function.work, function.record
    option = values[-1] if function.has_option else None
    sources: list[Any] = []
    for value in values[: ARITY[work]]:
        sources.append(value.number if isinstance(value, Id) else value)
        if isinstance(value, Ids):
            sources[-1] = value.numbers
    if work == "without" and not function.above:
        sources.reverse()
    if work == "charge":
        smallest = next(iter(UNITS[function.family()]))
        sources[1] = converted(sources[1], function.family(), function.other_unit, smallest)
    if work == "select":
        return _selected(records, function, sources, option)
    target, origin = record, -1
    if work == "related":
        target, origin = records.schema.link(record, function.key).target, record
    rank = _rank(option) if work == "extreme" else 0
    step = Step(
        _operation(work), target, function.key, (0, 1), rank, above=function.above, origin=origin
    )
    value = evaluated(records, step._replace(sources=tuple(range(len(sources)))), sources)
    if isinstance(value, tuple):
        return Ids(record, value)
    if isinstance(value, int):
        return Id(target, value)
    return _in_unit(function, value, option)


def _operation(work: Work) -> Operation:
    """What a function does, as the operation of a step. Raises :class:`Failure` otherwise."""
    match work:
        case "find" | "details" | "either" | "convert":
            raise Failure(f"{work} is no operation of a step")
    return work


def _selected(records: Records, function: Function, sources: Sequence[Any], option: Any) -> Ids:
    some, bound = sources
    family = MEASURES[function.key].family
    bound = converted(bound, family, function.unit, next(iter(UNITS[family])))
    column, sign = records.values(function.record, function.key), 1 if function.above else -1
    within = option or function.inclusive
    chosen = (n for n in some if sign * (column[n] - bound) > 0 or (within and column[n] == bound))
    return Ids(function.record, tuple(chosen))


def _rank(option: Any) -> int:
    if option is None:
        return 1
    if option.denominator != 1 or not 1 <= option <= 1_000:
        raise Failure("a rank is a whole number from 1")
    return int(option)


def _in_unit(function: Function, value: Fraction, option: Any) -> Fraction:
    """A quantity in the unit of a function, or in the one that its option names."""
    if function.work == "count":
        return value
    if function.work == "charge":
        return converted(value, "money", "cents", function.unit)
    family = MEASURES[function.key].family
    unit = function.unit if option is None else " ".join(option.split()).casefold()
    unit = unit if unit in UNITS[family] else f"{unit}s"
    if unit not in UNITS[family]:
        raise Failure(f"the units are {', '.join(UNITS[family])}")
    return converted(value, family, next(iter(UNITS[family])), unit)
