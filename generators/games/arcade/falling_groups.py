"""The rules of clearing a board of groups of equal cells under gravity.

Published by Kuniaki Moribe as Chain Shot (1985) and known as SameGame; to decide whether a board
can be cleared is NP-complete (Biedl et al., "The Complexity of Clickomania", 2002).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from palaestra.generators.games.solo import SoloRules
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import cell, cell_name

LETTERS = "ABCDEF"

Columns = tuple[tuple[int, ...], ...]
"""The colours of each column from the bottom; a column that becomes empty is removed."""


@dataclass(frozen=True)
class FallingGroups(SoloRules[Columns, tuple[int, int]]):
    """A board of so many rows and columns. A move is the first cell of a group of equal cells, as
    (column, height), which count from 0 at the lower left.
    """

    rows: int
    columns: int

    def legal(self, state: Columns) -> Sequence[tuple[int, int]]:
        return [group[0] for group in _groups(state) if len(group) > 1]

    def apply(self, state: Columns, move: tuple[int, int]) -> Columns:
        removed = next(set(group) for group in _groups(state) if move in group)
        columns = (
            tuple(colour for y, colour in enumerate(column) if (x, y) not in removed)
            for x, column in enumerate(state)
        )
        return tuple(column for column in columns if column)

    def distance(self, state: Columns) -> float:
        """The number of groups, lone cells among them; a last cell of its colour never goes.

        It is above the truth where groups join, so that plans need not be shortest, and are found
        after few states.
        """
        counts = Counter(colour for column in state for colour in column)
        return float("inf") if 1 in counts.values() else float(sum(1 for _ in _groups(state)))

    def judgement(self, state: Columns) -> float:
        """Few cells in groups of their own, and then few cells."""
        groups = [*_groups(state)]
        return -float(sum(len(group) == 1 for group in groups) + 0.01 * sum(map(len, groups)))

    def name(self, state: Columns, move: tuple[int, int]) -> str:
        column, height = move
        return cell_name(self.rows - 1 - height, column)

    def read(self, state: Columns, text: str) -> tuple[int, int]:
        row, column = cell(text, self.rows, self.columns)
        chosen = column, self.rows - 1 - row
        for group in _groups(state):
            if chosen in group:
                if len(group) > 1:
                    return group[0]
                raise InvalidAnswer(f"{cell_name(row, column)} has no neighbour of its letter")
        raise InvalidAnswer(f"{cell_name(row, column)} is empty")

    def show(self, state: Columns) -> str:
        numbers = " ".join(f"{n + 1:>2}" for n in range(self.columns))
        lines = [
            f"{row + 1:>2} {' '.join(f'{sign:>2}' for sign in signs)}"
            for row, signs in enumerate(self._signs(state))
        ]
        return "\n".join([f"   {numbers}", *lines])

    def _signs(self, state: Columns) -> list[list[str]]:
        """The letters of the board, from the top row; a dot is an empty cell."""
        return [
            [
                LETTERS[state[x][y]] if x < len(state) and y < len(state[x]) else "."
                for x in range(self.columns)
            ]
            for y in reversed(range(self.rows))
        ]

    def scene(self, state: Columns) -> Grid:
        """The board."""
        cells = {letter: Cell(letter, fill=f"t{n}") for n, letter in enumerate(LETTERS)}
        cells["."] = Cell(fill="muted")
        rows = tuple(tuple(cells[sign] for sign in row) for row in self._signs(state))
        return Grid(rows, coordinates=True)


def _groups(state: Columns) -> Iterator[list[tuple[int, int]]]:
    """The groups of equal cells that are connected, from left to right; each has its first cell,
    from the left and from below, at the front.
    """
    seen = set[tuple[int, int]]()
    for x, column in enumerate(state):
        for y, colour in enumerate(column):
            if (x, y) in seen:
                continue
            group = [(x, y)]
            seen.add((x, y))
            for a, b in group:
                for c, d in ((a, b - 1), (a - 1, b), (a + 1, b), (a, b + 1)):
                    inside = 0 <= c < len(state) and 0 <= d < len(state[c])
                    if inside and (c, d) not in seen and state[c][d] == colour:
                        seen.add((c, d))
                        group.append((c, d))
            yield group
