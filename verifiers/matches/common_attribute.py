"""Moves that place a piece on a cell and name the next piece: a cell, then a code of digits."""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import Cell, cell
from palaestra.verifiers.reading.values import plain

_CODE = re.compile(r"(?<![\d\w])([01]{4})(?![\d\w])", re.ASCII)
_WORDS = re.compile(
    r"(?:\bi )?\b(?:place[sd]?|puts?|plays?|hands?|gives?|over|next|then|and|piece|it|in hand)\b"
    r"|\b(?:the|to|on|in|at|opponent|you|with|as)\b|[-=]*>|\u2192",
    re.IGNORECASE,
)


def placement(text: str, rows: int, columns: int) -> tuple[Cell, str]:
    """Read a cell, which counts from 0, and the code of the next piece, or "" where there is none.

    Raises :class:`~palaestra.task.InvalidAnswer` for any other text.

    >>> placement("r2c3 0110", 4, 4), placement("Place it on (2, 3), then hand over 0110.", 4, 4)
    (((1, 2), '0110'), ((1, 2), '0110'))
    >>> placement("row 2, column 3", 4, 4)
    ((1, 2), '')
    """
    body = plain(text)[:400]
    codes = _CODE.findall(body)
    if len(codes) > 1:
        raise InvalidAnswer("expected one cell and one piece, such as r2c3 0110")
    rest = " ".join(_WORDS.sub(" ", _CODE.sub(" ", body)).split()).strip(" ,;:.-`*'\"")
    return cell(rest, rows, columns, "r2c3 0110"), codes[0] if codes else ""
