"""JSON documents: written by this file's own printer, judged by its own comparison and rules.

``jsonschema`` gives a second opinion on schemas, and Python's ``json`` on what is JSON at all.
"""

import json
import random
from collections.abc import Iterator
from typing import Any

from benchmarks.error_rates.cases import Case, fenced
from jsonschema import Draft202012Validator

from palaestra.verifiers.json.documents import JsonEqual, JsonSchema

KEYS = ["name", "age", "city", "tags", "score", "active", "items", "note", "price", "owner"]
TEXTS = [
    "Ada",
    "",
    "two words",
    "naïve café",
    'a "quoted" word',
    "tab\there",
    "日本",
    "a/b\\c",
    "1",
]


def value(rng: random.Random, depth: int = 3) -> Any:
    """A JSON value with a few levels."""
    sort = rng.choice(("text", "whole", "decimal", "flag", "null", "list", "object", "object"))
    if depth == 0 and sort in ("list", "object"):
        sort = "whole"
    match sort:
        case "text":
            return rng.choice(TEXTS)
        case "whole":
            return rng.choice((0, 1, -7, 42, 10**6, rng.randint(-999, 999)))
        case "decimal":
            return rng.choice((0.5, -1.25, 3.75, 1e-3, 2.5e6))
        case "flag":
            return rng.random() < 0.5
        case "null":
            return None
        case "list":
            return [value(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    keys = rng.sample(KEYS, rng.randint(1, 4))
    return {key: value(rng, depth - 1) for key in keys}


def shuffled(rng: random.Random, document: Any) -> Any:
    """The same document with its keys in another order."""
    if isinstance(document, dict):
        return {
            key: shuffled(rng, document[key]) for key in rng.sample(list(document), len(document))
        }
    return [shuffled(rng, each) for each in document] if isinstance(document, list) else document


def escaped(text: str) -> str:
    """A JSON text with every character escaped by its number."""
    units = text.encode("utf-16-be")
    codes = (f"\\u{units[n]:02x}{units[n + 1]:02x}" for n in range(0, len(units), 2))
    return '"' + "".join(codes) + '"'


def spelled(rng: random.Random, document: Any, escape: bool) -> str:
    """A document in JSON with odd spacing, other number forms and, if wished, escapes."""
    gap = rng.choice(("", " ", "\n", "\t ", "  "))
    match document:
        case dict():
            parts = (
                f"{(escaped if escape else json.dumps)(key)}{gap}:{gap}{spelled(rng, each, escape)}"
                for key, each in document.items()
            )
            return "{" + gap + f",{gap}".join(parts) + gap + "}"
        case list():
            return "[" + gap + f"{gap},".join(spelled(rng, each, escape) for each in document) + "]"
        case str():
            return escaped(document) if escape else json.dumps(document, ensure_ascii=False)
        case bool() | None:
            return json.dumps(document)
        case int():
            return rng.choice(
                (f"{document}", f"{document}.0", f"{document}e0", f"{document}.00E+0")
            )
    return rng.choice(
        (repr(document), f"{document!r}0" if "e" not in repr(document) else repr(document))
    )


def renderings(rng: random.Random, document: Any) -> dict[str, str]:
    """Ways to write a document."""
    plain = json.dumps(document)
    return {
        "compact": json.dumps(document, separators=(",", ":")),
        "indented": json.dumps(document, indent=2),
        "keys in another order": json.dumps(shuffled(rng, document)),
        "not only ASCII": json.dumps(document, ensure_ascii=False),
        "odd spacing and numbers": spelled(rng, document, escape=False),
        "all characters escaped": spelled(rng, document, escape=True),
        "in a fence": fenced(json.dumps(document, indent=2), "json"),
        "in a fence without a language": fenced(plain),
        "in a fence after prose": "Here is the document:\n\n" + fenced(plain, "json"),
        "in a fence between prose": f"Sure.\n{fenced(plain, 'json')}\nThis is what you want.",
        "spaces around it": f"\n  {plain}  \n",
    }


def equal(one: Any, two: Any) -> bool:
    """Whether two values are the same document: 1 is 1.0, and true is not 1."""
    if isinstance(one, bool) or isinstance(two, bool) or one is None or two is None:
        return one is two
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(equal(one[key], two[key]) for key in one)
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(equal, one, two))
    if isinstance(one, int | float) and isinstance(two, int | float):
        return one == two
    return type(one) is type(two) and bool(one == two)


def mutated(rng: random.Random, document: Any) -> Any:
    """A document with one change somewhere."""
    if isinstance(document, dict) and document and rng.random() < 0.8:
        key = rng.choice(list(document))
        match rng.randrange(4):
            case 0:
                return {k: v for k, v in document.items() if k != key}
            case 1:
                return {(k + "_" if k == key else k): v for k, v in document.items()}
            case 2:
                return document | {"extra": None}
        return document | {key: mutated(rng, document[key])}
    if isinstance(document, list) and document and rng.random() < 0.8:
        at = rng.randrange(len(document))
        match rng.randrange(4):
            case 0:
                return document[:at] + document[at + 1 :]
            case 1:
                return [*document, document[at]]
            case 2:
                return document[::-1]
        return [*document[:at], mutated(rng, document[at]), *document[at + 1 :]]
    others: list[Any] = [str(document), None, True, 0, "", [], [document], {"value": document}]
    if isinstance(document, str):
        others += [document + " ", document.swapcase()]
    if isinstance(document, int | float) and not isinstance(document, bool):
        others += [document + 1, -document, document * 10, document + 1e-6]
    return rng.choice(others)


def broken(document: Any) -> dict[str, str]:
    """Texts that are not one JSON document."""
    plain = json.dumps(document)
    return {
        "cut short": plain[:-1],
        "trailing comma": plain[:-1] + "," + plain[-1] if plain[-1] in "]}" else plain + ",",
        "single quotes": str(document) if "'" in str(document) else "{'a': 1}",
        "comment": f"{plain} // as wished",
        "two documents": f"{plain}\n{plain}",
        "two fences": fenced(plain, "json") + "\n" + fenced(plain, "json"),
        "NaN": f'{{"value": NaN, "rest": {plain}}}',
        "repeated key": f'{{"a": 0, "a": {plain}}}',
        "prose only": "I cannot give that.",
    }


def equality_cases(rng: random.Random) -> Iterator[Case]:
    """Documents equal to a gold document, and changed ones."""
    while True:
        gold = value(rng)
        if not isinstance(gold, dict | list) or not gold:
            continue
        verifier = JsonEqual(gold)
        ways = renderings(rng, gold)
        for form in rng.sample(sorted(ways), 3):
            yield Case(form, verifier, ways[form], right=True)
        for _ in range(2):
            other = mutated(rng, gold)
            answer = rng.choice(sorted(renderings(rng, other).values()))
            yield Case("changed document", verifier, answer, equal(other, gold))
        form, answer = rng.choice(sorted(broken(gold).items()))
        yield Case(form, verifier, answer, right=False)


def schema(rng: random.Random, depth: int = 2) -> dict[str, Any]:
    """A schema of common keywords."""
    sorts = ["string", "integer", "number", "boolean", "enum", "array", "object"]
    match rng.choice(sorts if depth else sorts[:5]):
        case "string":
            return {
                "type": "string",
                "minLength": rng.randint(0, 2),
                "maxLength": rng.randint(3, 9),
            }
        case "integer":
            return {"type": "integer", "minimum": -5, "exclusiveMaximum": rng.randint(1, 60)}
        case "number":
            return {"type": "number", "maximum": 100, "multipleOf": rng.choice((0.5, 1, 0.25))}
        case "boolean":
            return {"type": ["boolean", "null"]}
        case "enum":
            return {"enum": ["red", "green", 1, None][: rng.randint(2, 4)]}
        case "array":
            rules = {"type": "array", "items": schema(rng, depth - 1), "maxItems": 3}
            return rules | ({"uniqueItems": True} if rng.random() < 0.4 else {"minItems": 1})
    names = rng.sample(KEYS, 3)
    return {
        "type": "object",
        "properties": {name: schema(rng, depth - 1) for name in names},
        "required": names[: rng.randint(0, 2)],
        "additionalProperties": rng.random() < 0.4,
    }


def instance(rng: random.Random, rules: dict[str, Any]) -> Any:
    """A value that keeps a schema's rules more often than not."""
    if rng.random() < 0.06:
        return value(rng, 1)
    if "enum" in rules:
        return rng.choice(rules["enum"])
    match rules["type"]:
        case "string":
            return "x" * rng.randint(
                max(rules["minLength"] - (rng.random() < 0.1), 0),
                rules["maxLength"] + (rng.random() < 0.1),
            )
        case "integer":
            return rng.choice(
                (
                    rng.randint(-5, rules["exclusiveMaximum"] - 1),
                    0,
                    0.0,
                    rules["exclusiveMaximum"] - 1,
                )
            )
        case "number":
            return rng.choice((0, 0.5, 1, 2.0, 100, -3.5))
        case ["boolean", "null"]:
            return rng.choice((True, False, None))
        case "array":
            return [instance(rng, rules["items"]) for _ in range(rng.randint(0, 3))]
    names = list(rules["properties"])
    kept = [name for name in names if name in rules["required"] or rng.random() < 0.6]
    fields = {name: instance(rng, rules["properties"][name]) for name in kept}
    return fields | ({"other": 1} if rng.random() < 0.1 else {})


def valid(rules: dict[str, Any], document: Any) -> bool:
    """Whether a value keeps the rules of a schema that :func:`schema` makes."""
    number = isinstance(document, int | float) and not isinstance(document, bool)
    if "enum" in rules:
        return any(equal(document, each) for each in rules["enum"])
    match rules["type"]:
        case "string":
            return (
                isinstance(document, str)
                and rules["minLength"] <= len(document) <= rules["maxLength"]
            )
        case "integer":
            return (
                number and document == int(document) and -5 <= document < rules["exclusiveMaximum"]
            )
        case "number":
            return number and document <= 100 and (document / rules["multipleOf"]).is_integer()
        case ["boolean", "null"]:
            return document is None or isinstance(document, bool)
        case "array":
            return (
                isinstance(document, list)
                and rules.get("minItems", 0) <= len(document) <= rules["maxItems"]
                and all(valid(rules["items"], each) for each in document)
                and not (
                    rules.get("uniqueItems")
                    and any(equal(a, b) for n, a in enumerate(document) for b in document[:n])
                )
            )
    return (
        isinstance(document, dict)
        and all(name in document for name in rules["required"])
        and (rules["additionalProperties"] or document.keys() <= rules["properties"].keys())
        and all(
            valid(rules["properties"][k], v)
            for k, v in document.items()
            if k in rules["properties"]
        )
    )


def schema_cases(rng: random.Random) -> Iterator[Case]:
    """Documents that keep a schema's rules, and documents that do not."""
    while True:
        rules = schema(rng, 3)
        if rules.get("type") != "object":
            continue
        verifier, referee = JsonSchema(rules), Draft202012Validator(rules)
        for _ in range(6):
            document = instance(rng, rules)
            if not isinstance(document, dict):
                continue
            right = valid(rules, document)
            if referee.is_valid(document) != right:
                raise AssertionError(f"jsonschema and this file disagree: {rules} {document}")
            form, answer = rng.choice(sorted(renderings(rng, document).items()))
            yield Case(form if right else "breaks the schema", verifier, answer, right)


def cases(rng: random.Random) -> Iterator[Case]:
    """Both kinds in turn."""
    for one, other in zip(equality_cases(rng), schema_cases(rng)):
        yield one
        yield other
