r"""The layout of answers with several parts: lists, lines, labelled values and grids.

Models write the same values as a JSON array, as numbered or bulleted lines, in bold, in a Markdown
table or as a LaTeX matrix. The functions of this module take the layout off and return the parts as
texts, which a reader then reads one by one. They are linear in the length of the text. The rules:

- Markers at the start of lines go if every line has one: bullets, numbers that count from 1 in
  steps of 1 (``1.``, ``2)``, ``(3)``), and labels that count likewise (``Step 1:``, ``Row 2:``).
- Bold (``**x**``), italics (``*x*``), code (`````x`````) and quotes go if they enclose a part.
- One comma, semicolon or full stop at the end of a line goes.
- Text that is a JSON array is read as one. Numbers keep the digits that are written.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from palaestra.verifiers.replies import enclosed

ARROW = re.compile(
    r"\\(?:to|(?:long)?(?:left)?rightarrow|mapsto)(?![a-z])|<?[-=]{1,4}>"
    r"|[\u2192\u2194\u21a6\u21d2\u21d4\u27f6]"
)
"""An arrow in plain characters, in Unicode or in LaTeX."""

_BULLET = re.compile(r"[-*+\u2022\u2013][ \t]+(?=\S)")
_LABELS = (
    "step|row|r|move|line|turn|board|position|crossing|action|edit|job|list|output|walk|call|value|"
    "part|path"
)
_COUNT = re.compile(
    rf"(?:\*\*)?(?:{_LABELS})?[ \t]*[(\[]?(\d{{1,4}})[ \t]*[.):\]]{{1,2}}"
    r"(?:\*\*)?:?[ \t]+(?=\S)",
    re.IGNORECASE | re.ASCII,
)
_NAMED_COUNT = re.compile(
    rf"(?:\*\*)?(?:{_LABELS})[ \t]*(\d{{1,4}})[ \t]*(?:[.):]|\*\*:|:\*\*)[ \t]*(?=\S)",
    re.IGNORECASE | re.ASCII,
)
_BEHIND_INPUT = re.compile(r"[`* ]*+(?:[-=]{1,2}>|\u2192|==?|:|returns\b|gives\b)")
_BORDER = frozenset("-=+:| \t" + "".join(map(chr, range(0x2500, 0x2580))))
_RULES = ("---", "===", "\u2500", "\u2550")
_MATRIX = re.compile(
    r"(?:\\left[\[(|]|[\[(])?+\s*+\\begin\{([bpvBV]?matrix|array)\}(?:\{[lcr| ]{0,99}\})?"
    r"(.*)\\end\{\1\}\s*+(?:\\right[\])|]|[\])])?",
    re.DOTALL,
)
_ENCLOSING = (
    ("**", "**"),
    ("__", "__"),
    ("*", "*"),
    ("`", "`"),
    ('"', '"'),
    ("'", "'"),
    ("\u201c", "\u201d"),
)
_OPENING = frozenset(left[0] for left, _ in _ENCLOSING)


def bare(part: str) -> str:
    r"""A part of an answer without what encloses it: bold, italics, code, quotes.

    >>> bare(" **`x`** "), bare("'a' or 'b'")
    ('x', "'a' or 'b'")
    """
    part = part.strip()
    for _ in range(4):
        if part[:1] not in _OPENING:
            return part
        for left, right in _ENCLOSING:
            inner = enclosed(part, left, right)
            if inner:
                part = inner
                break
        else:
            return part
    return part


def json_array(text: str) -> list[Any] | None:
    """A JSON array with numbers as they are written, or None for any other text.

    >>> json_array('[[1, 2.50], ["a"]]'), json_array("[a]")
    ([['1', '2.50'], ['a']], None)
    """
    body = text.strip()
    if not (body.startswith("[") and body.endswith("]")):
        return None
    try:
        value = json.loads(body, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list) else None


def lines(text: str) -> list[str]:
    r"""The lines of an answer without markers, final punctuation and what encloses them.

    >>> lines("1. up;\n2. **down**\n")
    ['up', 'down']
    >>> lines('["up", "down"]'), lines("Step 1: up\nStep 2: down.")
    (['up', 'down'], ['up', 'down'])
    """
    if array := json_array(text):
        flat = [joined_row(part, ", ") for part in array]
        if all(part is not None for part in flat):
            return [part.strip() for part in flat if part is not None]
    rows = [row for row in (line.strip() for line in text.splitlines()) if row]
    if len(rows) == 1 and ";" in rows[0]:
        rows = [row.strip() for row in rows[0].split(";") if row.strip()]
    return [bare(ended(row)) for row in unmarked(rows)]


def code_lines(text: str) -> list[str]:
    r"""The lines of an answer in code without numbers, bullets and backticks; quotes stay.

    A dash before a digit stays as well, since it may be a minus sign.

    >>> code_lines("1. `'a'`\n2. `(1, 2)`"), code_lines("- 'a'\n- [b]"), code_lines("- 1\n- 2")
    (["'a'", '(1, 2)'], ["'a'", '[b]'], ['- 1', '- 2'])
    """
    rows = [row for row in (line.strip() for line in text.splitlines()) if row]
    if not any(row[1:].lstrip()[:1].isdigit() for row in rows):
        rows = unbulleted(rows)
    rows = uncounted(rows)
    return [enclosed(row, "`", "`") or enclosed(row, "**", "**") or row for row in rows]


def parts(text: str) -> list[str]:
    r"""The parts of a list that has one or several of them on each line, without their layout.

    >>> parts("1. a up, b down\n2. c up."), parts('["a", "b"]')
    (['a up', 'b down', 'c up'], ['a', 'b'])
    """
    split = (part for line in lines(text) for part in re.split(r"[,;]", line))
    return [bare(part) for part in split if part.strip()]


def ended(line: str) -> str:
    """A line without one comma, semicolon or full stop at its end.

    >>> ended("a, b;"), ended("1...")
    ('a, b', '1...')
    """
    if line[-1:] in {",", ";", "."} and line[-2:-1] not in {",", ";", "."}:
        return line[:-1].rstrip()
    return line


def unmarked(rows: Sequence[str]) -> list[str]:
    """Lines without the bullets or numbers that all of them have.

    >>> unmarked(["- 1. a", "- 2. b"]), unmarked(["1. a", "3. b"]), unmarked(["2. a"])
    (['a', 'b'], ['1. a', '3. b'], ['2. a'])
    """
    return uncounted(unbulleted(rows) if len(rows) > 1 else rows)


def unbulleted(rows: Sequence[str]) -> list[str]:
    """Lines without their bullets, if all of them have one.

    >>> unbulleted(["- a", "* b"]), unbulleted(["- a", "b"])
    (['a', 'b'], ['- a', 'b'])
    """
    if all(map(_BULLET.match, rows)):
        return [_BULLET.sub("", row, count=1) for row in rows]
    return list(rows)


def uncounted(rows: Sequence[str]) -> list[str]:
    """Lines without the numbers, if these count all of them from 1.

    >>> uncounted(["Row 1: a b", "Row 2: c d"]), uncounted(["1) a"]), uncounted(["1 a", "2 b"])
    (['a b', 'c d'], ['a'], ['1 a', '2 b'])
    """
    heads = [_COUNT.match(row) or _NAMED_COUNT.match(row) for row in rows]
    if all(head and int(head[1]) == n for n, head in enumerate(heads, 1)):
        return [row[head.end() :] for row, head in zip(rows, heads) if head]
    return list(rows)


def without_inputs(text: str, inputs: Sequence[str]) -> str:
    r"""An answer of one line for each input, without the inputs where every line repeats its own.

    An arrow, an equals sign, a colon or "returns" stands between an input and the rest.

    >>> without_inputs("1. [1,2] -> [3]\n2. f(4) = 5", ["[1, 2]", "f(4)"])
    '[3]\n5'
    >>> without_inputs("f(4) = 5\n5", ["f(4)", "f(5)"])
    'f(4) = 5\n5'
    """
    rows = [row for row in (line.strip() for line in text.splitlines()) if row]
    if len(rows) == len(inputs):
        for candidates in (rows, unmarked(rows)):
            results = [_behind(row, each) for row, each in zip(candidates, inputs)]
            if all(results):
                return "\n".join(results)
    return text


def _behind(row: str, before: str) -> str:
    """What stands behind a text and an arrow in a row; "" for any other row."""
    rest = row.lstrip("`* ")
    for sign in before:
        if not sign.isspace():
            rest = rest.lstrip()
            if rest[:1] != sign:
                return ""
            rest = rest[1:]
    joint = _BEHIND_INPUT.match(rest)
    return rest[joint.end() :].strip() if joint else ""


def grid_rows(text: str, rows: int | None = None) -> list[str]:
    r"""The rows of a grid as texts, without labels, border and the layout of a table or matrix.

    A grid on one line has its rows separated by semicolons or slashes. ``rows`` is the expected
    number of rows: lines that look like a border are left out only if there are more lines.

    >>> grid_rows("Row 1: 1 2\nRow 2: 3 4", 2), grid_rows("[[1, 2], [3, 4]]", 2)
    (['1 2', '3 4'], ['1 2', '3 4'])
    >>> grid_rows("| 1 | 2 |\n|---|---|\n| 3 | 4 |", 2)
    ['1 | 2', '3 | 4']
    >>> grid_rows(r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", 2), grid_rows("1 2; 3 4", 2)
    (['1 2', '3 4'], ['1 2', '3 4'])
    """
    array = json_array(text)
    if array and rows is None and all(isinstance(part, str) and " " not in part for part in array):
        return [" ".join(array)]  # a single row
    if array is not None and rows in {None, len(array)}:
        flat = [joined_row(part) for part in array]
        if all(row is not None for row in flat):
            return [row for row in flat if row is not None]
    if matrix := _MATRIX.fullmatch(text.strip()):
        text = matrix[2].replace("\\\\", "\n").replace("&", " ")
        text = text.replace("\\hline", " ")
    result = [row for row in (line.strip() for line in text.splitlines()) if row]
    if len(result) == 1 and rows != 1:
        one = result[0].replace("],", "];").replace("],", "];")
        result = [row.strip() for row in one.split(";") if row.strip()]
    if rows is None or len(result) > rows:
        result = [row for row in result if not _is_border(row)]
    result = [
        row.removesuffix(",").strip("|\u2502\u2551 ") if row[0] in "|\u2502\u2551" else row
        for row in result
    ]
    return [bare(_ended_row(row)) for row in uncounted(result)]


def _is_border(row: str) -> bool:
    return _BORDER.issuperset(row) and any(rule in row for rule in _RULES)


def _ended_row(row: str) -> str:
    """A row without punctuation behind its last cell, where that is a letter or a digit."""
    return ended(row) if row[-2:-1].isalnum() else row


def joined_row(part: Any, separator: str = " ") -> str | None:
    """A part of a JSON array as text: a string, or strings in an array."""
    if isinstance(part, str):
        return part
    if isinstance(part, list) and all(isinstance(cell, str) for cell in part):
        return separator.join(part)
    return None


def list_text(text: str) -> str:
    r"""A list with its parts separated by commas, whatever its layout.

    >>> list_text("a, b and c"), list_text('["a", "b"]'), list_text("1. a\n2. b.")
    ('a, b, c', 'a, b', 'a, b')
    """
    if array := json_array(text):
        flat = [joined_row(part, ", ") for part in array]
        if all(part is not None for part in flat):
            return ", ".join(part for part in flat if part is not None)
    body = text.replace("\\{", "{").replace("\\}", "}") if "\\" in text else text
    rows = [row for row in (line.strip() for line in body.splitlines()) if row]
    if len(rows) > 1:
        rows = [bare(ended(row)) for row in unmarked(rows)]
    body = ", ".join(rows)
    if " and " in body:
        head, _, last = body.rpartition(" and ")
        body = f"{head.rstrip().removesuffix(',')}, {last}"
    if any(sign in body for sign in "*`\"'\u201c"):
        body = ", ".join(bare(part) for part in re.split(r"[,;]", body))
    return body
