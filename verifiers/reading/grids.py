"""Grids: the reader of a filled grid, and checks of its rows, columns and clues."""

import re
from collections.abc import Collection, Sequence

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.values import plain

Grid = Sequence[Sequence[object]]

_SEPARATORS = re.compile(r"[\s,;|\[\]()\"'\u2502]+")
_BULLETS = frozenset("-*\u2022")


def grid(text: str, rows: int, columns: int, symbols: Collection[str]) -> list[list[str]]:
    r"""Read a grid with one line per row and the cells separated by spaces, commas or nothing.

    Each cell must be one of ``symbols``, in any case. Returns ``rows`` lists of ``columns`` cells.

    >>> grid("1 2\n21", rows=2, columns=2, symbols="12")
    [['1', '2'], ['2', '1']]
    """
    known = {symbol.casefold(): symbol for symbol in symbols}
    if "-" in known:  # the two usual characters for an empty cell
        known.setdefault(".", "-")
    compact = all(len(symbol) == 1 for symbol in known)
    lines = layout.grid_rows(plain(text), rows)
    if len(lines) == 1 < rows and compact:
        lines = [part for part in _SEPARATORS.split(lines[0]) if part]
    if len(lines) != rows:
        raise InvalidAnswer(f"expected {rows} rows, got {len(lines)}")
    table = [[c for c in _SEPARATORS.split(line.casefold()) if c] for line in lines]
    if compact:
        table = [[*"".join(row)] for row in table]
    if all(len(row) == columns + 1 and row[0] in _BULLETS for row in table):
        table = [row[1:] for row in table]
    if len(table[-1]) == columns - 1 and "." in known and any("." in row for row in table):
        table[-1].append(".")  # the last cell was taken for a full stop
    for number, row in enumerate(table, 1):
        if len(row) != columns:
            raise InvalidAnswer(f"expected {columns} cells in row {number}, got {len(row)}")
        if not all(cell in known for cell in row):
            raise InvalidAnswer(
                f"row {number}: expected each cell to be one of {' '.join(symbols)}"
            )
    return [[known[cell] for cell in row] for row in table]


def altered(clues: Grid, grid: Grid, blank: object) -> str:
    """Describe the first clue that a filled grid changes; return ``""`` if there is none.

    Cells of ``clues`` that equal ``blank`` are not clues.

    >>> altered([[1, 0]], [[2, 1]], blank=0)
    'r1c1 is not the given 1'
    """
    for row, (before, after) in enumerate(zip(clues, grid)):
        for column, (clue, value) in enumerate(zip(before, after)):
            if clue not in (blank, value):
                return f"{cell_name(row, column)} is not the given {clue}"
    return ""


def repeated(grid: Grid) -> str:
    """Describe the first row or column that contains a value twice; return ``""`` if none does.

    >>> repeated([[1, 2], [1, 3]])
    'column 1 contains 1 more than once'
    """
    for direction, lines in (("row", grid), ("column", [*zip(*grid)])):
        for number, line in enumerate(lines, 1):
            if len(set(line)) < len(line):
                twice = next(value for value in line if [*line].count(value) > 1)
                return f"{direction} {number} contains {twice} more than once"
    return ""


def alike(one: str, other: str) -> bool:
    """Return whether two texts have the same characters in the same order, except for spaces.

    >>> alike("1 2", "12")
    True
    """
    return "".join(one.split()) == "".join(other.split())
