"""Moves of a builder: the cell that it leaves, the one that it enters, and the one it builds on."""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import Cell, cell
from palaestra.verifiers.reading.values import plain

_CELL = re.compile(
    r"\br(?:ow)? ?\d{1,2}(?: ?, ?| )?c(?:ol(?:umn)?)? ?\d{1,2}(?!\d)"
    r"|[(\[] ?\d{1,2} ?, ?\d{1,2} ?[)\]]",
    re.IGNORECASE | re.ASCII,
)
_WORD = re.compile(
    r"a|and|at|builders?|building|builds?|from|goe?s?|i|in|is|it|level|moves?|my|next|on|onto"
    r"|raises?|steps?|the|then|to|tower|wins?|with",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"[-\u2013\u2192>=,;:.!*`'\"\[\](){}]+")


def step_and_building(text: str, rows: int, columns: int) -> list[Cell]:
    """Read two cells, or three if the builder builds; they count from 0.

    Raises :class:`~palaestra.task.InvalidAnswer` for any other text.

    >>> step_and_building("r1c1-r1c2 r2c2", 3, 3)
    [(0, 0), (0, 1), (1, 1)]
    >>> step_and_building("Move from (1, 1) to (1, 2) and build on (1, 1).", 3, 3)
    [(0, 0), (0, 1), (0, 0)]
    """
    body = " ".join(plain(text)[:400].split())
    names = _CELL.findall(body)
    rest = _SIGNS.sub(" ", _CELL.sub(" ", body)).split()
    if not 2 <= len(names) <= 3 or not all(map(_WORD.fullmatch, rest)):
        raise InvalidAnswer("expected a step and the cell to build on, such as r1c1-r1c2 r2c2")
    return [cell(name, rows, columns, "r1c1") for name in names]
