"""Tables in Markdown, CSV, TSV or JSON, compared cell by cell."""

import csv
import json
import re
from dataclasses import dataclass
from fractions import Fraction
from io import StringIO

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.verifier import GoldError, Verifier

MOST_CELLS = 20_000
_RULE = frozenset(" \t:|-")
"""Characters of the line below the header of a Markdown table."""

_NUMBER = re.compile(
    r"([-+]?(?:\d{1,60}(?:,\d{3}){0,20}(?:\.\d{0,60})?|\.\d{1,60})(?:e[-+]?\d{1,3})?)(%?)"
)
_PIPE = re.compile(r"(?<!\\)\|")
"""What separates the cells of a Markdown table; a pipe in a cell has a backslash before it."""

Cells = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Table(Verifier):
    r"""Accepts a table with the cells of the gold one, the header first.

    Rows have to be in the order of the gold unless ``ordered`` is false. Cells are compared
    without regard to case and spaces, numbers by their values.

    >>> gold = Table("name,age\nAda,36\nBo,7")
    >>> gold("| Name | Age |\n|---|---|\n| Ada | 36.0 |\n| Bo | 7 |").correct
    True
    >>> gold('[{"name": "Ada", "age": 36}]').reason
    'the table has 1 rows below its header, and the right one has another number'

    Raises :class:`~palaestra.verifiers.verifier.GoldError` for a gold that is no table.
    """

    gold: str
    ordered: bool = True

    def __post_init__(self) -> None:
        try:
            rows = cells(self.gold)
        except InvalidAnswer as error:
            raise GoldError(f"the gold is no table: {error}") from None
        if len(rows) < 2:
            raise GoldError("the gold table has no rows below its header")

    def verify(self, answer: str) -> Score:
        """Compare the cells of an answer."""
        rows, gold = cells(answer), cells(self.gold)
        if len(rows[0]) != len(gold[0]):
            return Score(0.0, f"{len(rows[0])} columns are not the right number")
        if len(rows) != len(gold):
            return Score(
                0.0,
                f"the table has {len(rows) - 1} rows below its header, and the right one has "
                "another number",
            )
        normal, wanted = [list(map(_key, row)) for row in rows], [list(map(_key, r)) for r in gold]
        if not self.ordered:
            normal[1:], wanted[1:] = sorted(normal[1:], key=repr), sorted(wanted[1:], key=repr)
        for number, (row, other) in enumerate(zip(normal, wanted)):
            if row != other:
                return Score(0.0, f"row {number} is wrong" if number else "the header is wrong")
        return Score(1.0)


def cells(text: str) -> Cells:
    """The cells of a table, the header first.

    Raises :class:`~palaestra.task.InvalidAnswer` for a text that is no table, or a ragged one.
    """
    text = _unfenced(text.strip())
    if text[:1] in {"[", "{"}:
        rows = _json(text)
    elif text.startswith("|") or "\n|" in text:
        rows = _markdown(text)
    else:
        rows = _separated(text, "\t" if "\t" in text.partition("\n")[0] else ",")
    if not rows or not rows[0]:
        raise InvalidAnswer("there is no table")
    if any(len(row) != len(rows[0]) for row in rows):
        raise InvalidAnswer("the rows of the table differ in length")
    if len(rows) * len(rows[0]) > MOST_CELLS:
        raise InvalidAnswer(f"a table has at most {MOST_CELLS} cells", "limit")
    return tuple(tuple(row) for row in rows)


def _unfenced(text: str) -> str:
    """A text without the fence of the code block that it is."""
    lines = text.split("\n")
    if len(lines) < 3 or not lines[0].startswith("```") or lines[-1].strip() != "```":
        return text
    return "\n".join(lines[1:-1]).strip()


def _json(text: str) -> list[list[str]]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidAnswer("the JSON cannot be read") from None
    if not isinstance(value, list) or not value:
        raise InvalidAnswer("a table in JSON is a list of objects or of lists")
    if all(isinstance(row, dict) for row in value):
        heads = list(value[0])
        if any(set(row) != set(heads) for row in value):
            raise InvalidAnswer("the objects of the table differ in their keys")
        return [heads, *([_cell(row[head]) for head in heads] for row in value)]
    if all(isinstance(row, list) for row in value):
        return [[_cell(each) for each in row] for row in value]
    raise InvalidAnswer("a table in JSON is a list of objects or of lists")


def _cell(value: object) -> str:
    if isinstance(value, dict | list):
        raise InvalidAnswer("a cell is a text or a number")
    return "" if value is None else str(value)


def _markdown(text: str) -> list[list[str]]:
    lines = [line.strip() for line in text.splitlines() if "|" in line]
    kept = [line for n, line in enumerate(lines) if n != 1 or not _RULE.issuperset(line)]
    return [_markdown_cells(line) for line in kept]


def _markdown_cells(line: str) -> list[str]:
    """The cells of a line, whose pipes at both ends are optional."""
    parts = [cell.strip().replace("\\|", "|") for cell in _PIPE.split(line)]
    first, last = line.startswith("|"), line.endswith("|") and not line.endswith("\\|")
    return parts[first : len(parts) - last]


def _separated(text: str, delimiter: str) -> list[list[str]]:
    try:
        return [row for row in csv.reader(StringIO(text), delimiter=delimiter) if row]
    except csv.Error:
        raise InvalidAnswer("the table cannot be read") from None


def _key(cell: str) -> Fraction | str:
    """A cell as it is compared: a number by its value, any other by its words."""
    text = " ".join(cell.split()).casefold()
    number = _NUMBER.fullmatch(text)
    if number is None:
        return text
    value = Fraction(number[1].replace(",", "").replace(".e", "e").rstrip("."))
    return f"{value}%" if number[2] else value
