"""Texts, numbers and letters on tiles, for scenes of tasks that have no board of their own."""

from collections.abc import Iterable, Mapping, Sequence

from palaestra.scenes import Cell, Grid, Panels, Scene, Text

COLOURS = {
    "red": "c3", "blue": "c0", "green": "c2", "yellow": "c6", "white": "white", "black": "black",
    "pink": "c4", "grey": "shade", "brown": "c7", "orange": "c1", "violet": "c8",
}  # fmt: skip
"""The roles of the palette that come closest to colours of prompts."""

NOTHING = Cell(fill="none")
"""What is where a grid has no cell."""

WIDE = 44
"""How many characters a line of text has at most."""

LONGEST = 24
"""How many letters of a word of an answer are drawn at most."""

CUT = 10
"""How many characters of a number of an answer are drawn at most."""

MOST = 64
"""How many rows of an answer are drawn at most."""


def level(rows: Iterable[Sequence[Cell]]) -> tuple[tuple[Cell, ...], ...]:
    """Rows of cells, each as long as the longest one.

    >>> [len(row) for row in level([[Cell("a")], [Cell("b"), Cell("c")]])]
    [2, 2]
    """
    listed = [*rows]
    columns = max(map(len, listed), default=0)
    return tuple((*row, *[NOTHING] * (columns - len(row))) for row in listed)


def wrapped(cells: Sequence[Cell], columns: int) -> Grid:
    """Cells in reading order, in rows of so many.

    >>> [[cell.text for cell in row] for row in wrapped(tiles("abc"), 2).cells]
    [['a', 'b'], ['c', '']]
    """
    return Grid(level(cells[n : n + columns] for n in range(0, len(cells), columns)))


def across(number: int) -> int:
    """How many of so many tiles stand in a row: all of a few, half of some, and 10 of many."""
    return number if number <= 6 else (number + 1) // 2 if number <= 16 else 10


def tiles(texts: Iterable[object], fill: str = "paper", tone: str = "") -> list[Cell]:
    """A cell for each text or number."""
    return [Cell(str(text), fill, tone=tone) for text in texts]


def entered(texts: Iterable[object]) -> list[Cell]:
    """A cell for each text or number of an answer, of which long ones are cut off.

    >>> entered([-12])[0].text, entered([10**30])[0].text
    ('-12', '1000000000')
    """
    return [Cell(str(text)[:CUT], tone="accent") for text in texts]


def written(words: Iterable[str], wide: int = WIDE) -> Text:
    """Words in lines of at most so many characters, unless a word is longer.

    >>> written(["one", "two", "three"], 8).lines
    ('one two', 'three')
    """
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= wide:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return Text(tuple(lines))


def stacked(scenes: Mapping[str, Scene]) -> Panels:
    """Scenes below one another, each under its caption."""
    return Panels(tuple(scenes.values()), tuple(scenes), columns=1)
