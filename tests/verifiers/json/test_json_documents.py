"""JSON answers: strict reading, schemas, models and equality."""

import json
import math
from enum import Enum
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from palaestra.task import InvalidAnswer
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.json.documents import JsonEqual, JsonModel, JsonSchema
from palaestra.verifiers.json.reading import (
    check_json,
    difference,
    fenced,
    json_key,
    pairing,
    read_json,
    same_json,
)
from palaestra.verifiers.json.schemas import REFERENCES
from palaestra.verifiers.verifier import GoldError

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[A-Z][a-z]+$"},
        "age": {"type": "integer", "minimum": 0},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    },
    "patternProperties": {"^x-": {"type": "boolean"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
TREE = {
    "$defs": {
        "node": {
            "type": "object",
            "properties": {"value": {}, "next": {"$ref": "#/$defs/node"}},
            "required": ["value"],
            "additionalProperties": False,
        }
    },
    "$ref": "#/$defs/node",
}


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Part(BaseModel, extra="forbid"):
    name: str = Field(min_length=1)
    price: float
    colour: Colour = Colour.RED
    kind: Literal["a", "b"] = "a"
    parts: tuple["Part", ...] = ()


values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from([0.5, 1.0, "", "1", "a"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=12,
)


# Reading


@pytest.mark.parametrize(
    ("answer", "document"),
    [
        ('{"a": 1}', {"a": 1}),
        ("\n[1, 2.5, null]\n", [1, 2.5, None]),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('```\n{"a": 1}\n```', {"a": 1}),
        ("```JSON\r\n[1]\r\n```", [1]),
        ("```[1]```", [1]),
        ("Sure, here it is:\n```json\n[1]\n```\nI hope it helps.", [1]),
        ('"```"', "```"),
        ('```json\n{"code": "```py\\n1\\n```"}\n```', {"code": "```py\n1\n```"}),
        ('{"code": "```"}', {"code": "```"}),
        ("1e3", 1000.0),
        ('"\\ud83e\\udd3c"', "🤼"),
        ('"\\u0000"', "\0"),
        ("[" * 32 + "]" * 32, json.loads("[" * 32 + "]" * 32)),
        ('"' + "[" * 5_000 + '"', "[" * 5_000),
        ("9" * 300, int("9" * 300)),
    ],
)
def test_documents_are_read(answer, document):
    assert read_json(fenced(answer)) == document


@pytest.mark.parametrize(
    "answer",
    [
        '{"a": 1} {"a": 2}',
        "[1]\n[2]",
        "```json\n[1]\n```\n```json\n[2]\n```",
        "```json\n[1]\n```\nor [2]",
        '{"a": 1}\n```json\n{"a": 2}\n```',
        "Either {} or\n```json\n[1]\n```",
        "```json\n[1]",
        "```json\n```",
        "```python\n[1]\n```",
        '{"a": 1, "a": 1}',
        '[{"b": {"a": 1, "a": 2}}]',
        '{"a": 1, "\\u0061": 2}',
        "NaN",
        "[Infinity]",
        "-Infinity",
        "1e999",
        "-1e999",
        "0." + "1" * 400,
        "9" * 301,
        "9" * 5_000,
        "[" * 33 + "]" * 33,
        "[" * 10_000,
        '{"a":' * 3_000,
        "[1,]",
        "{'a': 1}",
        "{a: 1}",
        "// no\n1",
        "01",
        "+1",
        "0x10",
        "٣",
        "１",
        '"\\ud800"',
        '"\ud800"',
        '"a\nb"',
        "\ufeff1",
        "\u200b1",
        "True",
        "The answer is 1",
    ],
)
def test_what_is_no_single_document_is_refused(answer):
    with pytest.raises(InvalidAnswer):
        read_json(fenced(answer))


@pytest.mark.parametrize("answer", ['"' + '\\"' * 9_000, '"' * 19_999, '\\"' * 9_999, "[" * 19_999])
def test_monsters_are_refused_at_once(answer):
    assert JsonEqual(1)(answer).value == 0


@settings(deadline=None)
@given(values)
def test_what_json_writes_is_read(value):
    assert same_json(read_json(json.dumps(value)), value)
    assert same_json(read_json(fenced(f"```json\n{json.dumps(value, indent=2)}\n```")), value)


# Equality


@settings(deadline=None)
@given(values, values)
def test_equality_is_that_of_json(one, two):
    def tagged(value):
        if isinstance(value, dict):
            return {key: tagged(part) for key, part in value.items()}
        if isinstance(value, list):
            return [tagged(part) for part in value]
        return ("bool", value) if isinstance(value, bool) else value

    assert same_json(one, two) == (tagged(one) == tagged(two)) == same_json(two, one)
    assert same_json(one, two) == (json_key(one) == json_key(two))
    assert same_json(one, one)
    assert bool(difference(one, two)) != same_json(one, two)


@settings(deadline=None)
@given(values, st.randoms(use_true_random=False))
def test_without_order_every_shuffle_is_equal(gold, rng):
    def shuffled(value):
        if isinstance(value, dict):
            return {key: shuffled(part) for key, part in reversed(value.items())}
        if isinstance(value, list):
            return rng.sample([shuffled(part) for part in value], len(value))
        return value

    answer = json.dumps(shuffled(gold))
    assert JsonEqual(gold, ignore_order=True)(answer).correct
    assert JsonEqual(gold, ignore_order=True, tolerance=0.1)(answer).correct


@settings(deadline=None)
@given(st.lists(st.integers(0, 9), max_size=6), st.lists(st.integers(0, 9), max_size=6))
def test_loose_lists_are_paired_in_the_best_way(gold, answer):
    from itertools import permutations

    fits = any(all(abs(a - b) <= 1 for a, b in zip(gold, p)) for p in permutations(answer))
    verdict = JsonEqual(gold, ignore_order=True, tolerance=1)(json.dumps(answer))
    assert verdict.correct == (len(gold) == len(answer) and fits)


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 5), max_size=6), max_size=6))
def test_pairing_is_maximal(fits):
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(("left", n) for n in range(len(fits)))
    graph.add_edges_from((("left", n), ("right", m)) for n, row in enumerate(fits) for m in row)
    top = [("left", n) for n in range(len(fits))]
    best = nx.bipartite.maximum_matching(graph, top) if fits else {}
    pairs = pairing(fits)
    assert len(pairs) == len(best) // 2
    assert len(set(pairs.values())) == len(pairs)
    assert all(other in fits[one] for one, other in pairs.items())


def test_equal_documents():
    gold = {"name": "Ada", "scores": [1, 2.5, True], "note": None}
    check_verifier(
        JsonEqual(gold),
        right=[json.dumps(gold), '{"note":null,"scores":[1.0,25e-1,true],"name":"Ada"}'],
        wrong=[
            '{"name": "Ada", "scores": [1, 2.5, 1], "note": null}',
            '{"name": "Ada", "scores": [2.5, 1, true], "note": null}',
            '{"name": "Ada", "scores": ["1", 2.5, true], "note": null}',
            '{"name": "Ada", "scores": [1, 2.5, true]}',
            '{"name": "Ada", "scores": [1, 2.5, true], "note": null, "more": 1}',
            '{"name": "Ad\u0430", "scores": [1, 2.5, true], "note": null}',
            json.dumps([gold]),
            json.dumps(gold)[:-1],
        ],
        hostile=[json.dumps(gold) * 2, json.dumps(gold) + "\n" + json.dumps({"name": "Bo"})],
    )


def test_lists_without_order_count_duplicates():
    check_verifier(
        JsonEqual([1, 1, [2, 3]], ignore_order=True),
        right=["[[3, 2], 1, 1.0]"],
        wrong=["[1, [2, 3]]", "[1, [2, 3], [2, 3]]", "[1, 1, 2, 3]", "[1, 1, 1, [2, 3]]"],
    )


def test_tolerance_is_for_numbers_only():
    close = JsonEqual({"x": 10, "y": "10", "z": True}, tolerance=0.5)
    assert close('{"x": 10.4, "y": "10", "z": true}').correct
    assert close('{"x": 10.6, "y": "10", "z": true}').reason == "$.x differs"
    assert not close('{"x": 10, "y": 10, "z": true}').correct
    assert not close('{"x": 10, "y": "10", "z": 1}').correct
    share = JsonEqual([1000, 0], relative=0.01)
    assert share("[1009, 0]").correct
    assert not share("[1011, 0]").correct
    assert not share("[1000, 0.001]").correct
    assert not JsonEqual(1.7e299, tolerance=1)("-1.7e308").correct


def test_the_reason_tells_the_place_and_not_the_value():
    verdict = JsonEqual({"a": [1, "secret"]})('{"a": [1, "guess"]}')
    assert verdict.reason == "$.a[1] differs"


@pytest.mark.parametrize(
    "gold", [math.nan, math.inf, [object()], {1: 2}, (1, 2), {"a": {1}}, 10**300, b"x"]
)
def test_golds_that_no_document_says_are_refused(gold):
    with pytest.raises(GoldError):
        JsonEqual(gold)


def test_options_that_cannot_work_are_refused():
    deep = []
    for _ in range(40):
        deep = [deep]
    for build in (
        lambda: JsonEqual(deep),
        lambda: JsonEqual(1, tolerance=-1),
        lambda: JsonEqual(1, tolerance=math.nan),
        lambda: JsonEqual(1, relative=math.inf),
        lambda: JsonEqual(list(range(201)), ignore_order=True, tolerance=0.1),
        lambda: JsonModel(dict),
        lambda: JsonModel(Part(name="x", price=1)),
    ):
        with pytest.raises(GoldError):
            build()
    with pytest.raises(ValueError, match="keys"):
        check_json({"a": {None: 1}})


# Schemas


def test_documents_by_a_schema():
    check_verifier(
        JsonSchema(PERSON),
        right=['{"name": "Ada", "age": 36, "tags": ["x", "y"], "x-ray": true}'],
        wrong=[
            '{"name": "Ada"}',
            '{"name": "Ada", "age": "36"}',
            '{"name": "Ada", "age": true}',
            '{"name": "Ada", "age": -1}',
            '{"name": "ada", "age": 1}',
            '{"name": "Ada", "age": 1, "tags": ["x", "x"]}',
            '{"name": "Ada", "age": 1, "x-ray": 1}',
            '{"name": "Ada", "age": 1, "more": 1}',
            '[{"name": "Ada", "age": 1}]',
        ],
        hostile=['{"name": "Ada", "age": 1, "age": 2}', '{"name": "Ada", "age": NaN}'],
    )


@settings(deadline=None)
@given(values)
def test_schemas_agree_with_jsonschema(value):
    from jsonschema import Draft202012Validator

    schema = {
        "anyOf": [
            {"type": "array", "uniqueItems": True, "items": {"$ref": "#/$defs/x"}},
            {
                "patternProperties": {"^a": {"$ref": "#/$defs/x"}},
                "properties": {"b": {"type": ["string", "null"]}},
                "additionalProperties": {"type": "boolean"},
                "type": "object",
                "minProperties": 1,
            },
            {"enum": [1, None, [True]]},
        ],
        "$defs": {"x": {"not": {"type": "object"}, "pattern": "^(a|1)*$"}},
    }
    expected = Draft202012Validator(schema).is_valid(value)
    assert JsonSchema(schema)(json.dumps(value)).correct == expected


def test_patterns_of_schemas_cannot_backtrack():
    text = "a" * 9_000 + "b"
    anywhere = {
        "type": "object",
        "properties": {"p": {"pattern": "^(a+)+$"}},
        "patternProperties": {"^(a|a)*$": False},
        "propertyNames": {"pattern": "^(a|aa)+b?$|^p$"},
        "additionalProperties": False,
    }
    assert JsonSchema(anywhere)(json.dumps({"p": text})).reason == "$.p breaks 'pattern'"
    assert "additionalProperties" in JsonSchema(anywhere)(json.dumps({text: 1})).reason


def test_unique_items_are_told_in_linear_time():
    unique = JsonSchema({"type": "array", "uniqueItems": True})
    mixed = [n if n % 2 else [n, None] for n in range(1_400)]
    assert unique(json.dumps(mixed)).correct
    assert not unique(json.dumps([*mixed, [0, None]])).correct
    assert unique("[1, true, [1], [true]]").correct
    assert not unique("[1, 1.0]").correct


def test_schemas_may_refer_to_themselves():
    nested = {"value": 1}
    for _ in range(25):
        nested = {"value": 1, "next": nested}
    assert JsonSchema(TREE)(json.dumps(nested)).correct
    assert not JsonSchema(TREE)(json.dumps(nested).replace('"value": 1}', '"valve": 1}')).correct


def test_exponential_schemas_are_limited():
    assert REFERENCES <= 5_000
    twice = {"properties": {"a": {"$ref": "#"}}}
    schema = {"anyOf": [{**twice, "required": [key]} for key in "bcd"]}
    nested = {}
    for _ in range(28):
        nested = {"a": nested}
    assert JsonSchema(schema)(json.dumps(nested)).status == "limit"


@pytest.mark.parametrize(
    "schema",
    [
        {},
        True,
        [],
        {"type": "foo"},
        {"minimum": "1"},
        {"minimum": math.nan},
        {"title": "says nothing"},
        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "null"},
        {"$ref": "https://example.org/schema.json"},
        {"$ref": "file:///etc/passwd"},
        {"items": {"$dynamicRef": "other#x"}},
        {"$ref": "#"},
        {"$ref": "#/$defs/none"},
        {"x": {"type": "null"}, "$ref": "#/x"},
        {"properties": {"a": {"$id": "https://example.org/b", "type": "null"}}},
        {"properties": {"a": {"anyOf": [{"$ref": "#/properties/a"}]}}, "type": "object"},
        {"pattern": r"(a)\1"},
        {"patternProperties": {"(?=a)": {"type": "null"}}},
        {"items": {"not": {"pattern": "(?<!a)b"}}},
        {"patternProperties": {"a": {}}, "unevaluatedProperties": False},
    ],
)
def test_schemas_that_cannot_judge_are_refused(schema):
    with pytest.raises(GoldError):
        JsonSchema(schema)


def test_nothing_is_fetched(monkeypatch):
    import socket

    def refuse(*_, **__):
        raise AssertionError("a connection is made")

    monkeypatch.setattr(socket, "socket", refuse)
    schema = {"$id": "https://example.org/s", "$defs": {"a": {"type": "null"}}, "$ref": "#/$defs/a"}
    assert JsonSchema(schema)("null").correct
    with pytest.raises(GoldError, match="outside"):
        JsonSchema({"$ref": "https://example.org/t"})


# Models


def test_documents_by_a_model():
    check_verifier(
        JsonModel(Part),
        right=[
            '{"name": "x", "price": 2.5, "colour": "blue", "parts": [{"name": "y", "price": 1}]}',
            '{"name": "x", "price": "2.5"}',
        ],
        wrong=[
            '{"name": "x"}',
            '{"name": "", "price": 1}',
            '{"name": "x", "price": 1, "more": 1}',
            '{"name": "x", "price": 1, "colour": "green"}',
            '{"name": "x", "price": 1, "parts": [{"name": "y"}]}',
            '{"name": "x", "price": "nan"}',
            '{"name": "x", "price": 1, "parts": [{"name": "y", "price": "inf"}]}',
        ],
        hostile=['{"name": "x", "price": 1, "price": 2}', '{"name": "x", "price": Infinity}'],
    )
    check_verifier(
        JsonModel(Part, strict=True),
        right=['{"name": "x", "price": 2.5, "colour": "blue", "parts": []}'],
        wrong=['{"name": "x", "price": "2.5"}', '{"name": 1, "price": 2.5}'],
    )


def test_the_reason_of_a_model_names_place_and_kind():
    verdict = JsonModel(Part)('{"name": "x", "price": 1, "parts": [{"name": "y", "price": "z"}]}')
    assert verdict.reason == "$.parts.0.price breaks 'float_parsing'"


@pytest.mark.parametrize(
    ("gold", "answer", "right"),
    [
        (100000000000000000001, "100000000000000000001", True),
        (100000000000000000001, "1e+20", False),
        (100000000000000000001, "1e20", False),
        (100000000000000000001, "100000000000000000000", False),
        (10**20, "1e20", True),
        (1e20, "100000000000000000001", False),
        (9007199254740993, "9007199254740992", False),
        (9007199254740993, "9007199254740992.0", False),
        (9007199254740993, "9007199254740993.0", True),
        (1, "1.00000000000000000001", False),
        (0.1, "0.1", True),
        (0.1, "0.10", True),
        (0.1, "1e-1", True),
        (0.1, "0.10000000000000000001", True),
        (0.1, "0.1000000000000001", False),
        (1 / 3, "0.33333333333333331", True),
        (2**53 + 1, "9007199254740993.5", False),
        (10**20, "1" + "0" * 20 + ".00", True),
        (1, "1e-99999999999", False),
        (0, "0e-99999999999", True),
        (1, "1.0000", True),
        (True, "1.0", False),
        (0.5, "0.5", True),
        (3, "3.0", True),
        (0, "1e-400", False),
        (0, "-0.0", True),
    ],
)
def test_numbers_are_compared_exactly(gold, answer, right):
    assert JsonEqual(gold)(answer).correct is right
    assert JsonEqual({"a": [gold, 2]})(f'{{"a": [{answer}, 2]}}').correct is right
    assert JsonEqual([gold, 2], ignore_order=True)(f"[2, {answer}]").correct is right


def test_a_tolerance_is_exact_too():
    judge = JsonEqual(100000000000000000001, tolerance=1)
    assert judge("100000000000000000002").correct
    assert not judge("100000000000000000003").correct
    assert judge("1e20").correct
    assert JsonEqual(0.3, tolerance=0.1)("0.2").correct
    assert JsonEqual(1.1, tolerance=0.1)("1.2").correct
    assert not JsonEqual(1.1, tolerance=0.1)("1.200000000000001").correct
    assert JsonEqual(1000, relative=0.01)("1010").correct
    assert not JsonEqual(10**20, relative=1e-20)("100000000000000000002").correct
    assert JsonEqual([0.3], tolerance=0.1, ignore_order=True)("[0.4]").correct


@pytest.mark.parametrize(
    ("step", "number", "right"),
    [
        (0.1, "0.3", True), (0.1, "19.9", True), (0.1, "0.35", False), (0.01, "1.13", True),
        (3, "3", True), (3, "3.0", True), (3, "4", False), (3, "3.0000000000000000001", False),
        (0.5, "1e20", True), (7, "700000000000000000007", True),
        (7, "700000000000000000008", False),
    ],
)  # fmt: skip
def test_multiples_are_exact(step, number, right):
    judge = JsonSchema({"type": "number", "multipleOf": step})
    assert judge(number).correct is right


@pytest.mark.parametrize(
    ("number", "right"),
    [
        ("9007199254740993", True), ("9007199254740993.0", True), ("9007199254740992", False),
        ("9007199254740992.0", False), ("9007199254740993.5", False),
        ("9.007199254740993e15", True),
    ],
)  # fmt: skip
def test_large_numbers_are_exact_in_schemas(number, right):
    assert JsonSchema({"const": 9007199254740993})(number).correct is right


@pytest.mark.parametrize("form", ["`{}`", "```json5\n{}\n```", "```js\n{}\n```", " `{}`\n"])
def test_documents_in_other_wrappings(form):
    assert JsonEqual({"a": [1]})(form.format('{"a": [1]}')).correct
    assert not JsonEqual({"a": [1]})(form.format('{"a": [2]}')).correct
    assert not JsonEqual({"a": [1]})(form.format('{"a": [1]} {"a": [1]}')).correct
