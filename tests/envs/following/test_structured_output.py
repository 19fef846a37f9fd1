"""Tests of following/structured_output: documents are valid, and values are those of the text."""

import json
import re
from datetime import datetime
from fractions import Fraction

import pytest

from palaestra.address import Address
from palaestra.envs.following.structured_output import StructuredOutput
from palaestra.generators.following.structured_output import Cell, Field, schema
from palaestra.verifiers.json.documents import JsonSchema

NAME = "following/structured_output"
UNITS = {
    ("g", "kg"): 1000, ("mm", "cm"): 10, ("mm", "m"): 1000, ("cm", "m"): 100, ("ml", "l"): 1000,
    ("cents", "euros"): 100, ("minutes", "hours"): 60,
}  # fmt: skip


def parts(text):
    """The prose of each item, the schema and the document of a prompt."""
    _, prose, written, *_ = text.split("\n\n")
    return prose.splitlines(), json.loads(written)


@pytest.mark.parametrize("level", range(7))
def test_documents_are_valid_and_simple_players_write_others(level):
    for seed in range(6):
        task = Address.of(NAME, seed, level).task()
        _, written = parts(task.prompt())
        assert JsonSchema(written)(task.answer()).correct
        everything = task.simple_documents().get("all properties")
        if everything is not None:
            assert not JsonSchema(written)(json.dumps(everything)).correct


@pytest.mark.parametrize("seed", range(20))
def test_values_are_those_of_the_text(seed):
    """Amounts, dates and times are read from the prose again."""
    task = Address.of(NAME, seed, 1).task()
    (prose,), _ = parts(task.prompt())
    document = json.loads(task.answer())[0]
    for key, value in document.items():
        if match := re.fullmatch(r"(weight|length|volume|price|deposit|repair)_(\w+)", key):
            unit = match[2]
            verb = {"weight": "weighs", "length": "is", "volume": "holds", "price": "costs"}.get(
                match[1], "takes a deposit of" if match[1] == "deposit" else "takes"
            )
            number, other = re.search(rf"{verb} ([\d.]+) (\w+)", prose).groups()
            factor = UNITS.get((unit, other)) or Fraction(1, UNITS.get((other, unit), 1))
            assert Fraction(str(value)) == Fraction(number) * factor
        elif key.endswith("_date"):
            verb = key.removesuffix("_date")
            day = datetime.strptime(
                re.search(rf"{verb} on (\d+ \w+ \d{{4}})", prose)[1], "%d %B %Y"
            )
            forms = (f"{day:%Y-%m-%d}", f"{day:%Y%m%d}")
            assert value in (*forms, {"year": day.year, "month": day.month, "day": day.day})
        elif key.endswith("_time"):
            noun = key.removesuffix("_time")
            clock = re.search(rf"{noun} at (\d+:\d\d [ap]m)", prose)[1]
            moment = datetime.strptime(clock, "%I:%M %p")
            assert value in (f"{moment:%H:%M}", moment.hour * 60 + moment.minute)


FIELDS = (
    Field("flag", "insured", (), ()),
    Field("measure", "price", ("cents", "euros"), (), ("insured", "true")),
    Field("code", "shelf", (), ("details",)),
)
ROWS = (
    (Cell((1,)), Cell((1250,)), Cell(("KX", 42))),
    (Cell((0,)), Cell((1450,), 0), Cell(("BD", 1999))),
)
TASK = StructuredOutput(fields=FIELDS, rows=ROWS, order=((0, 1, 2), (2, 1, 0)))


def test_prose():
    prose, written = parts(TASK.prompt())
    first, second = prose
    assert first == (
        "Item 1 is insured. It costs 12.5 euros. It has the shelf number 42 of the series kx."
    )
    assert second == (
        "Item 2 has the shelf number 1999 of the series bd. It costs 2 euros more than item 1. It "
        "has no insurance."
    )
    assert written == schema(FIELDS)


def test_scores():
    first = '{"price_cents": 1250, "insured": true, "details": {"shelf_code": "KX-0042"}}'
    second = '{"insured": false, "details": {"shelf_code": "BD-1999"}}'
    assert TASK.verify(f"[{first}, {second}]").correct
    assert TASK.verify(f"```json\n[{first},\n {second}]\n```").correct
    assert TASK.verify(f"[{second}, {first}]").reason == "$[0] differs"
    extra = second.replace("{", '{"price_cents": 1450, ', 1)
    assert TASK.verify(f"[{first}, {extra}]").reason == "$[1] differs"
    assert TASK.verify(f"[{first.replace('1250', '12.5')}, {second}]").value == 0
    with pytest.raises(ValueError, match="array of objects"):
        TASK.verify(first)
