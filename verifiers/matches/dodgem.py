"""Moves of Dodgem: a car by its cell, and the cell that it enters, its direction, or "off"."""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import Cell, cell, cell_pair
from palaestra.verifiers.reading.values import plain

OFF = "off"
"""The end of a move off the board."""

EXAMPLE = "r2c3-r2c4 or r2c3-off"

_MARKS = dict.fromkeys(map(ord, "*`\"'\u201c\u201d{}$.!"), " ")
_LEAD = re.compile(
    r"(?:i )?(?:(?:moves?|drives?|takes?|slides?) )?(?:(?:the|my) )?(?:car )?(?:from |at )?"
)
_GOES = re.compile(r" (?:moves|drives|goes) to ")
_OFF = {"off", "out", "exit", "exits", "leave", "leaves"}
_FILLER = {"the", "board", "of", "to", "goes", "moves", "drives", "one", "cell"}
_WAYS = {"up", "down", "left", "right", "forward"}
_JOINED = re.compile(r"[-=]{0,2}>|[-\u2013\u2014:,;\u2192]|\\(?:to|rightarrow)(?![a-z])")
_LONGEST = 200


def car_move(text: str, rows: int, columns: int) -> tuple[Cell, Cell | str]:
    """Read the cell of a car, and the cell that it enters, or :data:`OFF`, or a direction.

    Rows and columns count from 0. A direction is "up", "down", "left", "right" or "forward". Raises
    :class:`~palaestra.task.InvalidAnswer` for any other text and for a cell off the board.

    >>> car_move("r2c3-r2c4", 4, 4), car_move("car r2c4 leaves the board", 4, 4)
    (((1, 2), (1, 3)), ((1, 3), 'off'))
    >>> car_move("move r2c3 to the right", 4, 4)
    ((1, 2), 'right')
    """
    body = plain(text)
    if len(body) > _LONGEST:
        raise InvalidAnswer(f"a move has at most {_LONGEST} characters")
    body = " ".join(body.casefold().translate(_MARKS).split())
    start, end = _ending(body)
    if end is None:
        return cell_pair(_GOES.sub(" to ", body[_lead(body) :]), rows, columns, EXAMPLE)
    return cell(start[_lead(start) :], rows, columns, EXAMPLE), end


def _ending(body: str) -> tuple[str, str | None]:
    """What stands before "off" or a direction at the end of a text, and which of them it is."""
    words = _JOINED.sub(lambda sign: f" {sign[0]} ", body).split()
    ends = set[str]()
    while words and (word := words[-1].rstrip("s") if words[-1] == "forwards" else words[-1]):
        if word in _OFF:
            ends.add(OFF)
        elif word in _WAYS:
            ends.add(word)
        elif word not in _FILLER and not _JOINED.fullmatch(word):
            break
        words.pop()
    if len(ends) > 1:
        raise InvalidAnswer(f"expected one move, such as {EXAMPLE}")
    return " ".join(words), next(iter(ends), None)


def _lead(body: str) -> int:
    lead = _LEAD.match(body)
    return lead.end() if lead else 0
