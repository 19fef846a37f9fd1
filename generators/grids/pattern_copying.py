"""Painting a board line by line, each stroke over those before."""

from collections.abc import Sequence
from functools import lru_cache

BLACK, WHITE = "#", "."
DIRECTIONS = ("row", "column", "falling", "rising")
Line = tuple[str, int]
"""The direction of a line and its number, from 1."""

Stroke = tuple[str, int, str]
"""The direction of a line, its number from 1, and the colour that it is painted in."""


def lines(size: int, diagonals: bool) -> list[Line]:
    """All lines that may be painted."""
    straight = [(direction, n) for direction in DIRECTIONS[:2] for n in range(1, size + 1)]
    slanted = [(direction, n) for direction in DIRECTIONS[2:] for n in range(1, 2 * size)]
    return straight + (slanted if diagonals else [])


def on_line(line: Line, size: int) -> list[tuple[int, int]]:
    """The cells of a line.

    >>> on_line(("falling", 3), 2), on_line(("rising", 2), 2)
    ([(0, 1)], [(0, 1), (1, 0)])
    """
    direction, number = line
    if direction == "row":
        return [(number - 1, column) for column in range(size)]
    if direction == "column":
        return [(row, number - 1) for row in range(size)]
    if direction == "falling":
        cells = [(row, row + number - size) for row in range(size)]
    else:
        cells = [(row, number - 1 - row) for row in range(size)]
    return [(row, column) for row, column in cells if 0 <= column < size]


def painted(strokes: Sequence[Stroke], size: int) -> tuple[str, ...]:
    """A white board after these strokes."""
    board = [[WHITE] * size for _ in range(size)]
    for direction, number, colour in strokes:
        for row, column in on_line((direction, number), size):
            board[row][column] = colour
    return tuple(map("".join, board))


@lru_cache(maxsize=256)
def plan(board: tuple[str, ...], diagonals: bool) -> list[Stroke]:
    """Strokes that lead to a pattern, worked out from the last one backwards.

    A line that is all of one colour, apart from cells that are painted over later, can be the one
    painted just before them. Whatever is left in the end has to be white from the start.
    """
    size = len(board)
    left = [[*row] for row in board]
    strokes: list[Stroke] = []
    waiting, fresh = lines(size, diagonals), True
    while fresh and any(BLACK in row for row in left):
        fresh = False
        for line in [*waiting]:
            cells = on_line(line, size)
            colours = {left[row][column] for row, column in cells} - {""}
            if len(colours) == 1:
                strokes.append((*line, *colours))
                for row, column in cells:
                    left[row][column] = ""
                waiting.remove(line)
                fresh = True
    return needed(strokes[::-1], board)


def needed(strokes: list[Stroke], board: tuple[str, ...]) -> list[Stroke]:
    """The strokes without those that can be left out."""
    kept = strokes
    for stroke in strokes:
        without = [other for other in kept if other != stroke]
        if painted(without, len(board)) == board:
            kept = without
    return kept
