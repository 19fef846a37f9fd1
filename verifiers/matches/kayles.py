"""Moves of Kayles: one pin, or two next to each other, by row and column."""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import Cell, cell_pair, cells
from palaestra.verifiers.reading.values import plain

_VERB = re.compile(
    r"\b(?:i (?=knock|hit|remove|take)|(?:knock|hit|remove|take)s?(?: (?:down|over|out|off))?\b)"
    r"|\bpins?\b(?= *[r(\[])",
    re.IGNORECASE,
)
_ROW = re.compile(
    r"row (\d{1,3})[:,]? (?:pins?|columns?) (\d{1,3})(?:(?: and |, ?|-| ?& ?| )(\d{1,3}))?",
    re.ASCII,
)


def pins(text: str, rows: int, columns: int) -> tuple[Cell, ...]:
    """Read one pin or two, the left one first, as cells that count from 0.

    Raises :class:`~palaestra.task.InvalidAnswer` for any other text.

    >>> pins("r1c3, r1c2", 2, 5), pins("row 2: pins 4 and 5", 2, 5), pins("knock r2c1 down", 2, 5)
    (((0, 1), (0, 2)), ((1, 3), (1, 4)), ((1, 0),))
    """
    body = re.sub(r"\bdown\b", "", _VERB.sub(" ", plain(text)[:400])).strip()
    if row := _ROW.fullmatch(" ".join(body.strip(" .").casefold().split())):
        body = ", ".join(f"r{row[1]}c{column}" for column in row.groups()[1:] if column)
    try:
        read = cells(body, rows, columns, "r2c3")
    except InvalidAnswer:
        read = [*cell_pair(body, rows, columns, "r2c3, r2c4")]
    if not 1 <= len(read) <= 2:
        raise InvalidAnswer("expected one pin or two, such as r2c3 or r2c3, r2c4")
    return tuple(sorted(read))
