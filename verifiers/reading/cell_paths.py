"""A reader of paths of cells, such as the moves of a game in which a piece jumps several times.

A path is read with a hyphen, an arrow, a cross or a word such as "to" between the cells, each of
which is in any form of :mod:`~palaestra.verifiers.reading.cells`, and as a list of cells.
"""

import re
from collections.abc import Mapping
from contextlib import suppress

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import Cell, cell, cells
from palaestra.verifiers.reading.values import plain

_JOINT = re.compile(
    r"\s*+(?:\\(?:to|rightarrow|times)(?![a-z])|[-=]{0,2}>|[-\u2014\u2192x\u00d7]"
    r"|(?<![a-z])(?:to|then|takes|captures)(?![a-z]))\s*+",
    re.IGNORECASE,
)
_LED = re.compile(
    r"(?:\d{1,2}\.\s|[-*\s])*+(?:(?:i\s)?(?:move|play|jump)s?\s++)?(?:from\s++)?", re.IGNORECASE
)
_MARKS = "*`\"'\u201c\u201d$[] ."
_LONGEST = 1_000


def cell_path(
    text: str,
    rows: int,
    columns: int,
    numbered: Mapping[int, Cell] | None = None,
    example: str = "r6c1-r4c3-r2c5",
) -> list[Cell]:
    """Read two cells or more in the order of a path, which may come back to a cell.

    ``numbered`` are the cells that have a number, by which they may be named as well, as those of
    draughts do. Raises :class:`InvalidAnswer` for any other text and for a cell outside the grid.

    >>> cell_path("R6C1 -> R4C3 -> R2C5", 8, 8), cell_path("(6, 1) to (5, 2)", 8, 8)
    ([(5, 0), (3, 2), (1, 4)], [(5, 0), (4, 1)])
    >>> cell_path("22x15", 8, 8, {15: (3, 4), 22: (5, 2)})
    [(5, 2), (3, 4)]
    """
    body = plain(text[:_LONGEST]).strip(_MARKS)
    parts = [part.strip(_MARKS) for part in _JOINT.split(_LED.sub("", body, count=1))]
    if numbered and len(parts) > 1 and all(re.fullmatch(r"[0-9]{1,2}", part) for part in parts):
        return [_numbered(int(part), numbered) for part in parts]
    if len(parts) > 1:
        return [cell(part, rows, columns, example) for part in parts]
    with suppress(InvalidAnswer):
        path = cells(text[:_LONGEST], rows, columns, example)
        if len(path) > 1:
            return path
    raise InvalidAnswer(f"expected the cells of a move in order, such as {example}")


def _numbered(number: int, cells_by_number: Mapping[int, Cell]) -> Cell:
    if number not in cells_by_number:
        raise InvalidAnswer(f"there is no cell of the number {number}")
    return cells_by_number[number]
