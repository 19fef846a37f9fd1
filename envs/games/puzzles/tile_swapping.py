"""Swapping tiles into lines of three, as in Shariki (Eugene Alemzhin, 1994) and later games.

There are no new tiles here, so that everything is in view. Deciding how many tiles can be removed
is NP-hard (Gualà, Leucci and Natale, "Bejeweled, Candy Crush and other Match-Three Games are
(NP-)Hard", 2014).
"""

from random import Random
from typing import ClassVar, Self

from palaestra.generators.games.puzzles.tile_swapping import Board, Move, most_removed
from palaestra.generators.games.puzzles.tile_swapping import TileSwapping as Rules
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.search import Plan
from palaestra.generators.states import encoded
from palaestra.task import ladder


class TileSwapping(SoloGame):
    """Remove as many tiles as can be removed in a few swaps of neighbours."""

    search_budget = 1_000
    baseline_note = (
        "A player who looks one or two swaps ahead often finds a best plan, since few swaps are "
        "legal near its end."
    )

    tries: ClassVar[int] = 4
    """The number of boards to look at for one whose plans can all be searched."""

    class Knobs(SoloGame.Knobs):
        height: int = ladder(4, 5, 5, 6, 7, 7, low=4, high=8)
        width: int = ladder(4, 4, 5, 5, 5, 6, low=4, high=8)
        tiles: int = ladder(3, 3, 4, 4, 5, 6, low=3, high=6)  # different ones
        swaps: int = ladder(2, 3, 3, 4, 6, 7, low=2, high=8)
        spare: int = ladder(1, 0, 0, 0, 0, 0, low=0, high=2)  # tiles fewer than can be removed

    height: int
    width: int
    goal: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """The first board of some whose plans can all be searched, or else the one with the most
        swaps, which are then fewer.
        """
        rules = Rules(knobs.height, knobs.width, 1)
        boards = [cls._board(rng, rules, knobs.tiles) for _ in range(cls.tries)]
        results = (most_removed(rules, each, knobs.swaps, cls.search_budget) for each in boards)
        board, best = boards[0], most_removed(rules, boards[0], 1, cls.search_budget)
        for each, result in zip(boards, results):
            if result.swaps > best.swaps or each == boards[0]:
                board, best = each, result
            if best.swaps == knobs.swaps:
                break
        goal = best.removed - knobs.spare
        return cls(
            position=encoded(board),
            moves=best.swaps if goal > 0 else 0,
            height=knobs.height,
            width=knobs.width,
            goal=max(1, goal),
        )

    @staticmethod
    def _board(rng: Random, rules: Rules, tiles: int) -> Board:
        """A random board without lines."""
        board = [0] * (rules.height * rules.width)
        for cell in range(len(board)):
            board[cell] = rng.randint(1, tiles)
            while rules.matched(board):
                board[cell] = rng.randint(1, tiles)
        return tuple(board)

    def rules(self) -> Rules:
        return Rules(self.height, self.width, self.goal)

    def plan(self) -> Plan[Move]:
        """A plan that removes the most tiles, up to the move that reaches the goal."""
        rules, board = Rules(self.height, self.width, 1), self.start()
        best = most_removed(rules, board, self.moves, self.search_budget).plan
        for number, move in enumerate(best.moves, 1):
            board = rules.apply(board, move)
            if board.count(0) >= self.goal:
                return Plan(best.moves[:number], best.visited)
        return best

    def description(self) -> str:
        swaps = f"{self.moves} swaps"
        return self.phrase(
            f"A board of tiles, of which each letter is a type, and '.' is an empty cell. In a "
            "move, you swap two tiles on neighbouring cells (left and right, or above and below) "
            "so that at least one line of three or more equal tiles next to each other in a row or "
            "column comes about; other swaps are not legal, nor are those with an empty cell. All "
            "tiles in lines of three or more equal ones vanish at once. Then the tiles above empty "
            "cells fall down in their columns, and if there are lines again, their tiles vanish, "
            "and so on. No new tiles come. Remove at least "
            f"{self.goal} tiles with at most {swaps}. Cells are named by row and column, both from "
            "1 at the top left. A move is two cells, such as 'r1c2-r1c3'.",
            f"Remove {self.goal} or more of these tiles in {swaps} at most. Letters are the types "
            "of tiles; dots are empty. Swap two adjacent tiles of one row or one column; after the "
            "swap, three or more tiles of the same type have to be next to each other in a "
            "straight line, across or down, through one of the two cells. Every line of that "
            "length disappears, all of them at the same time. What is above a gap drops straight "
            "down. Lines that this creates disappear as well, until there are none; the gaps stay "
            "on top, as there are no further tiles, and they cannot be swapped. Rows are counted "
            "from the top and columns from the left, from 1 on. Write the two cells of the swap, "
            "for example 'r1c2-r1c3'.",
        )
