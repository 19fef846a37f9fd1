"""Named verifiers of documents, queries, tool calls, states and citations."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from palaestra.verifiers.calls.reading import Call
from palaestra.verifiers.calls.tool_calls import OneOf, ToolCalls
from palaestra.verifiers.citations import Cited
from palaestra.verifiers.json.documents import JsonEqual, JsonSchema
from palaestra.verifiers.named.combined import Member, member
from palaestra.verifiers.named.entries import (
    BadField,
    JsonObject,
    Model,
    Name,
    Options,
    named,
)
from palaestra.verifiers.sql.results import SqlResult
from palaestra.verifiers.states import MISSING, StateChange
from palaestra.verifiers.verifier import Judge


@named(
    "json_schema",
    "a JSON document that a JSON Schema (draft 2020-12) validates",
    JsonObject,
    page="structures",
    extra="schema",
    example=({"type": "object", "required": ["age"]}, '{"age": 36}'),
)
class JsonSchemaOptions(Options):
    """There are none."""

    def build(self, gold: JsonObject) -> Judge:
        return JsonSchema(gold)


@named(
    "json_equal",
    "a JSON document equal to the gold",
    Any,
    page="structures",
    example=({"a": [1, 2]}, '{"a": [1.0, 2]}'),
)
class JsonEqualOptions(Options):
    """What counts as equal."""

    ignore_order: bool = False
    tolerance: Annotated[float, Field(ge=0, le=1e300)] = 0.0
    relative: Annotated[float, Field(ge=0, lt=1)] = 0.0

    def build(self, gold: Any) -> Judge:
        return JsonEqual(gold, **self.fields())


class Query(Model):
    """A query that is right, and scripts that set up small databases on which it is compared."""

    query: Annotated[str, Field(max_length=4_000)]
    databases: Annotated[
        list[Annotated[str, Field(max_length=200_000)]], Field(min_length=2, max_length=20)
    ]


_TABLE = "CREATE TABLE t (n INT); INSERT INTO t VALUES "


@named(
    "sql_result",
    "an SQL query with the results of the gold query on several databases",
    Query,
    page="structures",
    example=(
        {"query": "SELECT max(n) FROM t", "databases": [f"{_TABLE}(1), (3)", f"{_TABLE}(2)"]},
        "SELECT n FROM t ORDER BY n DESC LIMIT 1",
    ),
)
class SqlResultOptions(Options):
    """The engine, and what of a result counts; DuckDB requires the extra ``sql``."""

    engine: Literal["sqlite", "duckdb"] = "sqlite"
    ordered: bool | Literal["auto"] = "auto"
    column_names: bool = False
    relative: Annotated[float, Field(ge=0, lt=0.01)] = 1e-9

    def build(self, gold: Query) -> Judge:
        return SqlResult(gold.query, tuple(gold.databases), **self.fields())


class Argument(Model):
    """An argument that may have several values, or be left out."""

    one_of: Annotated[list[Any], Field(min_length=1, max_length=100)]
    optional: bool = False


class ExpectedCall(Model):
    """A call: the name of the tool, arguments with one value, and arguments with several."""

    name: Name
    arguments: JsonObject = {}
    choices: Annotated[dict[Name, Argument], Field(max_length=100)] = {}


class ExpectedCalls(Model):
    """The calls that are right, and the tools there are, as chat APIs describe them."""

    calls: Annotated[list[ExpectedCall], Field(min_length=1, max_length=64)]
    tools: Annotated[list[JsonObject], Field(max_length=200)] = []


@named(
    "tool_calls",
    "calls of tools, with their arguments",
    ExpectedCalls,
    page="structures",
    extra="schema",
    example=(
        {"calls": [{"name": "weather", "arguments": {"city": "Oslo"}}]},
        'weather(city="Oslo")',
    ),
)
class ToolCallsOptions(Options):
    """The order of the calls, further calls, types, and partial credit."""

    order: Literal["any", "given"] = "any"
    extra: Literal["refuse", "allow"] = "refuse"
    coerce: bool = False
    partial: bool = False

    def build(self, gold: ExpectedCalls) -> Judge:
        calls = [
            Call(call.name, _arguments(call, f"/gold/calls/{number}/choices"))
            for number, call in enumerate(gold.calls)
        ]
        return ToolCalls(tuple(calls), tuple(gold.tools), **self.fields())


def _arguments(call: ExpectedCall, pointer: str) -> dict[str, Any]:
    if twice := call.arguments.keys() & call.choices.keys():
        raise BadField(f"{min(twice)!r} is among the arguments as well", pointer)
    several = {
        name: OneOf(tuple(each.one_of), each.optional) for name, each in call.choices.items()
    }
    return {**call.arguments, **several}


Pointer = Annotated[str, Field(max_length=1_000)]
Pointers = Annotated[list[Pointer], Field(max_length=1_000)]


class Transition(Model):
    """A state before, values that are to be at JSON Pointers, and pointers to be removed."""

    before: Any
    goal: Annotated[dict[Pointer, Any], Field(max_length=1_000)] = {}
    removed: Pointers = []


@named(
    "state_change",
    "the state of an environment afterwards, as JSON: the goals hold, and nothing else changed",
    Transition,
    page="structures",
    example=({"before": {"lamp": "off", "door": "shut"}, "goal": {"/lamp": "on"}},
             '{"lamp": "on", "door": "shut"}'),
)  # fmt: skip
class StateChangeOptions(Options):
    """What may change as well, what may not, and partial credit."""

    allowed: Pointers = []
    forbidden: Pointers = []
    partial: bool = False

    def build(self, gold: Transition) -> Judge:
        goal = {**gold.goal, **dict.fromkeys(gold.removed, MISSING)}
        return StateChange(
            gold.before, goal, tuple(self.allowed), tuple(self.forbidden), partial=self.partial
        )


class CitedAnswer(Model):
    """Sources by name, which of them support the answer, and a verifier of the answer itself."""

    sources: Annotated[dict[Name, Annotated[str, Field(max_length=200_000)]],
                       Field(min_length=2, max_length=500)]  # fmt: skip
    supporting: Annotated[list[Name], Field(min_length=1, max_length=500)]
    acceptable: Annotated[list[Name], Field(max_length=500)] = []
    answer: Member


def _inner(gold: Any) -> Iterator[Any]:
    """The verifier of the answer in a gold."""
    if isinstance(gold, dict):
        yield gold.get("answer")


@named(
    "citations",
    "a text with an answer that cites the sources supporting it, and quotes them literally",
    CitedAnswer,
    page="structures",
    inner=_inner,
    example=(
        {
            "sources": {"1": "The Daugava flows through Riga.", "2": "Riga was founded in 1201."},
            "supporting": ["1"],
            "answer": {"verifier": "normalized", "gold": "the Daugava"},
        },
        "It flows through Riga [1].\nAnswer: the Daugava",
    ),
)
class CitationsOptions(Options):
    """Which sources have to be cited, what quotations have to be, and partial credit."""

    needed: Literal["all", "any"] = "all"
    quotes: Literal["check", "require", "ignore"] = "check"
    shortest: Annotated[int, Field(ge=1, le=1_000)] = 15
    every_sentence: bool = False
    partial: bool = False

    def build(self, gold: CitedAnswer) -> Judge:
        answer = member(gold.answer, "/gold/answer")
        supporting, acceptable = tuple(gold.supporting), tuple(gold.acceptable)
        return Cited(gold.sources, supporting, answer, acceptable, **self.fields())
