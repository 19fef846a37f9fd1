"""Answers that call tools: the right ones, with the right arguments, and no others.

>>> book = {"name": "book", "parameters": {"type": "object", "properties": {
...     "hour": {"type": "integer"}, "room": {"type": "string", "default": "Oak"}},
...     "required": ["hour"]}}
>>> verifier = ToolCalls([Call("book", {"hour": 9})], tools=[book])
>>> verifier('{"tool": "book", "args": {"hour": 9}}').correct
True
>>> verifier('book(hour=9, room="Oak")').correct  # what the default is anyway
True
>>> verifier('{"name": "book", "arguments": {"hour": "9"}}').reason
"in the arguments of book, $.hour breaks 'type'"
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.calls.reading import Call, read_calls
from palaestra.verifiers.json.reading import check_json, pairing, same_json
from palaestra.verifiers.json.schemas import check_schema, schema_violation
from palaestra.verifiers.reading.numbers import rational
from palaestra.verifiers.verifier import GoldError, Verifier
from palaestra.verifiers.weights import check_weights

__all__ = ["Call", "OneOf", "ToolCalls"]

PARTS = ("names", "arguments", "values")
"""The parts of a score that may have weights."""

Tools = Sequence[Mapping[str, Any]]
Schemas = Mapping[str, Mapping[str, Any]]
"""What the arguments of each tool must be."""


class OneOf(NamedTuple):
    """An argument of an expected call that may have several values, or be left out."""

    values: Sequence[Any]
    optional: bool = False


@dataclass(frozen=True, slots=True)
class ToolCalls(Verifier):
    """Score 1 if an answer makes the expected calls, otherwise 0 or, with ``partial``, a share.

    Calls are read in every way that :func:`~palaestra.verifiers.calls.reading.read_calls` knows.
    An expected argument is a JSON value or a :class:`OneOf`. ``tools`` are the functions there
    are, in the form of chat APIs (``{"type": "function", "function": {...}}``, or what stands in
    it). Where they are given, calls of others are wrong, arguments must be valid by the tool's
    schema, those left out have the defaults of the schema, and in calls like ``book(9)`` the order
    of the schema's properties names them.

    - ``order``: "any", for calls in parallel, or "given".
    - ``extra``: calls beyond the expected ones are wrong ("refuse"), or pass if they are of tools
      that no expected call names ("allow"). A second try of an expected tool never passes.
    - ``coerce``: an argument told as text is taken for the number or truth value, and a number for
      the text, that the schema asks for. Otherwise "1" is not 1; 1.0 is.
    - ``partial``: the value is the F1 of expected calls made (recall) and of calls made that were
      expected (precision), so that further calls cost what they may win.

    ``parts`` are precision and recall, and ``progress``, which is their F1; and three that say how
    far a wrong answer came, each from 0 to 1: ``names`` is the F1 of the names of the tools, and
    ``arguments`` and ``values`` that of the names of arguments and of arguments with their values,
    each in the calls of the same tool. All are 1 for a right answer. A call with more that is
    right, or less that is wrong, never has less. With ``weights`` of parts, which are at least 0
    and add up to less than 1, a wrong answer scores the sum of its parts times their weights.

    Raises :class:`GoldError` where nothing is expected, which an answer would earn by doing
    nothing, and for calls that the tools do not take.
    """

    expected: Sequence[Call]
    tools: Tools = ()
    order: Literal["any", "given"] = "any"
    extra: Literal["refuse", "allow"] = "refuse"
    coerce: bool = False
    partial: bool = False
    weights: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        check_weights(self.weights, PARTS)
        if self.weights and self.partial:
            raise GoldError("weights and partial are two ways to score a wrong answer: choose one")
        if self.order not in ("any", "given") or self.extra not in ("refuse", "allow"):
            raise GoldError("order must be 'any' or 'given', and extra 'refuse' or 'allow'")
        if not self.expected:
            raise GoldError("at least one call is expected")
        schemas = _schemas(self.tools)
        for schema in schemas.values():
            check_schema(schema)
        for call in self.expected:
            _check_expected(call)
            for spelling in _spellings(call):
                if schemas and (problem := _violation(spelling, schemas)):
                    raise GoldError(f"an expected call is wrong: {problem}")

    def verify(self, answer: str) -> Score:
        schemas = _schemas(self.tools)
        counted = self._counted(answer, schemas)
        fits = [
            [
                n
                for n, (call, problem) in enumerate(counted)
                if not problem and _fits(due, call, schemas)
            ]
            for due in self.expected
        ]
        pairs = pairing(fits) if self.order == "any" else _in_order(fits, len(counted))
        reason = next((problem for _, problem in counted if problem), "")
        left = [call.name for n, (call, _) in enumerate(counted) if n not in pairs.values()]
        if left and not reason:
            reason = f"{left[0][:80]} is called, or called so, where that is not asked for"
        parts = _shares(self.expected, [call for call, _ in counted], schemas)
        return self._score(len(pairs), len(counted), reason, parts)

    def _counted(self, answer: str, schemas: Schemas) -> list[tuple[Call, str]]:
        """The calls that count, and what is wrong with each whatever is asked for."""
        order = {name: tuple(schema.get("properties", ())) for name, schema in schemas.items()}
        calls = read_calls(answer, lambda name: order.get(name, ()))
        if self.coerce:
            calls = [_coerced(call, schemas) for call in calls]
        judged = [(call, _violation(call, schemas) if schemas else "") for call in calls]
        if self.extra == "refuse":
            return judged
        names = {call.name for call in self.expected}
        return [(call, problem) for call, problem in judged if problem or call.name in names]

    def _score(self, correct: int, counted: int, reason: str, shares: Mapping[str, float]) -> Score:
        """The score of so many expected calls among those that count."""
        right = correct == counted == len(self.expected)
        parts = {"precision": correct / max(counted, 1), "recall": correct / len(self.expected)}
        parts["progress"] = f1 = 2 * correct / (counted + len(self.expected))
        reason = "" if right else reason or "a call is missing"
        parts |= shares
        value = f1 if self.partial else float(right)
        if self.weights and not right:
            value = sum(weight * parts[name] for name, weight in self.weights.items())
        return Score(value, reason, parts)


def _schemas(tools: Tools) -> dict[str, Mapping[str, Any]]:
    """The schemas of the arguments of each tool."""
    by_name: dict[str, Mapping[str, Any]] = {}
    for tool in tools:
        function = tool.get("function", tool)
        name = function.get("name") if isinstance(function, Mapping) else None
        if not isinstance(name, str) or name in by_name:
            raise GoldError("the tools have names, each one another")
        by_name[name] = function.get("parameters") or {"type": "object", "properties": {}}
    return by_name


def _check_expected(call: Call) -> None:
    for value in call.arguments.values():
        values = value.values if isinstance(value, OneOf) else [value]
        if not values or isinstance(values, str):
            raise GoldError(f"an argument of {call.name} has no values")
        for each in values:
            try:
                check_json(each)
            except ValueError as error:
                raise GoldError(f"an argument of {call.name} is no JSON value: {error}") from None


def _spellings(call: Call) -> Iterator[Call]:
    """An expected call with each value of each argument, the others at their first ones."""
    first = {
        name: value.values[0] if isinstance(value, OneOf) else value
        for name, value in call.arguments.items()
    }
    yield Call(call.name, first)
    for name, value in call.arguments.items():
        if isinstance(value, OneOf):
            yield from (Call(call.name, first | {name: each}) for each in value.values[1:])


def _violation(call: Call, schemas: Schemas) -> str:
    """What is wrong with a call whatever is asked for."""
    if call.name not in schemas:
        return f"there is no tool {call.name[:80]!r}"
    where = schema_violation(schemas[call.name], dict(call.arguments))
    return where and f"in the arguments of {call.name}, {where}"


def _fits(wanted: Call, call: Call, schemas: Schemas) -> bool:
    """Whether a call is an expected one, defaults filled in."""
    if wanted.name != call.name:
        return False
    defaults = _defaults(call.name, schemas)
    due = {**defaults, **wanted.arguments}
    left_out = {n for n, v in due.items() if isinstance(v, OneOf) and v.optional}
    arguments = {**defaults, **call.arguments}
    return arguments.keys() <= due.keys() and all(
        name in left_out - call.arguments.keys()
        or (name in arguments and _suits(value, arguments[name]))
        for name, value in due.items()
    )


def _shares(expected: Sequence[Call], calls: Sequence[Call], schemas: Schemas) -> dict[str, float]:
    """How far calls agree with the expected ones: in their names, in the names of arguments, and
    in those with their values.
    """
    due_names, names = Counter(c.name for c in expected), Counter(c.name for c in calls)
    parts = {"names": _f1((due_names & names).total(), len(expected), len(calls))}
    due, actual = _entries(expected, schemas), _entries(calls, schemas)
    named = valued = needed = 0
    for key, values in due.items():
        required = [not (isinstance(each, OneOf) and each.optional) for each in values]
        others = actual.get(key, [])
        matched = min(len(values), len(others))
        named += matched
        needed += max(sum(required), matched)
        fits = [[n for n, each in enumerate(others) if _suits(value, each)] for value in values]
        valued += len(pairing(fits))
    total = sum(map(len, actual.values()))
    parts["arguments"] = _f1(named, needed, total)
    return parts | {"values": _f1(valued, needed, total)}


def _entries(calls: Sequence[Call], schemas: Schemas) -> dict[tuple[str, str], list[Any]]:
    """The values of each argument of each tool, defaults filled in."""
    entries: dict[tuple[str, str], list[Any]] = {}
    for call in calls:
        for name, value in {**_defaults(call.name, schemas), **call.arguments}.items():
            entries.setdefault((call.name, name), []).append(value)
    return entries


def _f1(common: int, one: int, other: int) -> float:
    return 2 * common / (one + other) if one or other else 1.0


def _defaults(tool: str, schemas: Schemas) -> dict[str, Any]:
    """The defaults of the arguments of a tool."""
    return {
        name: schema["default"]
        for name, schema in schemas.get(tool, {}).get("properties", {}).items()
        if isinstance(schema, dict) and "default" in schema
    }


def _suits(due: Any, actual: Any) -> bool:
    """Whether an argument is what it may be."""
    values = due.values if isinstance(due, OneOf) else [due]
    return any(same_json(value, actual) for value in values)


def _in_order(fits: Sequence[Sequence[int]], calls: int) -> dict[int, int]:
    """As many pairs as can be made without crossing: a longest common subsequence."""
    best = [[0] * (calls + 1) for _ in range(len(fits) + 1)]
    for one in reversed(range(len(fits))):
        for other in reversed(range(calls)):
            best[one][other] = max(
                best[one + 1][other],
                best[one][other + 1],
                (best[one + 1][other + 1] + 1) if other in fits[one] else 0,
            )
    pairs: dict[int, int] = {}
    one = other = 0
    while one < len(fits) and other < calls:
        if other in fits[one] and best[one][other] == best[one + 1][other + 1] + 1:
            pairs[one] = other
            one, other = one + 1, other + 1
        elif best[one][other] == best[one + 1][other]:
            one += 1
        else:
            other += 1
    return pairs


def _coerced(call: Call, schemas: Schemas) -> Call:
    """A call with its arguments as the types that the schema asks for."""
    properties = schemas.get(call.name, {}).get("properties", {})
    entries = call.arguments.items()
    return Call(call.name, {n: _as_type(v, _types(properties.get(n, {}))) for n, v in entries})


def _types(schema: Any) -> set[str]:
    """The types that a schema names."""
    if not isinstance(schema, dict):
        return set()
    named = schema.get("type", [])
    names = {named} if isinstance(named, str) else set(named)
    return names.union(*(_types(each) for each in schema.get("anyOf", ())))


def _as_type(value: Any, types: set[str]) -> Any:
    """A value told as text or number in another type, where only that is asked for."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        as_text = "string" in types and not types & {"integer", "number"}
        return json.dumps(value) if as_text else value
    if not isinstance(value, str) or "string" in types:
        return value
    if "boolean" in types and value.casefold() in ("true", "false"):
        return value.casefold() == "true"
    if types & {"integer", "number"} and not set(value) & set("/\\"):
        with suppress(InvalidAnswer, OverflowError):
            number = rational(value)
            return number.numerator if number.denominator == 1 else float(number)
    return value
