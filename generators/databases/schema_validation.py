"""JSON Schema, draft 2020-12: the keywords that tasks use, evaluated, and random schemas.

:func:`errors` finds every value that breaks a keyword of its own. It is exact for the keywords of
:data:`KEYWORDS` alone, which is what :func:`random_schema` draws.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from palaestra.verifiers.json.reading import same_json

KEYWORDS = (
    "type", "enum", "const", "minimum", "maximum", "multipleOf", "minLength", "maxLength",
    "minItems", "maxItems", "uniqueItems", "items", "properties", "required",
    "additionalProperties", "dependentRequired", "anyOf", "not", "if", "then", "else", "$ref",
)  # fmt: skip

NAMES = (
    "name", "size", "tags", "price", "owner", "parts", "code", "stock", "limits", "city", "notes",
    "level", "shape", "width", "label", "group", "scores", "target",
)  # fmt: skip
WORDS = ("red", "blue", "oak", "pine", "north", "south", "iron", "glass", "round", "flat")

ROOT = "root"
"""The name of a whole document in paths."""

Json = Any
Schema = Mapping[str, Any]
Path = tuple[str | int, ...]
Spot = tuple[Path, Schema, Json]
"""The path of a value, a schema that it has to satisfy, and the value."""


class Form(NamedTuple):
    """How hard schemas are."""

    depth: int
    """Levels of objects and lists in one another."""
    width: int
    """Members of an object, about."""
    conditions: bool
    """Whether there are ``if``, ``dependentRequired`` and ``not``."""
    choices: bool
    """Whether there is ``anyOf``."""
    references: bool


# Evaluation


def type_of(value: Json) -> str:
    """The type of a value in JSON Schema.

    >>> [type_of(value) for value in (True, 3, 2.5, "a", None, [], {})]
    ['boolean', 'integer', 'number', 'string', 'null', 'array', 'object']
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "integer" if float(value).is_integer() else "number"
    return "string" if isinstance(value, str) else "array" if isinstance(value, list) else "object"


def errors(schema: Schema, value: Json, root: Schema, path: Path = ()) -> set[Path]:
    """The paths of all values that break a keyword of their own.

    An object breaks ``required``, ``additionalProperties`` and ``dependentRequired`` itself, and a
    value breaks ``anyOf`` and ``not`` itself, whatever is inside.
    """
    broken = {path} if any(_broken(schema, value, root)) else set[Path]()
    for subschema, part, step in _parts(schema, value, root):
        broken |= errors(subschema, part, root, (*path, *step))
    return broken


def is_valid(schema: Schema, value: Json, root: Schema) -> bool:
    """Whether a value satisfies a schema."""
    return not errors(schema, value, root)


def _parts(schema: Schema, value: Json, root: Schema) -> Iterator[tuple[Schema, Json, Path]]:
    """The schemas that a value and its parts have to satisfy as well, with the steps to these."""
    if "$ref" in schema:
        yield root["$defs"][schema["$ref"].removeprefix("#/$defs/")], value, ()
    if "if" in schema:
        branch = "then" if is_valid(schema["if"], value, root) else "else"
        if branch in schema:
            yield schema[branch], value, ()
    if isinstance(value, dict):
        for name, subschema in schema.get("properties", {}).items():
            if name in value:
                yield subschema, value[name], (name,)
    if isinstance(value, list) and "items" in schema:
        for n, item in enumerate(value):
            yield schema["items"], item, (n,)


def _broken(schema: Schema, value: Json, root: Schema) -> Iterator[bool]:
    """Whether a value breaks each keyword of a schema, parts of the value aside."""
    sort = type_of(value)
    if "type" in schema:
        allowed = schema["type"]
        yield sort != allowed and (sort, allowed) != ("integer", "number")
    if "enum" in schema:
        yield not any(same_json(value, each) for each in schema["enum"])
    if "const" in schema:
        yield not same_json(value, schema["const"])
    if "anyOf" in schema:
        yield not any(is_valid(each, value, root) for each in schema["anyOf"])
    if "not" in schema:
        yield is_valid(schema["not"], value, root)
    if sort in {"integer", "number"}:
        yield value < schema.get("minimum", value)
        yield value > schema.get("maximum", value)
        yield value % schema.get("multipleOf", 1) != 0 and "multipleOf" in schema
    elif sort == "string":
        yield not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))
    elif sort == "array":
        yield not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
        yield "uniqueItems" in schema and any(
            same_json(one, other) for n, one in enumerate(value) for other in value[:n]
        )
    elif sort == "object":
        yield not value.keys() >= set(schema.get("required", ()))
        if schema.get("additionalProperties") is False:
            yield not value.keys() <= schema.get("properties", {}).keys()
        for name, others in schema.get("dependentRequired", {}).items():
            yield name in value and not value.keys() >= set(others)


# Schemas


class Drafting:
    """Draws a schema, and documents that satisfy it."""

    def __init__(self, rng: Random, form: Form) -> None:
        self.rng = rng
        self.form = form
        self.definitions: dict[str, Schema] = {}

    def schema(self) -> Schema:
        """A schema of an object, with its definitions."""
        if self.form.references:
            for name in self.rng.sample(("item", "entry", "point"), 2):
                self.definitions[name] = self.of_object(max(1, self.form.depth - 2))
        body = dict(self.of_object(self.form.depth))
        return {**({"$defs": self.definitions} if self.definitions else {}), **body}

    def of_object(self, depth: int) -> Schema:
        """A schema of an object with this many levels."""
        rng, form = self.rng, self.form
        names = rng.sample(NAMES, form.width + rng.randint(0, 1))
        properties: dict[str, Schema] = {}
        for n, name in enumerate(names):
            properties[name] = self.of_value(depth - 1, n == 0)
        schema: dict[str, Any] = {
            "type": "object",
            "properties": properties,
            "required": sorted(rng.sample(names, rng.randint(1, len(names) - 1))),
        }
        if rng.random() < 0.6:
            schema["additionalProperties"] = False
        optional = [name for name in names if name not in schema["required"]]
        if form.conditions and optional and rng.random() < 0.6:
            others = [name for name in names if name != optional[0]]
            schema["dependentRequired"] = {optional[0]: [rng.choice(others)]}
        numbers = [n for n in names if properties[n].get("type") == "integer"]
        if form.conditions and numbers and len(names) > 2 and rng.random() < 0.7:
            self.add_condition(schema, rng.choice(numbers))
        return schema

    def add_condition(self, schema: dict[str, Any], name: str) -> None:
        """An ``if`` that depends on a number, and makes another member required or bounded."""
        rng, properties = self.rng, schema["properties"]
        middle = (properties[name]["minimum"] + properties[name]["maximum"]) // 2
        schema["if"] = {"properties": {name: {"minimum": middle}}}
        for branch in ("then", "else"):
            other = rng.choice([each for each in properties if each != name])
            bounds = properties[other]
            if bounds.get("type") == "integer" and bounds["maximum"] - bounds["minimum"] > 5:
                change = rng.choice(("minimum", "maximum"))
                middle = (bounds["minimum"] + bounds["maximum"]) // 2
                schema[branch] = {"properties": {other: {change: middle}}}
            else:
                schema[branch] = {"required": [other]}

    def of_value(self, depth: int, deep: bool = False) -> Schema:
        """A schema of a value; an object or a list if it is ``deep`` and there is depth left."""
        rng, form = self.rng, self.form
        if depth > 0 and (deep or rng.random() < 0.25):
            if self.definitions and rng.random() < 0.5:
                reference = {"$ref": f"#/$defs/{rng.choice([*self.definitions])}"}
                return rng.choice((reference, {"type": "array", "items": reference, "maxItems": 3}))
            if rng.random() < 0.5:
                return self.of_object(depth)
            items = self.of_object(depth) if depth > 1 else self.of_scalar()
            least = rng.randint(0, 2)
            schema: dict[str, Any] = {"type": "array", "items": items, "maxItems": least + 2}
            return schema | ({"minItems": least} if least else {"uniqueItems": True})
        if form.choices and rng.random() < 0.3:
            first, other = self.of_scalar(), self.of_scalar()
            while other.get("type") == first.get("type"):
                other = self.of_scalar()
            return {"anyOf": [first, other]}
        scalar = self.of_scalar()
        if form.conditions and scalar.get("type") == "integer" and rng.random() < 0.3:
            return {**scalar, "not": {"multipleOf": rng.choice((3, 4, 5))}}
        return scalar

    def of_scalar(self) -> Schema:
        """A schema of a number, a text or one of several values."""
        rng = self.rng
        choice = rng.randrange(5)
        if choice == 0:
            return {"enum": sorted(rng.sample(WORDS, 3))}
        if choice == 1:
            least = rng.randint(2, 4)
            return {"type": "string", "minLength": least, "maxLength": least + rng.randint(1, 3)}
        if choice == 2:
            return {"type": "boolean"}
        low = rng.randint(0, 20)
        return {"type": "integer", "minimum": low, "maximum": low + rng.randint(6, 30)}


# Documents


def random_value(rng: Random, schema: Schema, root: Schema) -> Json:
    """A value that nearly satisfies a schema: conditions and ``not`` may fail."""
    if "$ref" in schema:
        return random_value(rng, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root)
    if "anyOf" in schema:
        return random_value(rng, rng.choice(schema["anyOf"]), root)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    match schema.get("type"):
        case "object":
            properties = schema["properties"]
            names = [n for n in properties if n in schema["required"] or rng.random() < 0.6]
            return {name: random_value(rng, properties[name], root) for name in names}
        case "array":
            number = rng.randint(max(1, schema.get("minItems", 0)), schema["maxItems"])
            return [random_value(rng, schema["items"], root) for _ in range(number)]
        case "string":
            length = rng.randint(schema["minLength"], schema["maxLength"])
            return "".join(rng.choice("abcdeimnorst") for _ in range(length))
        case "boolean":
            return rng.random() < 0.5
        case _:
            return rng.randint(schema["minimum"], schema["maximum"])


def mutated(rng: Random, value: Json) -> Json:
    """A copy of a value with a change in one spot: a scalar, or a member more or less."""
    if isinstance(value, dict) and value:
        name = rng.choice([*value])
        if isinstance(value[name], dict | list) and rng.random() < 0.8:
            return {**value, name: mutated(rng, value[name])}
        if rng.random() < 0.3:
            return {each: part for each, part in value.items() if each != name}
        if rng.random() < 0.15:
            return {**value, rng.choice(NAMES): rng.choice((3, "iron", True))}
        return {**value, name: mutated(rng, value[name])}
    if isinstance(value, list) and value:
        n = rng.randrange(len(value))
        if rng.random() < 0.25:
            return [*value, value[n]]
        if rng.random() < 0.2:
            return value[:n] + value[n + 1 :]
        return [*value[:n], mutated(rng, value[n]), *value[n + 1 :]]
    if isinstance(value, bool):
        return rng.choice(("true", 1, not value))
    if isinstance(value, int):
        return rng.choice((value + rng.randint(1, 25), value - rng.randint(1, 25), str(value)))
    return rng.choice((f"{value}s", str(value)[:-1], str(value)[:1], 7, str(value).upper()))


def pointer(path: Path) -> str:
    """A path as text: members behind dots, items in brackets.

    >>> pointer(("parts", 0, "size")), pointer(())
    ('root.parts[0].size', 'root')
    """
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return ROOT + "".join(steps)


def all_paths(value: Json, path: Path = ()) -> list[Path]:
    """The paths of a value and of all its parts."""
    parts: Sequence[tuple[str | int, Json]] = ()
    if isinstance(value, dict):
        parts = [*value.items()]
    elif isinstance(value, list):
        parts = [*enumerate(value)]
    return [path, *(each for step, part in parts for each in all_paths(part, (*path, step)))]


def size(schema: Json) -> int:
    """How many values a schema or a document consists of."""
    return len(all_paths(schema))


SIMPLE = frozenset(KEYWORDS) - {"anyOf", "not", "if", "then", "else", "dependentRequired"}
"""Keywords that depend on one value alone, or that lead to the parts of a value."""


def simplified(schema: Json) -> Json:
    """A schema without the keywords that depend on other values or have alternatives."""
    if isinstance(schema, list):
        return [simplified(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    complex_words = {word for word in schema if word in KEYWORDS} - SIMPLE
    return {name: simplified(part) for name, part in schema.items() if name not in complex_words}


GROUPS = (
    frozenset({"additionalProperties"}),
    frozenset({"minItems", "maxItems", "uniqueItems"}),
    frozenset({"anyOf"}),
)
"""Keywords that random changes seldom hit, so that changes are planted for them."""


def left_out(schema: Json, words: Collection[str]) -> Json:
    """A schema without some keywords."""
    if isinstance(schema, list):
        return [left_out(each, words) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {name: left_out(part, words) for name, part in schema.items() if name not in words}


def spots(schema: Schema, value: Json, root: Schema, path: Path = ()) -> Iterator[Spot]:
    """The parts of a value, each with the schemas that it has to satisfy."""
    yield path, schema, value
    for subschema, part, step in _parts(schema, value, root):
        yield from spots(subschema, part, root, (*path, *step))


def planted(rng: Random, schema: Schema, document: Json) -> Json:
    """A copy of a document with a change that a keyword of :data:`GROUPS` is about.

    In one of four cases the change is one that such a keyword would be about, but there is none.
    """
    group = rng.choice(GROUPS)
    known = [spot for spot in spots(schema, document, schema) if _fits(spot, group)]
    strict = [spot for spot in known if group & spot[1].keys()]
    if not known:
        return mutated(rng, document)
    path, subschema, value = rng.choice(strict if strict and rng.random() < 0.75 else known)
    return _replaced(document, path, _misfit(rng, subschema, value, schema))


def _fits(spot: Spot, group: Collection[str]) -> bool:
    """Whether keywords of a group can be about a value."""
    _, schema, value = spot
    if "additionalProperties" in group:
        return isinstance(value, dict) and "properties" in schema
    return "anyOf" in schema if "anyOf" in group else isinstance(value, list) and "items" in schema


def _misfit(rng: Random, schema: Schema, value: Json, root: Schema) -> Json:
    """A value in place of another one that keywords of :data:`GROUPS` may not allow."""
    if isinstance(value, dict) and "anyOf" not in schema:
        name = rng.choice([each for each in NAMES if each not in schema["properties"]])
        return {**value, name: rng.choice((rng.randint(1, 30), rng.choice(WORDS), True))}
    if isinstance(value, list) and "anyOf" not in schema:
        if value and ("uniqueItems" in schema or rng.random() < 0.3):
            n = rng.randrange(len(value))
            others = value[:n] + value[n + 1 :]
            return [*(others if len(others) > 1 else value), rng.choice(others or value)]
        least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
        if least and rng.random() < 0.5:
            return value[: least - 1]
        more = most + 1 - len(value)
        return [*value, *(random_value(rng, schema["items"], root) for _ in range(more))]
    values = (rng.randint(1, 60), rng.random() < 0.5, rng.choice(WORDS), rng.choice("abc"), "")
    wrong = [each for each in values if not any(is_valid(s, each, root) for s in schema["anyOf"])]
    return rng.choice(wrong or values)


def _replaced(document: Json, path: Path, value: Json) -> Json:
    """A copy of a document with another value at a path."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(document, dict):
        return {**document, step: _replaced(document[step], rest, value)}
    copy = [*document]
    copy[int(step)] = _replaced(document[int(step)], rest, value)
    return copy


def random_documents(
    rng: Random, schema: Schema, number: int, changes: int, hard: bool
) -> list[Json]:
    """Different documents, each with up to so many changes, about a third of them valid.

    Those come first whose errors are deep inside, and in which keywords of :data:`GROUPS` matter.

    With ``hard``, at least one is judged otherwise without the keywords that depend on other
    values, if there is such a document.
    """
    plain = simplified(schema)
    less = [left_out(schema, group) for group in GROUPS]
    pool = list[_Candidate]()
    for _ in range(8 * number):
        document = random_value(rng, schema, schema)
        for _ in range(rng.randint(0, changes)):
            change = rng.random() < 0.6
            document = planted(rng, schema, document) if change else mutated(rng, document)
        broken = errors(schema, document, schema)
        if len(broken) <= changes + 1 and all(not same_json(document, each[0]) for each in pool):
            groups = {n for n, each in enumerate(less) if errors(each, document, each) != broken}
            is_tricky = broken != errors(plain, document, plain)
            pool.append(_Candidate(document, broken, is_tricky, frozenset(groups)))
    pool.sort(key=lambda each: -max(map(len, each.broken), default=0))
    tricky = [each for each in pool if each.tricky] if hard else []
    chosen = _covering(tricky, (number + 1) // 2, [])
    valid = [each for each in pool if not each.broken and each not in tricky]
    chosen += valid[: (number - len(chosen)) // 3 + (rng.random() < 0.4)]
    others = [each for each in pool if each.broken and each not in chosen]
    chosen += _covering(others, number - len(chosen), chosen)
    documents = [each.document for each in chosen[:number]]
    rng.shuffle(documents)
    return documents


class _Candidate(NamedTuple):
    """A document with what is broken, and with what the keywords of some groups change in that."""

    document: Json
    broken: set[Path]
    tricky: bool
    groups: frozenset[int]


def _covering(
    pool: Sequence[_Candidate], number: int, chosen: Sequence[_Candidate]
) -> list[_Candidate]:
    """So many documents, those first in which groups of keywords matter that did not before."""
    known = {group for each in chosen for group in each.groups}
    rest, taken = [*pool], list[_Candidate]()
    while rest and len(taken) < number:
        best = max(rest, key=lambda each: len(each.groups - known))
        rest.remove(best)
        taken.append(best)
        known |= best.groups
    return taken
