"""Documents that follow a JSON Schema (draft 2020-12), as in StructEval (Yang et al., 2025)."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any, Self

from palaestra.generators.following.structured_output import (
    CHOICES,
    Cell,
    Field,
    clause,
    document,
    name,
    random_fields,
    random_row,
    schema,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.json.documents import JsonEqual
from palaestra.verifiers.json.reading import fenced, json_key, read_json


class StructuredOutput(Puzzle):
    """Put records that are described in prose into JSON that follows a schema with conditions."""

    tags = {"instruction-following", "json", "extraction"}
    answer_type = "code"

    class Knobs(Puzzle.Knobs):
        records: int = ladder(1, 1, 2, 2, 3, 4, 6, low=1, high=10)
        fields: int = ladder(3, 5, 6, 8, 10, 12, 15, low=2, high=18)
        depth: int = ladder(1, 1, 2, 2, 3, 3, 4)
        conditions: int = ladder(0, 1, 1, 2, 3, 4, 5)
        compared: int = ladder(0, 0, 20, 30, 40, 50, 60, high=100)  # percent of the amounts

    fields: tuple[Field, ...]
    rows: tuple[tuple[Cell, ...], ...]
    order: tuple[tuple[int, ...], ...]
    """The order of the sentences of each record."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        fields = random_fields(rng, knobs.fields, knobs.depth, knobs.conditions)
        rows = list[tuple[Cell, ...]]()
        for _ in range(knobs.records):
            rows.append(random_row(rng, fields, rows, knobs.compared))
        columns = range(len(fields))
        order = tuple(tuple(rng.sample(columns, len(columns))) for _ in rows)
        return cls(fields=fields, rows=tuple(rows), order=order)

    def is_valid(self) -> bool:
        """Whether players who do not follow one of the rules that apply write something else."""
        right = json_key(self.document(), True)
        simple = self.simple_documents().values()
        return all(json_key(each, True) != right for each in simple)

    def document(self) -> list[Any]:
        """The records as JSON values."""
        return document(self.fields, self.rows)

    def prose(self) -> str:
        """The records in sentences."""
        lines = []
        for number, (row, order) in enumerate(zip(self.rows, self.order), 1):
            clauses = [clause(self.fields[n], row[n], self.rows, n) for n in order]
            stated = [f"It {text}." for text in clauses if text]
            stated[0] = f"Item {number}{stated[0].removeprefix('It')}"
            lines.append(" ".join(stated))
        return "\n".join(lines)

    def prompt(self) -> str:
        task = self.phrase(
            "Write these records as one JSON document that follows the schema below.",
            "Convert the following records to JSON. The document has to be valid by the JSON "
            "Schema below them.",
        )
        text = json.dumps(schema(self.fields), indent=1)
        return (
            f"{task}\n\n{self.prose()}\n\n{text}\n\nThe array has an object for each item, in the "
            "order of the text. Every property that the schema requires is there, with what the "
            "text states; what the schema does not allow for an item is left out, even if the "
            "text states it. Amounts are converted to the unit of the schema without rounding. "
            "Names and words are written as in the text, except for codes. Answer with the JSON "
            """document alone, such as '[{"width_mm": 70, "sold_date": "1999-12-31"}]'."""
        )

    def answer(self) -> str:
        return json.dumps(self.document())

    def verify(self, answer: str) -> Score:
        text = _unquoted(answer)
        if not isinstance(read_json(text), list):
            raise InvalidAnswer("expected a JSON array of objects")
        return JsonEqual(self.document()).verify(text)

    def audit(self, answer: str) -> bool:
        """Compare the documents as sorted texts."""
        return json_key(read_json(_unquoted(answer)), True) == json_key(self.document(), True)

    def difficulty(self) -> float:
        """The number of facts, each once more where it is compared or depends on a condition."""
        cells = [(field, cell) for row in self.rows for field, cell in zip(self.fields, row)]
        return float(
            sum(1 + (c.reference is not None) + (f.condition is not None) for f, c in cells)
        )

    def simple_documents(self) -> Mapping[str, list[Any]]:
        """What players write who do not follow one of the rules."""
        free = tuple(field._replace(condition=None) for field in self.fields)
        stated = [
            [cell if cell.fact or field.type == "maybe" else Cell(_filler(field)) for field, cell in
             zip(self.fields, row)]
            for row in self.rows
        ]  # fmt: skip
        flat = tuple(field._replace(path=()) for field in self.fields)
        documents = {"all properties": document(free, stated)} if self.has_conditions else {}
        if self.has_objects:
            documents["no nested objects"] = document(flat, self.rows)
        units = tuple(
            field._replace(options=field.options[::-1]) if field.type == "measure" else field
            for field in self.fields
        )
        renamed = json.dumps(document(units, self.rows))
        for field, other in zip(self.fields, units):
            renamed = renamed.replace(f'"{name(other)}"', f'"{name(field)}"')
        if units != self.fields:
            documents["units of the text"] = json.loads(renamed)
        return documents

    @property
    def has_conditions(self) -> bool:
        """Whether a property depends on another one."""
        return any(field.condition for field in self.fields)

    @property
    def has_objects(self) -> bool:
        """Whether properties are objects."""
        return any(field.path for field in self.fields)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who do not follow one of the rules, and a document with the least values."""
        documents = dict(self.simple_documents())
        least = [[Cell(_filler(field)) for field in self.fields] for _ in self.rows]
        documents["least values"] = document(self.fields, least)
        return {player: json.dumps(each) for player, each in documents.items()}

    def shortcuts(self) -> list[str]:
        return ["[]", json.dumps([{}] * len(self.rows))]


def _unquoted(answer: str) -> str:
    """The document of an answer, without a code fence or quotation marks around it."""
    text = fenced(answer).strip()
    return text[1:-1] if text.startswith('"[') and text.endswith(']"') else text


def _filler(field: Field) -> tuple[int | str, ...]:
    """The least fact that a field may have."""
    return {
        "measure": (0,),
        "date": (735_000,),
        "time": (0,),
        "code": ("AA", 1),
        "choice": (next(iter(CHOICES.get(field.key, {"": ""}))),),
        "flag": (0,),
    }.get(field.type, ())
