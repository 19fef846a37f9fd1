"""Moves of Hex: a cell by the letter of its column and the number of its row."""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import Cell, cell
from palaestra.verifiers.reading.values import plain

_MARKS = dict.fromkeys(map(ord, "*`\"'\u201c\u201d{}[]()$.,:;=-"), " ")
_VERB = r"(?:i )?(?:(?:plays?|places?|puts?|moves?|choose|pick) )?(?:(?:a |my |the )?stone )?"
_AT = r"(?:(?:in|on|at|to) )?(?:the )?(?:cell )?"
_FORMS = [
    re.compile(_VERB + _AT + pattern, re.ASCII)
    for pattern in (
        r"(?:column )?(?P<column>[a-z]) ?(?:(?:and )?row )?(?P<row>\d{1,2})",
        r"row (?P<row>\d{1,2}) (?:and )?column (?P<column>[a-z])",
    )
]


def cell_of_letter(text: str, rows: int, columns: int) -> Cell:
    """Read a cell, and return its row and column, which count from 0.

    Raises :class:`~palaestra.task.InvalidAnswer` for any other text and for a cell off the board.

    >>> cell_of_letter("b3", 5, 5), cell_of_letter("I play B-3.", 5, 5)
    ((2, 1), (2, 1))
    >>> cell_of_letter("row 3, column b", 5, 5), cell_of_letter("r3c2", 5, 5)
    ((2, 1), (2, 1))
    """
    body = " ".join(plain(text)[:200].casefold().translate(_MARKS).split())
    match = next(filter(None, (form.fullmatch(body) for form in _FORMS)), None)
    if match is None and body.startswith("r"):
        return cell(text, rows, columns, "b3")
    if match is None:
        raise InvalidAnswer("expected a cell by its column and row, such as b3")
    row, column = int(match["row"]) - 1, ord(match["column"]) - ord("a")
    if not (0 <= row < rows and column < columns):
        raise InvalidAnswer(f"{match['column']}{match['row']} is not on the board")
    return row, column


def letter_name(row: int, column: int) -> str:
    """The name of a cell, by its row and column, which count from 0.

    >>> letter_name(2, 1)
    'b3'
    """
    return f"{chr(ord('a') + column)}{row + 1}"
