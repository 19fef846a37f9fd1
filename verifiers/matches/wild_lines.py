"""Moves that place one of several signs on a cell: the sign and the cell, in either order."""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import Cell, cell
from palaestra.verifiers.reading.values import plain

_WORDS = re.compile(
    r"\b(?:let me |i |my )?"
    r"(?:(?:next )?move(?: is\b)?|(?:place|put|play|mark|write|draw|choose)s?)(?!\w)"
    r"|\b(?:an?|the|my|sign|mark|symbol|letter|piece|to|on|in|into|at|for|with|as|cell)(?!\w)"
    r"|[-=]*>|[=@|\u2192]|!",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?<!\w)[A-Z](?!\w)", re.IGNORECASE)
_LONGEST = 400


def signed_cell(text: str, signs: str, rows: int, columns: int) -> tuple[str, Cell]:
    """Read a sign, or "" where there is none, and a cell, which counts from 0.

    Raises :class:`~palaestra.task.InvalidAnswer` for any other text.

    >>> signed_cell("X r2c3", "XO", 3, 3), signed_cell("place an o at (2, 3)", "XO", 3, 3)
    (('X', (1, 2)), ('O', (1, 2)))
    >>> signed_cell("row 2, column 3", "XO", 3, 3)
    ('', (1, 2))
    """
    body = _WORDS.sub(" ", plain(text)[:_LONGEST])
    names = [name.upper() for name in _LETTER.findall(body)]
    if len(names) > 1 or not {*names} <= {*signs}:
        raise InvalidAnswer(f"expected one of the signs {' and '.join(signs)}, and a cell")
    rest = " ".join(_LETTER.sub(" ", body).split()).strip(" ,;:.-`*'\"{}")
    return "".join(names), cell(rest, rows, columns, f"{signs[0]} r2c3")
