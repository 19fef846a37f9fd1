"""The rules of sliding tiles, one at a time, into the order of their numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from palaestra.generators.cells import text
from palaestra.generators.games.solo import SoloRules
from palaestra.generators.sliding_tiles import Board, adjacent, rows_and_columns, slid
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase
from palaestra.verifiers.reading.moves import numbers

TONE = "t2"

FILLERS = frozenset(
    ("i", "we", "slide", "move", "push", "swap", "the", "tile", "number", "into", "to",
     "with", "gap", "empty", "space")
)  # fmt: skip
"""Words around a number that say nothing."""

Content = TypeVar("Content")


@dataclass(frozen=True)
class FifteenPuzzle(SoloRules[Board, int]):
    """A board with one gap; a move is the tile that slides into it."""

    columns: int

    def legal(self, state: Board) -> Sequence[int]:
        beside = adjacent(len(state) // self.columns, self.columns)[state.index(0)]
        return sorted(state[cell] for cell in beside)

    def apply(self, state: Board, move: int) -> Board:
        return slid(state, state.index(0), state.index(move))

    def distance(self, state: Board) -> float:
        """The rows and columns between the tiles and their cells in the goal, and two more for each
        two tiles of a row that are both in their row, but in the wrong order (a linear conflict).
        """
        return float(rows_and_columns(state, self.columns) + 2 * self._conflicts(state))

    def _conflicts(self, state: Board) -> int:
        """How many tiles have to leave their rows, as others in them are in their way, at least."""
        number = 0
        for first in range(0, len(state), self.columns):
            home = range(first + 1, first + self.columns + 1)
            tiles = [tile for tile in state[first : first + self.columns] if tile in home]
            number += len(tiles) - _longest_ascent(tiles)
        return number

    def judgement(self, state: Board) -> float:
        return -float(rows_and_columns(state, self.columns))

    def name(self, state: Board, move: int) -> str:
        return str(move)

    def read(self, state: Board, text: str) -> int:
        legal = ", ".join(map(str, self.legal(state)))
        words = [
            word
            for word in phrase(text.replace("#", " ")).replace("tile no ", "").split()
            if word not in FILLERS
        ]
        tiles = numbers(" ".join(words), f"the number of a tile beside the gap, one of {legal}")
        if len(tiles) != 1:
            raise InvalidAnswer(f"expected the number of one tile, got {len(tiles)} numbers")
        if tiles[0] not in self.legal(state):
            raise InvalidAnswer(f"only these tiles are beside the gap: {legal}")
        return tiles[0]

    def show(self, state: Board) -> str:
        return "Board:\n" + text(self._rows([tile or "_" for tile in state]))

    def scene(self, state: Board) -> Grid:
        cells = [Cell(str(tile), fill=TONE) if tile else Cell() for tile in state]
        return Grid(tuple(map(tuple, self._rows(cells))))

    def _rows(self, cells: Sequence[Content]) -> list[Sequence[Content]]:
        return [cells[n : n + self.columns] for n in range(0, len(cells), self.columns)]


def _longest_ascent(tiles: Sequence[int]) -> int:
    """The length of a longest ascending subsequence.

    >>> _longest_ascent([3, 1, 2])
    2
    """
    best: list[int] = []
    for n, tile in enumerate(tiles):
        best.append(1 + max((best[k] for k in range(n) if tiles[k] < tile), default=0))
    return max(best, default=0)
