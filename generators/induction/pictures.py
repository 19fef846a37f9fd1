"""Pictures of examples of hidden rules: rows of cells, each above what the rule makes of it."""

from collections.abc import Callable, Iterable, Sequence

from palaestra.generators.induction.list_programs import Numbers
from palaestra.generators.tiles import NOTHING, level
from palaestra.scenes import Cell, Grid

UNKNOWN = Cell("?", "muted")
"""A cell to be filled in."""

MOST = 20
"""How many numbers of an answer are drawn in a row at most, unless the new case has more."""


def colours(digits: Iterable[int]) -> list[Cell]:
    """Cells of colours from 0 to 9."""
    return [*map(colour_cell, digits)]


def colour_cell(digit: int) -> Cell:
    """A cell of a colour from 0 to 9, with its number.

    >>> colour_cell(0).fill, colour_cell(3).fill
    ('paper', 'c3')
    """
    return Cell(str(digit), f"c{digit}") if digit else Cell("0", tone="shade")


def examples(
    pairs: Sequence[tuple[Numbers, Numbers]],
    new: Sequence[Numbers],
    results: Sequence[Sequence[int]],
    cells: Callable[[Iterable[int]], list[Cell]],
    answered: Callable[[Iterable[int]], list[Cell]],
) -> Grid:
    """Pairs of rows, and new rows, each above its result or a question mark if there is none yet.

    ``cells`` draws cases, and ``answered`` what an answer makes of new ones. The rows have numbers
    on the left, new ones letters, and results an arrow.
    """
    rows: list[Sequence[Cell]] = []
    left: list[tuple[str, ...]] = []
    for n, (before, after) in enumerate(pairs, 1):
        rows += [cells(before), cells(after), [NOTHING]]
        left += [(str(n),), ("->",), ("",)]
    for n, case in enumerate(new):
        most = max(MOST, len(case))
        rows += [cells(case), answered(results[n][:most]) if results else [UNKNOWN], [NOTHING]]
        left += [("ABCDEFGH"[n],), ("->",), ("",)]
    return Grid(level(rows[:-1]), left=tuple(left[:-1]))
