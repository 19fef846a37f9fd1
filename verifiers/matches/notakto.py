"""Moves on one of several boards: the letter of a board and a cell, in either order."""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import Cell, cell
from palaestra.verifiers.reading.values import plain

_WORDS = re.compile(
    r"\b(?:i |my )?(?:(?:next )?move(?: is\b)?|(?:place|put|play|mark|write)s?)(?!\w)"
    r"|\b(?:(?:(?:an?|the|my) )?(?:x|cross|mark)|the|to|on|in|into|at|of|cell|boards?)(?!\w)"
    r"|[-=]*>|\u2192|!",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?<!\w)[A-Z](?!\w)", re.IGNORECASE)


def cell_of_board(text: str, letters: str, size: int) -> tuple[str, Cell]:
    """Read the letter of a board, or "" where there is none, and a cell, which counts from 0.

    Raises :class:`~palaestra.task.InvalidAnswer` for any other text.

    >>> cell_of_board("B r2c3", "ABC", 3), cell_of_board("an X at (2, 3) on board b", "ABC", 3)
    (('B', (1, 2)), ('B', (1, 2)))
    >>> cell_of_board("row 2, column 3", "ABC", 3)
    ('', (1, 2))
    """
    body = _WORDS.sub(" ", plain(text)[:400])
    names = [name.upper() for name in _LETTER.findall(body)]
    if len(names) > 1 or not {*names} <= {*letters}:
        raise InvalidAnswer(f"expected one of the boards {letters[0]} to {letters[-1]}")
    rest = " ".join(_LETTER.sub(" ", body).split()).strip(" ,;:.-`*'\"{}")
    return "".join(names), cell(rest, size, size, "A r2c3")
