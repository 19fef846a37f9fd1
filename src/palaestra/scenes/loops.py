"""How a loop is entered line by line, for boards on which people draw it."""

from typing import Literal

from palaestra.scenes.entries import CellsEntry


class LoopEntry(CellsEntry, frozen=True, omit_defaults=True, tag="loop"):
    """A loop is drawn, and the symbols of all cells follow from it.

    Lines of the loop join neighbouring nodes. They are named ``h0-1`` and ``v0-1``: the line to the
    right of the node in row 0 and column 1, and the line below it.
    """

    via: Literal["borders", "centres"] = "borders"
    """What the nodes are: the corners of cells, or their centres.

    With ``borders``, the first symbol is that of a cell inside the loop, the second that of a cell
    outside.
    """
    exits: tuple[str, ...] = ()
    """With ``centres``, the sides by which the loop leaves a cell with each symbol, as letters of
    ``URDL``; empty where the loop does not pass."""


def lines_of(entry: LoopEntry, rows: list[list[str]]) -> set[str]:
    """The lines of the loop in a grid of symbols.

    >>> entry = LoopEntry(("#", "-"), (("", ""),))
    >>> sorted(lines_of(entry, [["#", "-"]]))
    ['h0-0', 'h1-0', 'v0-0', 'v0-1']
    """
    if entry.via == "centres":
        sides = dict(zip(entry.symbols, entry.exits, strict=True))
        cells = [(r, c, sides[sign]) for r, row in enumerate(rows) for c, sign in enumerate(row)]
        right = {f"h{r}-{c}" for r, c, exits in cells if "R" in exits}
        return right | {f"v{r}-{c}" for r, c, exits in cells if "D" in exits}
    inside = {
        (r, c)
        for r, row in enumerate(rows)
        for c, sign in enumerate(row)
        if sign == entry.symbols[0]
    }
    lines: set[str] = set()
    for r, c in inside:
        sides_of = {f"h{r}-{c}": (r - 1, c), f"h{r + 1}-{c}": (r + 1, c),
                    f"v{r}-{c}": (r, c - 1), f"v{r}-{c + 1}": (r, c + 1)}  # fmt: skip
        lines |= {line for line, other in sides_of.items() if other not in inside}
    return lines
