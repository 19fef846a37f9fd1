"""Hex, the game of Piet Hein (1942) and John Nash (1948)."""

from random import Random
from typing import Any

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.hex import LETTERS, State
from palaestra.generators.matches.hex import Hex as HexRules
from palaestra.task import ladder

TRIES = 100
"""How many boards are filled at random in search of one where the mover is not ahead."""


class Hex(BoardMatch):
    """Win a position of Hex against a perfect opponent."""

    class Knobs(BoardMatch.Knobs):
        size: int = ladder(4, 4, 5, 5, 5, low=4, high=7)
        free: int = ladder(9, 11, 12, 13, 14, low=8, high=18)  # free cells at the start
        needs: int = ladder(2, 2, 3, 3, 3, low=2)  # stones to a chain, at least
        wins: int = ladder(3, 1, 1, 1, 1, low=1, high=9)  # winning moves at the start, at most
        least_moves: int = ladder(2, 3, 3, 4, 4, low=1, high=12)
        most_chance: float = ladder(1.0, 0.05, 0.004, 0.0008, 0.0002, low=1e-6)

    candidates = 3

    size: int

    @classmethod
    def rules_of(cls, knobs: Any) -> HexRules:
        return HexRules(knobs.size)

    def rules(self) -> HexRules:
        return HexRules(self.size)

    @classmethod
    def opening(cls, rng: Random, rules: HexRules, knobs: Any) -> State | None:
        for _ in range(TRIES):
            state = _filled(rng, rules.size, min(knobs.free, rules.size**2 - 4))
            own, other = (rules.paths(state, each).stones for each in (state.turn, 1 - state.turn))
            if not knobs.needs <= own <= other <= rules.size:
                continue
            if 1 <= len(rules.winning(state, knobs.wins + 1)) <= knobs.wins:
                return state
        return None

    def description(self) -> str:
        last = LETTERS[self.size - 1]
        return self.phrase(
            f"Hex on a board of {self.size} rows of {self.size} hexagonal cells each; every row is "
            "shifted to the right by half a cell with respect to the row above it. Rows have "
            "numbers from the top, and the cells of a row have letters from the left. Neighbours "
            "are the cells that touch: b2, for example, has the neighbours a2, c2, b1, c1, a3 and "
            "b3. X and O take turns to place one stone of their own on a free cell; stones are "
            "never moved or removed. X wins with a chain of neighbouring X stones from row 1 to "
            f"row {self.size}, O with a chain of neighbouring O stones from column a to column "
            f"{last}. One of the two always comes about, so there are no draws. The player to move "
            "is stated below the board. A move is the letter and the number of a cell, such as "
            "'c2'.",
            f"This is the game of Hex. Its board is a rhombus of {self.size} by {self.size} "
            "hexagons, with numbers for the rows, from the top, and letters for the columns, from "
            "the left. Each row starts half a hexagon further to the right than the one above, so "
            "that a cell touches the cells to its left and right, the one above it in the same "
            "column and that one's right neighbour, and the one below it in the same column and "
            "that one's left neighbour. In each turn, a player puts a stone on any empty cell, "
            f"where it stays. X has to connect row 1 with row {self.size}, O column a with column "
            f"{last}, in each case by own stones on cells that touch one another. Whoever does so "
            "first has won, and a draw is impossible. It begins with the player who is named below "
            "the first board. Give a move as column and row, for example 'c2'.",
        )


def _filled(rng: Random, size: int, free: int) -> State:
    """A board on which stones were placed at random, as many by each player or one more by X."""
    cells = rng.sample(range(size**2), size**2 - free)
    first, second = (sum(1 << cell for cell in cells[n::2]) for n in (0, 1))
    return State(first, second, len(cells) % 2)
