"""JSON Schema, draft 2020-12, held to what a judge needs: nothing fetched, no time burnt.

>>> schema = {"type": "object", "properties": {"age": {"minimum": 0}}, "required": ["age"]}
>>> check_schema(schema)
>>> [schema_violation(schema, value) for value in ({"age": -1}, {}, {"age": 1})]
["$.age breaks 'minimum'", "$ breaks 'required'", '']
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from fractions import Fraction
from functools import lru_cache
from typing import Any

from palaestra.extras import needs
from palaestra.task import InvalidAnswer, JudgeError
from palaestra.verifiers.json.reading import check_json, exact_number, json_key
from palaestra.verifiers.patterns import linear_regex, utf8
from palaestra.verifiers.verifier import GoldError

REFERENCES = 5_000
"""How many references of a schema are followed for one document."""

_PROBES: tuple[Any, ...] = (None, True, 0, "", [], {})


def schema_violation(schema: Mapping[str, Any], value: Any) -> str:
    """Describe where a JSON value first violates a schema, and which keyword; empty if it is valid.

    Raises :class:`InvalidAnswer` where that takes too long to tell, and :class:`JudgeError` where
    the schema refers in circles after all.
    """
    try:
        error = _first_error(_validator(json.dumps(schema)), value)
    except RecursionError:
        raise JudgeError("the schema refers in circles", "gold_error") from None
    return f"{error.json_path[:100]} breaks {error.validator or 'false'!r}" if error else ""


def check_schema(schema: Any) -> None:
    """Raise :class:`GoldError` for what is no schema, or not one that can be judged by.

    A schema refers to nothing but its own parts (``#…``), ``$id`` stands at its top only, and its
    patterns are ones that RE2 reads. References in circles are refused, and so is a schema that
    says nothing.
    """
    try:
        check_json(schema)
    except ValueError as error:
        raise GoldError(f"the schema is no JSON value: {error}") from None
    if not isinstance(schema, dict) or "2020-12" not in str(schema.get("$schema", "2020-12")):
        raise GoldError("a schema is an object, of draft 2020-12")
    validator = _validator(json.dumps(schema))
    from jsonschema.exceptions import SchemaError

    try:
        validator.check_schema(schema)
    except SchemaError as error:
        raise GoldError(f"not a JSON Schema: {error.message[:200]}") from None
    parts = _subschemas(schema)
    words = {word for part in parts for word in part}
    if {"patternProperties", "unevaluatedProperties"} <= words:
        raise GoldError("patternProperties do not go with unevaluatedProperties here")
    if any("$id" in part for part in parts[1:]):
        raise GoldError("$id is supported only at the top of a schema")
    for part in parts:
        for regex in (*part.get("patternProperties", ()), part.get("pattern", "")):
            linear_regex(regex)
        for word in ("$ref", "$dynamicRef"):
            if word in part:
                _check_reference(schema, part[word], parts)
    if not schema.keys() & validator.VALIDATORS.keys() - {"format"}:
        raise GoldError("the schema accepts everything")


def _check_reference(
    schema: Mapping[str, Any], reference: str, parts: Sequence[Mapping[str, Any]]
) -> None:
    """A reference leads to a part of the schema, and not back to itself in the same place."""
    from referencing import Registry
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import DRAFT202012

    where = f"the schema refers to {reference[:80]!r}"
    if not reference.startswith("#"):
        raise GoldError(f"{where}, outside of itself")
    resolver = Registry().resolver_with_root(DRAFT202012.create_resource(schema))
    try:
        target = resolver.lookup(reference).contents
    except Unresolvable:
        raise GoldError(f"{where}, which it lacks") from None
    if not isinstance(target, bool) and not any(target is part for part in parts):
        raise GoldError(f"{where}, where there is no schema")
    entry = _validator(json.dumps(schema)).evolve(schema={"$ref": reference})
    try:
        for probe in _PROBES:
            _first_error(entry, probe)
    except (RecursionError, InvalidAnswer):
        raise GoldError(f"{where} in circles") from None


def _subschemas(schema: Any) -> list[Mapping[str, Any]]:
    """A schema and all schemas in it, itself first."""
    from referencing.jsonschema import DRAFT202012

    nodes = [schema]
    for part in nodes:
        nodes += [s for s in DRAFT202012.subresources_of(part) if isinstance(s, dict)]
    return nodes


_references_left: ContextVar[list[int]] = ContextVar("references_left")


def _first_error(validator: Any, value: Any) -> Any:
    """The first way in which a value is not valid, if there is one.

    Schemas that refer to themselves can take exponential time, so references are counted.
    """
    token = _references_left.set([REFERENCES])
    try:
        return next(validator.iter_errors(value), None)
    finally:
        _references_left.reset(token)


Keyword = Callable[[Any, Any, Any, Any], "Iterator[Any] | None"]


def _counted(follow: Keyword) -> Keyword:
    def keyword(validator: Any, reference: Any, instance: Any, schema: Any) -> Any:
        left = _references_left.get()
        left[0] -= 1
        if left[0] < 0:
            raise InvalidAnswer("the document takes too long to be checked", "limit")
        return follow(validator, reference, instance, schema)

    return keyword


@lru_cache(maxsize=256)
def _validator(schema: str) -> Any:
    """A validator that fetches nothing, and takes no more time than is told above."""
    with needs("schema", "jsonschema"):
        from jsonschema import Draft202012Validator
        from jsonschema.validators import extend
        from referencing import Registry

    known: Mapping[str, Keyword] = Draft202012Validator.VALIDATORS
    bounded = {word: _counted(known[word]) for word in ("$ref", "$dynamicRef")}
    validator_type: Any = extend(Draft202012Validator, {**bounded, **_LINEAR})  # type: ignore[no-untyped-call]
    # An empty registry, since the default one would fetch what it does not know.
    return validator_type(json.loads(schema), registry=Registry())


def _pattern(validator: Any, regex: str, instance: Any, schema: Any) -> Iterator[Any]:
    if isinstance(instance, str) and not _found(regex, instance):
        yield _error("does not match")


def _pattern_properties(validator: Any, rules: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if isinstance(instance, dict):
        for regex, rule in rules.items():
            for name in (name for name in instance if _found(regex, name)):
                yield from validator.descend(instance[name], rule, path=name, schema_path=regex)


def _additional_properties(validator: Any, rule: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if not isinstance(instance, dict):
        return
    named, regexes = schema.get("properties", {}), schema.get("patternProperties", {})
    for name in instance:
        if name in named or any(_found(regex, name) for regex in regexes):
            continue
        if rule is False:
            yield _error("is one too many")
        else:
            yield from validator.descend(instance[name], rule, path=name)


def _unique_items(validator: Any, wanted: bool, instance: Any, schema: Any) -> Iterator[Any]:
    # Keys in place of jsonschema's comparison of all pairs.
    if wanted and isinstance(instance, list) and len({*map(json_key, instance)}) < len(instance):
        yield _error("has repeated items")


def _multiple_of(validator: Any, step: Any, instance: Any, schema: Any) -> Iterator[Any]:
    # Exactly, since 0.3 is a multiple of 0.1, whatever their floats are.
    number = isinstance(instance, int | float) and not isinstance(instance, bool)
    if number and Fraction(exact_number(instance)) % Fraction(exact_number(step)):
        yield _error("is no multiple")


_LINEAR: Mapping[str, Keyword] = {
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "uniqueItems": _unique_items,
    "multipleOf": _multiple_of,
}
"""Keywords which jsonschema checks in more than linear time, or with rounding."""


def _found(regex: str, text: str) -> bool:
    return linear_regex(regex).search(utf8(text)) is not None


def _error(message: str) -> Any:
    from jsonschema.exceptions import ValidationError as Invalid

    return Invalid(message)
