"""Moves of a queen with an arrow: the cells that it leaves, enters and blocks."""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cell_paths import cell_path
from palaestra.verifiers.reading.cells import Cell
from palaestra.verifiers.reading.values import plain

EXAMPLE = "r1c2-r3c4xr3c1"

_LONGEST = 200
_MARKS = dict.fromkeys(map(ord, "*_`\"'\u201c\u201d{}$!"), " ")
_LEAD = re.compile(
    r"(?:my )?(?:next )?move(?: is ?:?| ?[:=]) ?|(?:i |i will |i ll |i would )?(?:play|choose) "
)
_QUEEN = re.compile(
    r"^(?:(?:i |i will |i ll )?moves? )?(?:(?:the |my )?(?:queen|amazon) )?(?:(?:from|at|on) )?"
)
_ARROW = re.compile(
    r"[ ,;./(+|]*(?:(?:and|then) )*(?:(?:shoots?|shooting|fires?|firing|throws?|blocks?|blocking)\b"
    r"(?: (?:an|the|its|my))?(?: arrow)?|(?:(?:with|an|the|its|my) )*arrow)"
    r":?(?: ?(?:[-=]{0,2}>|\u2192))?(?: (?:lands|goes))?(?: (?:to|at|on|into|in|towards))?"
    r" ?(?=r|c|\(|\[|\d)"
)
_COMMAS = re.compile(r" ?[,;/(|] ?(?=r(?:ow)? ?\d|\(|\[)")


def arrow_move(text: str, rows: int, columns: int) -> tuple[Cell, Cell, Cell]:
    """Read the cells that a queen leaves and enters, and the cell that its arrow blocks.

    Rows and columns count from 0. Raises :class:`~palaestra.task.InvalidAnswer` for any other text
    and for a cell outside the board.

    >>> arrow_move("r1c2-r3c4xr3c1", 4, 4)
    ((0, 1), (2, 3), (2, 0))
    >>> arrow_move("I move r1c2 to r3c4 and shoot r1c2.", 4, 4)
    ((0, 1), (2, 3), (0, 1))
    """
    body = plain(text)
    if len(body) > _LONGEST:
        raise InvalidAnswer(f"a move has at most {_LONGEST} characters")
    body = " ".join(body.casefold().translate(_MARKS).split())
    lead = _LEAD.match(body)
    body = _QUEEN.sub("", body[lead.end() if lead else 0 :], count=1)
    body = _ARROW.sub("x", body, count=1).rstrip(" .")
    if body.count(")") > body.count("("):
        body = body.removesuffix(")")
    try:
        path = cell_path(body, rows, columns, example=EXAMPLE)
    except InvalidAnswer:
        path = cell_path(_COMMAS.sub("-", body), rows, columns, example=EXAMPLE)
    if len(path) != 3:
        raise InvalidAnswer(
            f"expected the queen's cell, the cell that it enters and the arrow's, such as {EXAMPLE}"
        )
    return path[0], path[1], path[2]
