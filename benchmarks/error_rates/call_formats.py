"""Tool calls: written in the notations of published chat templates and APIs by this file alone."""
# ruff: noqa: E501  (rows of tables are not broken)

import json
import random
from collections.abc import Iterator
from typing import Any

from benchmarks.error_rates.cases import Case, fenced

from palaestra.verifiers.calls.tool_calls import Call, ToolCalls

Calls = list[tuple[str, dict[str, Any]]]

TOOLS: dict[str, dict[str, dict[str, Any]]] = {
    "weather": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "book_table": {
        "place": {"type": "string"}, "guests": {"type": "integer"},
        "outside": {"type": "boolean"}, "wishes": {"type": "array", "items": {"type": "string"}},
    },
    "convert": {"amount": {"type": "number"}, "source": {"type": "string"}, "target": {"type": "string"}},
    "search.flights": {"origin": {"type": "string"}, "filters": {"type": "object"}},
    "list_files": {},
}  # fmt: skip
REQUIRED = {"weather": ["city"], "book_table": ["place", "guests"], "convert": ["amount", "target"],
            "search.flights": ["origin"], "list_files": []}  # fmt: skip
SCHEMAS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "parameters": {"type": "object", "properties": properties, "required": REQUIRED[name],
                           "additionalProperties": False},
        },
    }
    for name, properties in TOOLS.items()
]  # fmt: skip
TEXTS = ["Oslo", "New York", "São Paulo", "it's", 'a "b"', "5", "x=1, y=2", "f(a)", "</tool>"]


def argument(rng: random.Random, rules: dict[str, Any]) -> Any:
    """A value for an argument."""
    match rules["type"]:
        case "string":
            return rng.choice(TEXTS)
        case "integer":
            return rng.randint(-3, 30)
        case "number":
            return rng.choice((1, 2.5, 1000, -0.75))
        case "boolean":
            return rng.random() < 0.5
        case "array":
            return rng.sample(TEXTS, rng.randint(0, 2))
    return rng.choice(({}, {"stops": 0}, {"class": "economy", "max": [1, 2]}))


def call(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """A call of a tool."""
    name = rng.choice(list(TOOLS))
    kept = {n: r for n, r in TOOLS[name].items() if n in REQUIRED[name] or rng.random() < 0.6}
    return name, {key: argument(rng, rules) for key, rules in kept.items()}


def python(name: str, arguments: dict[str, Any]) -> str:
    """A call as Python writes it."""
    return f"{name}({', '.join(f'{key}={each!r}' for key, each in arguments.items())})"


def renderings(calls: Calls) -> dict[str, str]:
    """Ways to write calls."""
    named = [{"name": name, "arguments": arguments} for name, arguments in calls]
    api = [
        {"id": f"call_{n}", "type": "function",
         "function": {"name": name, "arguments": json.dumps(arguments)}}
        for n, (name, arguments) in enumerate(calls)
    ]  # fmt: skip
    uses = [
        {"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": arguments}
        for n, (name, arguments) in enumerate(calls)
    ]
    hermes = "\n".join(f"<tool_call>\n{json.dumps(each)}\n</tool_call>" for each in named)
    forms = {
        "JSON list of name and arguments": json.dumps(named),
        "chat API": json.dumps({"tool_calls": api}),
        "chat API, list alone": json.dumps(api, indent=1),
        "tool_use blocks": json.dumps(uses),
        "tool_call tags": hermes,
        "tool_call tags after prose": f"Let me look that up.\n{hermes}",
        "tool_call tags after thinking": f"<think>\nI need a tool.\n</think>\n{hermes}",
        "JSON in a fence": fenced(json.dumps(named, indent=2), "json"),
        "JSON in a fence after prose": "Calling:\n" + fenced(json.dumps(named), "json"),
        "Python": "\n".join(python(*each) for each in calls),
        "Python list": "[" + ", ".join(python(*each) for each in calls) + "]",
        "Python in a fence": fenced("\n".join(python(*each) for each in calls), "python"),
        "[TOOL_CALLS] before a list": f"[TOOL_CALLS] {json.dumps(named)}",
        "functools before a list": f"functools{json.dumps(named)}",
        "python_tag before JSON": "<|python_tag|>"
        + json.dumps({"name": calls[0][0], "parameters": calls[0][1]})
        if len(calls) == 1
        else hermes,
    }
    if len(calls) == 1:
        name, arguments = calls[0]
        forms |= {
            "name and arguments": json.dumps(named[0]),
            "name and parameters": json.dumps({"name": name, "parameters": arguments}),
            "arguments as text": json.dumps({"name": name, "arguments": json.dumps(arguments)}),
            "tool and args": json.dumps({"tool": name, "args": arguments}),
            "action and action_input": json.dumps({"action": name, "action_input": arguments}),
            "function_call": json.dumps(
                {"function_call": {"name": name, "arguments": json.dumps(arguments)}}
            ),
            "functionCall": json.dumps({"functionCall": {"name": name, "args": arguments}}),
            "Action and Action Input lines": f"Action: {name}\nAction Input: {json.dumps(arguments)}",
        }
    return forms


def changed(rng: random.Random, calls: Calls) -> Iterator[tuple[str, Calls]]:
    """Calls near to those expected, by the change."""
    at = rng.randrange(len(calls))
    name, arguments = calls[at]

    def put(*others: tuple[str, dict[str, Any]]) -> Calls:
        return [*calls[:at], *others, *calls[at + 1 :]]

    yield "call made twice", [*calls, calls[at]]
    yield "call added", [*calls, call(rng)]
    yield "tool renamed", put((name + "s", arguments))
    if len(calls) > 1:
        yield "call missing", put()
    others = [each for each in TOOLS if each != name]
    yield "another tool", put((rng.choice(others), arguments))
    yield "argument added", put((name, arguments | {"extra": 1}))
    for key, each in arguments.items():
        yield "argument missing", put((name, {k: v for k, v in arguments.items() if k != key}))
        other = argument(rng, TOOLS[name][key])
        yield "another value", put((name, arguments | {key: other}))
        if isinstance(each, str):
            yield "text changed", put((name, arguments | {key: each + " "}))
        else:
            yield "value as text", put((name, arguments | {key: json.dumps(each)}))
        if isinstance(each, int) and not isinstance(each, bool):
            yield "number changed", put((name, arguments | {key: each + 1}))


def same(one: Calls, two: Calls) -> bool:
    """Whether two lists hold the same calls, in any order."""

    def text(calls: Calls) -> list[str]:
        return sorted(json.dumps([n, _whole(a)], sort_keys=True) for n, a in calls)

    return text(one) == text(two)


def _whole(value: Any) -> Any:
    """Whole numbers as such, however they are written."""
    if isinstance(value, dict):
        return {key: _whole(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def cases(rng: random.Random) -> Iterator[Case]:
    """Expected calls in many notations, and other calls."""
    while True:
        calls = [call(rng) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
        expected = [Call(name, arguments) for name, arguments in calls]
        verifier = ToolCalls(expected, tools=SCHEMAS)
        for _ in range(3):
            order = rng.sample(calls, len(calls))
            order = [(n, {k: a[k] for k in rng.sample(list(a), len(a))}) for n, a in order]
            form, answer = rng.choice(sorted(renderings(order).items()))
            yield Case(form, verifier, answer, right=True)
        changes = [each for each in changed(rng, calls) if not same(each[1], calls)]
        for change, others in rng.sample(changes, min(3, len(changes))):
            answer = rng.choice(sorted(renderings(others).values()))
            yield Case(change, verifier, answer, right=False)
