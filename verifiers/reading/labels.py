"""Labelled values, read from answers in any layout.

The rules:

- A label and its value have ``:``, ``=`` or an arrow between them. For known labels, "is" and a
  dash between spaces will do as well, unless a digit follows the dash, which may be a minus sign.
- They stand on a line each, on one line with commas or semicolons, in a JSON object or a Python
  dictionary, or in a Markdown table. On one line, values may have names of their own that are no
  known labels (``centroid: x = 1, y = 2``).
- Bullets, numbers that count the lines, bold, code and quotes go. For labels that are numbers,
  ``1.``, ``1)`` and ``(1)`` are labels.
- A noun before a label goes (``node A``, ``claim 2``), unless it is part of a known label.
- A first line that ends with a colon and is no known label is a heading, and goes; so does one
  that only says that values follow (``## Final answer``).
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import Any

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.reading.layout import bare, ended, joined_row, unbulleted, unmarked

_ENDS = re.compile(r":|=(?!=)")
_ARROW = re.compile(r"\s[-=]{1,2}>|\s?\u2192|\s[\u2013\u2014]\s")
_COPULA = re.compile(r"[ \t](?:is|[-\u2013\u2014](?=[ \t]+\D))[ \t]+")
_NUMBERED = re.compile(r"(?:\*\*)?[(\[]?(\d{1,4})[ \t]*(?:\.[ \t]|[)\]])(?:\*\*)?:?", re.ASCII)
_PLAIN = re.compile(r"(?:\w[\w ]{0,99}: ?\w[\w ]{0,99}\n)++\w[\w ]{0,99}: ?\w[\w ]{0,99}", re.ASCII)
_RULE = frozenset("|-: \t")
_NEGATED = re.compile(r"[\s*]*-(?=\w)")
_NOUN = re.compile(
    r"(?:node|vertex|claim|statement|question|row|line|case|walk|person|item|number|event|task|"
    r"variable|letter|object|region|puzzle|word|point)[ \t]+#?(?=\w)"
)
_HEADING = re.compile(
    r"(?:#{1,6} )?(?:the |my )?(?:final )?"
    r"(?:answers?|values?|solutions?|results?|assignments?|table)(?: is| are)?\.?",
    re.IGNORECASE,
)
_MARKS = " \t*`\"'-\u201c\u201d"
_EACH_ONCE = "expected exactly one line 'name: value' for each name"
_NOTHING: Mapping[str, str] = {}


def labelled(text: str, names: Iterable[str] = ()) -> list[tuple[str, str]]:
    r"""Labels with their values, in the order of the answer.

    ``names`` are the known labels. A line without a label has an empty label, which no name
    matches.

    >>> labelled("**a**: 1.\nb = 2"), labelled("a = 1, b = 2", "ab"), labelled('{"a": 1}')
    ([('a', '1'), ('b', '2')], [('a', '1'), ('b', '2')], [('a', '1')])
    >>> labelled("1. x\n2) y", "12"), labelled("1. a: x\n2. b: y", "ab")
    ([('1', 'x'), ('2', 'y')], [('a', 'x'), ('b', 'y')])
    >>> labelled("| name | value |\n|---|---|\n| a | x |", "a"), labelled("a is x\nb - y", "ab")
    ([('a', 'x')], [('a', 'x'), ('b', 'y')])
    """
    names = list(names)
    text = text.strip()
    known = {name.casefold() for name in names}
    if _PLAIN.fullmatch(text):
        halves = (line.split(":") for line in text.splitlines())
        pairs = [(name.strip(), value.strip()) for name, value in halves]
        if not known or all(name.casefold() in known for name, _ in pairs):
            return pairs
    if (members := _json_object(text)) is not None:
        return members
    if is_object := text.startswith("{") and text.endswith("}"):
        text = text[1:-1].strip()
    rows = [row for row in (line.strip() for line in text.splitlines()) if row]
    if len(rows) > 1 and (table := _table(rows, known)):
        return table
    if len(rows) > 1 and _is_heading(rows[0], known):
        del rows[0]
    if len(rows) == 1:
        rows = _split(rows[0], frozenset() if is_object else known)
    numbers = bool(names) and all(name.isdecimal() for name in names)
    rows = unbulleted(rows) if numbers else unmarked(unbulleted(rows))
    return [_label(row, numbers, known) for row in rows]


def pairs(
    text: str,
    names: Collection[str],
    values: Collection[str] | None = None,
    variables: bool = False,
    spellings: Mapping[str, str] = _NOTHING,
) -> dict[str, str]:
    r"""Read lines of the form ``name: value``, one for each name, in any order and case.

    Each value must be one of ``values``, in any case; without ``values``, any text is a value. If
    the names are ``variables``, a dash directly before a name is a minus sign and not a bullet.
    ``spellings`` are other labels, in lower case, with the names that they stand for.

    >>> pairs("bo : Knave\nADA = knight", names=["Ada", "Bo"], values=["knight", "knave"])
    {'Ada': 'knight', 'Bo': 'knave'}
    >>> pairs("1. true\n**2**: False.", ["1", "2"], ["true", "false"])
    {'1': 'true', '2': 'false'}
    >>> pairs("node A: 1\ncenter: B", ["A", "centre"], spellings={"center": "centre"})
    {'A': '1', 'centre': 'B'}
    """
    known_names = {name.casefold(): name for name in names}
    by_name: dict[str, str] = {}
    for name, value in labelled(text, [*names, *spellings]):
        key = _known(name.lstrip("-* \t").casefold(), known_names, spellings)
        if key in by_name or (variables and _NEGATED.match(name)):
            raise InvalidAnswer(_EACH_ONCE)
        by_name[key] = value
    if by_name.keys() != known_names.keys():
        raise InvalidAnswer(_EACH_ONCE)
    if values is not None:
        known_values = {value.casefold(): value for value in values}
        if any(value.casefold() not in known_values for value in by_name.values()):
            raise InvalidAnswer(f"expected each value to be one of {', '.join(values)}")
        by_name = {key: known_values[value.casefold()] for key, value in by_name.items()}
    return {name: by_name[key] for key, name in known_names.items()}


def _known(label: str, known: Collection[str], spellings: Mapping[str, str]) -> str:
    """A label in the spelling of the known names, and without a noun before it."""
    if label in known:
        return label
    label = spellings.get(label, label).casefold()
    noun = _NOUN.match(label)
    return label[noun.end() :] if noun and label[noun.end() :] in known else label


def numbered(values: Iterable[object]) -> str:
    r"""Write values as lines that are numbered from 1.

    >>> numbered(["a", 7])
    '1: a\n2: 7'
    """
    return "\n".join(f"{number}: {value}" for number, value in enumerate(values, 1))


def line_numbers(number: int) -> list[str]:
    """Return the labels of ``number`` lines that are numbered from 1.

    >>> line_numbers(3)
    ['1', '2', '3']
    """
    return [str(n) for n in range(1, number + 1)]


def matched(values: Mapping[Any, Any], right: Mapping[Any, Any]) -> Score:
    """Score 1 if all values are right, otherwise 0; the reason says how many are wrong, not which.

    >>> matched({"a": 1, "b": 2}, {"a": 1, "b": 3}).reason
    '1 of the 2 values is wrong'
    """
    wrong = sum(values[name] != value for name, value in right.items())
    parts = {"progress": 1 - wrong / len(right)}
    if not wrong:
        return Score(1, parts=parts)
    are = "is" if wrong == 1 else "are"
    return Score(0, f"{wrong} of the {len(right)} values {are} wrong", parts)


def _is_heading(row: str, known: Set[str]) -> bool:
    """Whether a row is a sentence such as "The values are:" before the values."""
    row = bare(row)
    if row.endswith(":"):
        return bare(row[:-1]).casefold() not in known
    return _HEADING.fullmatch(row) is not None and row.casefold() not in known


def _table(rows: Sequence[str], known: Set[str]) -> list[tuple[str, str]]:
    """The rows of a Markdown table of two columns; none for other rows.

    The row above the rule is left out unless its label is known. Bars at both ends of the rows may
    be missing where there is a rule, or where all labels are known.
    """
    if not all("|" in row for row in rows):
        return []
    cells = [
        [bare(cell) for cell in row.removeprefix("|").removesuffix("|").split("|")] for row in rows
    ]
    if has_rule := len(rows) > 2 and {"-", "|"} <= set(rows[1]) and _RULE.issuperset(rows[1]):
        del cells[1]
        if cells[0][0].casefold() not in known:
            del cells[0]
    if any(len(row) != 2 for row in cells):
        return []
    has_ends = all(row.startswith("|") and row.endswith("|") for row in rows)
    if not (has_ends or has_rule or all(name.casefold() in known for name, _ in cells)):
        return []
    return [(name, value) for name, value in cells]


def _label(row: str, numbers: bool, known: Set[str]) -> tuple[str, str]:
    row = bare(ended(row))
    if numbers and (head := _NUMBERED.match(row)):
        return head[1], bare(row[head.end() :])
    end, arrow = _ENDS.search(row), _ARROW.search(row)
    if arrow and (end is None or bare(row[: arrow.start()]).casefold() in known):
        end = arrow
    if (copula := _COPULA.search(row)) and bare(row[: copula.start()]).casefold() in known:
        end = copula
    if end is None:
        return "", row
    name, value = row[: end.start()], row[end.end() :]
    if name.count("**") == 1 and value.lstrip().startswith("**"):
        name, value = name.replace("**", ""), value.lstrip()[2:]  # the colon is bold as well
    return bare(name.strip()), bare(value)


def _split(row: str, known: Set[str]) -> list[str]:
    """Labelled values of one line, each by itself; a part without a label continues a value.

    >>> _split("a: 1, 2; b: 3", set()), _split("a: x = 1, y = 2, b: x = 3", {"a", "b"})
    (['a: 1, 2', 'b: 3'], ['a: x = 1, y = 2', 'b: x = 3'])
    """
    parts = re.split(r"(?<=[,;])", row)
    labels = [_label_of(part) for part in parts]
    if any(label in known for label in labels):
        labels = [label if label in known else "" for label in labels]
    rows: list[list[str]] = []
    for part, label in zip(parts, labels):
        if rows and not label:
            rows[-1].append(part)
        else:
            rows.append([part])
    return [ended("".join(parts).strip()) for parts in rows]


def _label_of(part: str) -> str:
    """The label of a part in lower case, without a noun and marks before it; "" without one."""
    ends = [end.start() for end in (_ENDS.search(part), _ARROW.search(part)) if end]
    if not ends:
        return ""
    label = part[: min(ends)].strip(_MARKS).casefold()
    return _NOUN.sub("", label, count=1) or label


def _json_object(text: str) -> list[tuple[str, str]] | None:
    if not (text.startswith("{") and text.endswith("}")):
        return None
    try:
        value = json.loads(
            text, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=tuple
        )
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, tuple):
        return None
    pairs = [(name.strip(), _member(each)) for name, each in value]
    if any(each is None for _, each in pairs):
        return None
    return [(name, each.strip()) for name, each in pairs if each is not None]


def _member(value: Any) -> str | None:
    """A value of a JSON object as text; the rows of an array of arrays stand in brackets."""
    if isinstance(value, list) and value and all(isinstance(row, list) for row in value):
        rows = [joined_row(row, ", ") for row in value]
        return None if None in rows else ", ".join(f"[{row}]" for row in rows)
    return joined_row(value, ", ")
