"""Forms in which models write cells of a grid that a prompt calls r1c2, and pairs of cells."""

import json
import re
from collections.abc import Iterator

NAME = re.compile(r"\br(\d{1,3})c(\d{1,3})\b", re.ASCII)
_NUMBERS = re.compile(r"(\d{1,3}) (\d{1,3})", re.ASCII)
PAIR = re.compile(r"(r\d{1,3}c\d{1,3})(?:-| -> )(r\d{1,3}c\d{1,3})", re.ASCII)


def one(name: str) -> Iterator[tuple[str, str]]:
    """Forms of one cell."""
    row, column = numbers(name)
    yield "capitals", name.upper()
    yield "row and column", f"row {row} column {column}"
    yield "Row, Column", f"Row {row}, Column {column}"
    yield "R, C", f"R{row}, C{column}"
    yield "round brackets", f"({row}, {column})"
    yield "square brackets", f"[{row}, {column}]"


def numbers(name: str) -> tuple[int, int]:
    """The row and the column in the name of a cell."""
    named = NAME.fullmatch(name)
    assert named, name
    return int(named[1]), int(named[2])


def inside(answer: str) -> Iterator[tuple[str, str]]:
    """Forms of an answer that names cells: all of them in the same form.

    A row and a column alone, such as ``1 2``, are a cell too.
    """
    if numbers := _NUMBERS.fullmatch(answer):
        answer = f"r{numbers[1]}c{numbers[2]}"
        yield "cell", answer
        yield "numbers with a comma", f"{numbers[1]}, {numbers[2]}"
    between = NAME.split(answer)[::3]
    forms = [dict(one(name[0])) for name in NAME.finditer(answer)]
    for form in forms[0] if forms else ():
        parts = zip(between[1:], (each[form] for each in forms))
        yield f"cells in {form}", between[0] + "".join(name + text for text, name in parts)


def listed(names: list[str]) -> Iterator[tuple[str, str]]:
    """Forms of a list of cells."""
    forms = [dict(one(name)) for name in names]
    for form in forms[0]:
        yield form, ", ".join(each[form] for each in forms)
        yield f"{form}, lines", "\n".join(each[form] for each in forms)
        yield (
            f"{form}, numbered",
            "\n".join(f"{n}. {each[form]}" for n, each in enumerate(forms, 1)),
        )
        yield f"{form}, semicolons", "; ".join(each[form] for each in forms)
    yield "and", " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    yield "bullets", "\n".join(f"- {name}" for name in names)
    yield "bold", ", ".join(f"**{name}**" for name in names)
    yield "JSON", json.dumps(names)
    yield "JSON pairs", json.dumps([numbers(name) for name in names])
    yield "JSON objects", json.dumps([dict(zip(("row", "column"), numbers(n))) for n in names])
    yield "pairs of numbers on lines", "\n".join("{} {}".format(*numbers(name)) for name in names)
    yield "tuples", str([numbers(name) for name in names])


def paired(names: list[str]) -> Iterator[tuple[str, str]]:
    """Forms of a list of pairs of cells, one pair to a line."""
    halves = [PAIR.fullmatch(name) for name in names]
    pairs = [(half[1], half[2]) for half in halves if half]
    assert len(pairs) == len(names), names
    for joint in ("-", " - ", " to ", " -> ", "->", " \u2192 ", ", "):
        for form in ("round brackets", "row and column", "capitals"):
            ends = [tuple(dict(one(end))[form] for end in pair) for pair in pairs]
            yield f"{form} with {joint!r}", "\n".join(joint.join(pair) for pair in ends)
    yield "numbered", "\n".join(f"{n}. {a} to {b}" for n, (a, b) in enumerate(pairs, 1))
    yield "from", "\n".join(f"from {a} to {b}" for a, b in pairs)
    yield "JSON", json.dumps(names)
    if len(pairs) > 1:
        yield "JSON pairs", json.dumps(pairs)
        yield "JSON numbers", json.dumps([[numbers(a), numbers(b)] for a, b in pairs])
