"""Reading rows of numbers and lines of names with values, in the ways that people write them."""

import re
from collections.abc import Collection

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import plain
from palaestra.verifiers.replies import unwrapped

_DRESS = str.maketrans("", "", "*`$\"'")
_BULLET = re.compile(r"[ \t]*(?:[-*\u2022][ \t]+)?")
_LABEL = re.compile(
    r"[ \t]*(?:([A-Za-z][A-Za-z \t]{0,40})#?(\d{0,4})[ \t]*[:=]"
    r"|\(?(\d{1,4})[ \t]*[.):](?=[ \t]|$))",
    re.ASCII,
)
_GROUP = re.compile(r"[(\[{]([^()\[\]{}]*)[)\]}]")
_NESTED = re.compile(r"[(\[{]\s*[(\[{]")
_WORDS = re.compile(r"\b(?:and|items?|numbers?|columns?|rows?)\b|[&#]", re.IGNORECASE)
_ASSIGNED = re.compile(
    r"(?:row[ \t]*)?(\d{1,4})[ \t]*(?:->|=>|\u2192|[:=,-])[ \t]*(?:column[ \t]*)?(\d{1,4})",
    re.ASCII | re.IGNORECASE,
)


def numbers(
    text: str, length: int | None = None, what: str = "a list of whole numbers"
) -> list[int]:
    r"""Whole numbers in a row, also as bullets, or with "and" or "item" between them.

    >>> numbers("items 2 and 3"), numbers("- #2\n- #3")
    ([2, 3], [2, 3])
    """
    lines = plain(unwrapped(text)).splitlines()
    plain_text = _WORDS.sub(" ", "\n".join(_BULLET.sub("", line, count=1) for line in lines))
    return integers(plain_text, length, what)


def assigned(text: str, rows: int) -> list[int]:
    r"""A number for each row, in their order or each behind that of its row, as in ``2 -> 1``.

    >>> assigned("2, 1", 2), assigned("row 2: 1\nrow 1: 2", 2), assigned("(1, 2), (2, 1)", 2)
    ([2, 1], [2, 1], [2, 1])
    """
    plain_text = plain(unwrapped(text)).translate(_DRESS)
    groups = _GROUP.findall(plain_text) if len(_GROUP.findall(plain_text)) > 1 else []
    inner = plain_text.strip("[](){} ")
    parts = groups or [part for part in re.split(r"[\n;,]", inner) if part.strip()]
    pairs = [_ASSIGNED.fullmatch(part.strip()) for part in parts]
    values = {int(pair[1]): int(pair[2]) for pair in pairs if pair}
    if pairs and all(pairs) and len(values) == len(pairs):
        if sorted(values) != list(range(1, rows + 1)):
            raise InvalidAnswer("not a number for each row")
        return [values[row] for row in range(1, rows + 1)]
    return numbers(text, rows, "a list of columns")


def number_rows(text: str, ordered: bool = False) -> list[list[int]]:
    r"""Rows of whole numbers: on lines of their own, with labels or not, or each in brackets.

    On one line, semicolons or bars may separate the rows. Where they are ``ordered``, labels that
    have numbers count from 1.

    >>> number_rows("bin 1: 1, 4\nbin 2: 2"), number_rows("[[1, 4], [2]]"), number_rows("1 4; 2")
    ([[1, 4], [2]], [[1, 4], [2]], [[1, 4], [2]])
    """
    plain_text = plain(unwrapped(text)).translate(_DRESS)
    lines = [_BULLET.sub("", line, count=1) for line in plain_text.splitlines() if line.strip()]
    heads = [_LABEL.match(line) for line in lines]
    labels = [head and (head[2] or head[3]) for head in heads]
    counted = labels == [str(number) for number in range(1, len(lines) + 1)]
    named = [head is not None and (bool(head[1]) or counted) for head in heads]
    if ordered and not counted and any(label and name for label, name in zip(labels, named)):
        raise InvalidAnswer("the rows are not in order")
    bare = [line[h.end() :] if h and name else line for line, h, name in zip(lines, heads, named)]
    rows = bare if len(bare) > 1 and not _NESTED.match(plain_text) else _on_one_line(" ".join(bare))
    told_apart = [_WORDS.sub(" ", row.strip(" \t.,;|")) for row in rows]
    return [integers(row) for row in told_apart if row.strip()]


def _on_one_line(text: str) -> list[str]:
    """The texts of rows that stand on one line."""
    text = text.strip(" .")
    if _NESTED.match(text):
        text = text[1:-1]
    groups = _GROUP.findall(text)
    if len(groups) > 1:
        if _GROUP.sub("", text).strip(" ,;"):
            raise InvalidAnswer("not rows of whole numbers")
        return groups
    return [part for part in re.split(r"[;|]", text) if part.strip()]


def value_lines(text: str, names: Collection[str]) -> str:
    r"""``name: value`` lines, made of what people write in their place.

    >>> value_lines("{A: red, B: dark blue}", "AB"), value_lines("1. A -> red\n2. B is blue", "AB")
    ('A: red\nB: dark blue', 'A: red\nB: blue')
    """
    kept = {sign for name in names for sign in name}
    dress = {sign: None for sign in _DRESS if chr(sign) not in kept}
    plain_text = plain(unwrapped(text)).translate(dress).strip()
    if plain_text[:1] + plain_text[-1:] in ("{}", "[]") and not _NESTED.match(plain_text):
        plain_text = plain_text[1:-1]
    called = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    verb = r"\s*(?::|=|->|=>|\u2192|\bis\b)"
    parts = re.split(rf"\n|[,;](?=\s*(?:{called}){verb})", plain_text, flags=re.IGNORECASE)
    lead = r"\s*(?:[-\u2022]\s+|\d{1,4}[.)]\s+)?(?:node\s+|vertex\s+)?"
    start = re.compile(rf"{lead}({called}){verb}", re.IGNORECASE)
    lines = []
    for part in parts:
        head = start.match(part)
        lines.append(f"{head[1]}: {part[head.end() :].strip(' .,;')}" if head else part.strip())
    return "\n".join(line for line in lines if line)
