"""Tests of databases/schema_validation."""

import json
from random import Random

import jsonschema
import pytest

from palaestra.address import Address
from palaestra.envs.databases.schema_validation import SchemaValidation, laid_out, read_path
from palaestra.generators.databases.schema_validation import (
    KEYWORDS,
    Drafting,
    Form,
    errors,
    left_out,
    mutated,
    planted,
    random_value,
    simplified,
)


def paths(schema, document):
    """The paths of all errors that jsonschema reports."""
    validator = jsonschema.Draft202012Validator(schema)
    return {tuple(error.absolute_path) for error in validator.iter_errors(document)}


def test_jsonschema_finds_the_same_errors():
    rng, broken = Random(5), 0
    for n in range(60):
        form = Form(1 + n % 4, 4, conditions=n % 3 > 0, choices=n % 2 > 0, references=n % 5 > 1)
        schema = Drafting(rng, form).schema()
        jsonschema.Draft202012Validator.check_schema(schema)
        for changes in range(6):
            document = random_value(rng, schema, schema)
            for _ in range(changes):
                document = mutated(rng, document)
            expected = paths(schema, document)
            broken += bool(expected)
            assert errors(schema, document, schema) == expected, (schema, document)
    assert broken > 100


SCHEMA = {
    "properties": {
        "size": {"type": "integer", "minimum": 3, "not": {"multipleOf": 5}},
        "tags": {"type": "array", "items": {"enum": ["red", "blue"]}, "uniqueItems": True},
        "owner": {"anyOf": [{"type": "boolean"}, {"type": "string", "maxLength": 3}]},
    },
    "required": ["size"],
    "additionalProperties": False,
    "dependentRequired": {"tags": ["owner"]},
    "if": {"properties": {"size": {"minimum": 9}}},
    "then": {"required": ["owner"]},
    "else": {"properties": {"owner": {"type": "boolean"}}},
}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"size": 4}, set()),
        ({"size": 5}, {("size",)}),
        ({"size": 9}, {()}),
        ({}, {()}),
        ({"owner": "abc"}, {()}),
        ({"size": 3, "owner": "abc"}, {("owner",)}),
        ({"size": 11, "owner": "abcd"}, {("owner",)}),
        ({"size": 11, "owner": True, "tags": ["red", "green", "red"]}, {("tags",), ("tags", 1)}),
        ({"size": 3, "tags": []}, {()}),
        ({"size": "3", "label": 1}, {(), ("size",)}),
        ({"size": True}, {(), ("size",)}),
    ],
)
def test_errors_by_hand(document, expected):
    assert errors(SCHEMA, document, SCHEMA) == expected
    assert paths(SCHEMA, document) == expected


TASK = SchemaValidation(
    schema_text=json.dumps(SCHEMA),
    documents=(
        json.dumps({"size": 11, "owner": True, "tags": ["red", "green", "red"]}),
        json.dumps({"size": 4}),
    ),
)


def test_scores():
    assert TASK.answer() == "1: root.tags, root.tags[1]\n2: valid"
    assert TASK.verify("1: tags[1], tags\n2: Valid").value == 1
    assert TASK.verify("1: /tags/1 and /tags\n2: valid").value == 1
    assert TASK.verify("1: $.tags[1], $.tags\n2: valid").value == 1
    assert TASK.verify("1: root.tags[1]\n2: valid").reason == "1 of the 2 values is wrong"
    assert TASK.verify("1: valid\n2: root").value == 0
    assert TASK.verify("1: root.tags, root.tags[1], root.tags[0]\n2: valid").value == 0


def test_the_keywords_of_random_schemas_are_those_that_are_evaluated():
    for seed in range(20):
        schema = Drafting(Random(seed), Form(4, 5, True, True, True)).schema()
        words = set[str]()
        pending = [schema]
        for each in pending:
            words |= each.keys() - {"$defs"}
            for word in ("properties", "$defs"):
                pending += each.get(word, {}).values()
            pending += [each[w] for w in ("items", "not", "if", "then", "else") if w in each]
            pending += each.get("anyOf", [])
        assert words <= set(KEYWORDS)


def test_keywords_that_depend_on_other_values_matter():
    for seed in range(10):
        task = Address.of("databases/schema_validation", seed, 4).task()
        assert isinstance(task, SchemaValidation)
        plain = simplified(task.rules)
        documents = [json.loads(each) for each in task.documents]
        assert any(paths(plain, each) != paths(task.rules, each) for each in documents)


def test_paths_and_layout():
    assert read_path("root") == read_path("$") == ()
    assert read_path("root.parts[0].size") == read_path("/parts/0/size") == ("parts", 0, "size")
    document = json.loads(TASK.schema_text)
    assert json.loads(laid_out(document)) == document


@pytest.mark.parametrize(
    ("words", "lowest"),
    [
        ({"additionalProperties"}, 0),
        ({"minItems", "maxItems", "uniqueItems"}, 2),
        ({"anyOf"}, 3),
    ],
)
def test_keywords_that_changes_seldom_hit_matter(words, lowest):
    for level in range(lowest, SchemaValidation.Knobs.levels()):
        idle = 0
        for seed in range(12):
            task = Address.of("databases/schema_validation", seed, level).task()
            assert isinstance(task, SchemaValidation)
            less = left_out(task.rules, words)
            documents = [json.loads(each) for each in task.documents]
            idle += all(paths(less, each) == paths(task.rules, each) for each in documents)
        assert idle <= (7 if level < 3 else 4), (level, idle)


def test_planted_changes():
    rng, document = Random(2), {"size": 4, "tags": ["red", "blue"], "owner": True}
    changed = [planted(rng, SCHEMA, document) for _ in range(60)]
    assert document == {"size": 4, "tags": ["red", "blue"], "owner": True}
    assert all(each != document for each in changed)
    broken = [errors(SCHEMA, each, SCHEMA) for each in changed]
    assert {(), ("tags",), ("owner",)} <= set().union(*broken)
    assert all(each == paths(SCHEMA, document) for each, document in zip(broken, changed))
