"""Validation by JSON Schema, draft 2020-12 (Austin Wright and others, 2022)."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from random import Random
from typing import Literal, Self

from palaestra.generators.databases.schema_validation import (
    ROOT,
    Drafting,
    Form,
    Json,
    Path,
    all_paths,
    errors,
    pointer,
    random_documents,
    simplified,
    size,
)
from palaestra.scenes import Panels, Text
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.json.schemas import schema_violation
from palaestra.verifiers.reading.answer_lines import answer_lines, listed
from palaestra.verifiers.reading.labels import line_numbers, matched, numbered
from palaestra.verifiers.reading.values import items, joined

VALID = "valid"

_STEPS = re.compile(
    r"(?:root|\$)?((?:[./]?[a-zA-Z]{1,40}|\[\d{1,4}\]|[./]\d{1,4}){0,40})/?", re.ASCII
)
_STEP = re.compile(r"[a-zA-Z]+|\d+", re.ASCII)


class SchemaValidation(Puzzle):
    """State where documents break a JSON Schema with references, conditions and alternatives."""

    tags = {"databases", "json", "validation", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        depth: int = ladder(1, 2, 2, 3, 3, 4, 4, high=5)  # objects and lists in one another
        width: int = ladder(3, 3, 4, 4, 5, 5, 6, low=3, high=7)  # members of an object, about
        documents: int = ladder(2, 2, 3, 3, 4, 5, 6, low=2, high=8)
        changes: int = ladder(2, 2, 2, 3, 3, 4, 5, high=8)  # of a document, at most
        conditions: Literal["no", "yes"] = ladder("no", "no", "yes")
        choices: Literal["no", "yes"] = ladder("no", "no", "no", "yes")
        references: Literal["no", "yes"] = ladder("no", "no", "no", "no", "yes")

    schema_text: str
    """The schema as JSON."""
    documents: tuple[str, ...]
    """The documents as JSON."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        conditions = knobs.conditions == "yes"
        form = Form(
            knobs.depth, knobs.width, conditions, knobs.choices == "yes", knobs.references == "yes"
        )
        schema = Drafting(rng, form).schema()
        documents = random_documents(rng, schema, knobs.documents, knobs.changes, conditions)
        return cls(
            schema_text=json.dumps(schema),
            documents=tuple(map(json.dumps, documents))
            if len(documents) == knobs.documents
            else (),
        )

    def is_valid(self) -> bool:
        """Whether there are documents, some broken, and simple keywords do not settle them all."""
        right = self.right()
        has_conditions = self.simple() != right or simplified(self.rules) == self.rules
        return has_conditions and len({*right}) > 1

    @property
    def rules(self) -> Mapping[str, Json]:
        """The schema."""
        schema: Mapping[str, Json] = json.loads(self.schema_text)
        return schema

    def right(self) -> list[frozenset[Path]]:
        """The broken values of each document."""
        schema = self.rules
        return [frozenset(errors(schema, json.loads(each), schema)) for each in self.documents]

    def simple(self) -> list[frozenset[Path]]:
        """The broken values without keywords that depend on other values."""
        schema = simplified(self.rules)
        return [frozenset(errors(schema, json.loads(each), schema)) for each in self.documents]

    def prompt(self) -> str:
        intro = self.phrase(
            "This is a JSON Schema of draft 2020-12:",
            "Documents have to satisfy this JSON Schema (draft 2020-12):",
        )
        ask = self.phrase(
            "Which values of these documents break the schema?",
            "Find in each of these documents all values that break the schema.",
        )
        return (
            f"{intro}\n\n{laid_out(self.rules)}\n\n{ask}\n\n{numbered(self.documents)}\n\n"
            "A value is listed if it breaks a keyword itself. So required, dependentRequired and "
            "additionalProperties are broken by the object, minItems, maxItems and uniqueItems by "
            "the list, anyOf and not by the value that they apply to, whatever is wrong inside it; "
            "the schemas in properties, items, $ref, then and else apply to their values as usual, "
            "and a value inside an object counts whether the object itself is fine or not. Recall "
            "that properties says nothing about members that are missing, and if is satisfied "
            "where nothing breaks it.\n\nWrite a value as its path: the whole document is root, a "
            "member follows a dot and an item of a list its index from 0 in brackets. Answer with "
            "a line for each document, with its number and the paths in any order or the word "
            f"{VALID}, such as:\n1: root.parts[0].size, root.owner\n2: {VALID}"
        )

    def scene(self) -> Panels:
        """The schema beside the documents."""
        scenes = (Text(tuple(laid_out(self.rules).split("\n")), mono=True),)
        documents = tuple(
            Text(tuple(laid_out(json.loads(each)).split("\n")), mono=True)
            for each in self.documents
        )
        numbers = tuple(line_numbers(len(documents)))
        return Panels((*scenes, *documents), ("schema", *numbers), columns=2)

    def answer(self) -> str:
        return as_text(self.right())

    def read(self, answer: str) -> list[frozenset[Path]]:
        """The paths that an answer states for each document."""
        lines = answer_lines(answer, len(self.documents), ["document"])
        return [read_paths(line) for line in lines]

    def verify(self, answer: str) -> Score:
        return matched(dict(enumerate(self.read(answer))), dict(enumerate(self.right())))

    def audit(self, answer: str) -> bool | None:
        """Whether jsonschema, if installed, finds an error where there is one, and states its path.

        It is asked for one error of each document; the tests compare all of them.
        """
        if find_spec("jsonschema") is None:
            return None
        for stated, document in zip(self.read(answer), self.documents):
            problem = schema_violation(self.rules, json.loads(document))
            path = problem.partition(" breaks ")[0].replace("$", ROOT, 1)
            if bool(problem) != bool(stated) or (problem and path not in map(pointer, stated)):
                return False
        return True

    def difficulty(self) -> float:
        """The values of all documents, and those of the schema."""
        return float(size(self.rules) + 4 * sum(size(json.loads(each)) for each in self.documents))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who check simple keywords or the outermost object only, or guess."""
        documents = [json.loads(each) for each in self.documents]
        right = self.right()
        outermost = [frozenset(path for path in each if len(path) < 2) for each in right]
        guess = [
            frozenset(rng.sample(all_paths(each), rng.randint(0, min(2, len(all_paths(each))))))
            for each in documents
        ]
        return {
            "simple keywords": as_text(self.simple()),
            "outermost object": as_text(outermost),
            "random values": as_text(guess),
        }

    def shortcuts(self) -> list[str]:
        number = len(self.documents)
        return [as_text([frozenset()] * number), as_text([frozenset({()})] * number)]


def as_text(paths: Iterable[frozenset[Path]]) -> str:
    """A line for each document."""
    return numbered(joined(sorted(map(pointer, each))) or VALID for each in paths)


def read_paths(text: str) -> frozenset[Path]:
    """The paths of broken values; none for a valid document."""
    if text.casefold() == VALID:
        return frozenset()
    paths = {read_path(each) for each in items(listed(text), "a list of paths", 200)}
    if not paths:
        raise InvalidAnswer(f"expected paths of values, or the word {VALID}")
    return frozenset(paths)


def read_path(text: str) -> Path:
    """A path in dots and brackets, or as a JSON pointer."""
    match = _STEPS.fullmatch(text)
    if not match:
        raise InvalidAnswer(f"expected paths such as {ROOT}.parts[0].size")
    steps = _STEP.findall(match[1])
    return tuple(int(step) if step.isdecimal() else step for step in steps)


def laid_out(value: Json) -> str:
    """A document on several lines, with short parts on one line each.

    >>> print(laid_out({"a": {"b": 1}, "c": [1, 2]}))
    {"a": {"b": 1}, "c": [1, 2]}
    """
    return "\n".join(_lines(value, ""))


def _lines(value: Json, indent: str) -> Sequence[str]:
    short = json.dumps(value)
    if len(short) <= 90 - len(indent) or not isinstance(value, dict | list) or not value:
        return [short]
    inner = indent + "  "
    parts = (
        [(f"{json.dumps(name)}: ", part) for name, part in value.items()]
        if isinstance(value, dict)
        else [("", part) for part in value]
    )
    lines = ["{" if isinstance(value, dict) else "["]
    for n, (head, part) in enumerate(parts):
        first, *rest = _lines(part, inner)
        block = [f"{inner}{head}{first}", *rest]
        block[-1] += "," * (n < len(parts) - 1)
        lines += block
    return [*lines, indent + ("}" if isinstance(value, dict) else "]")]
