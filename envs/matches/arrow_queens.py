"""The Game of the Amazons, which Walter Zamkauskas invented in 1988, on small boards."""

from random import Random
from typing import Any

from palaestra.generators.matches.arrow_queens import ArrowQueens as ArrowQueensRules
from palaestra.generators.matches.arrow_queens import State
from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.square_boards import bits
from palaestra.task import ladder

TRIES = 60
"""How many pairs of groups of cells are tried for one with few contacts."""


class ArrowQueens(BoardMatch):
    """Make the last move with queens whose arrows block cells, against a perfect opponent."""

    answer_type = "cells"
    most_nodes = 500
    candidates = 50

    baseline_note = (
        "A player who leaves the opponent the fewest moves, each with its arrow, sees much of what "
        "shuts a queen in, and wins about half of the endgames that can be solved in time."
    )

    class Knobs(BoardMatch.Knobs):
        rows: int = ladder(4, 4, 5, 5, 5, 5, low=4, high=7)
        columns: int = ladder(4, 4, 5, 5, 5, 5, low=4, high=7)
        cells: int = ladder(3, 4, 4, 4, 4, 4, low=3, high=8)  # next to each other, for each player
        contacts: int = ladder(5, 4, 3, 3, 3, 3, low=1, high=8)  # of these, that touch the others
        least_moves: int = ladder(1, 2, 3, 3, 3, 3, low=1, high=8)
        most_chance: float = ladder(0.5, 0.15, 0.04, 0.015, 0.007, 0.003, low=1e-6)

    rows: int
    columns: int

    @classmethod
    def rules_of(cls, knobs: Any) -> ArrowQueensRules:
        return ArrowQueensRules(knobs.rows, knobs.columns)

    def rules(self) -> ArrowQueensRules:
        return ArrowQueensRules(self.rows, self.columns)

    @classmethod
    def opening(cls, rng: Random, rules: ArrowQueensRules, knobs: Any) -> State | None:
        """Two groups of free cells that touch in a few cells, each with the queen of a player."""
        number = rules.rows * rules.columns
        for _ in range(TRIES):
            first = _group(rng, rules, 1 << rng.randrange(number), knobs.cells, 0)
            near = [*bits(rules.around(first) & ~first)]
            second = _group(rng, rules, 1 << rng.choice(near), knobs.cells, first)
            contacts = rules.around(first) & second, rules.around(second) & first
            if max(map(int.bit_count, contacts)) <= knobs.contacts:
                mine, theirs = (1 << rng.choice([*bits(group)]) for group in (first, second))
                blocked = (1 << number) - 1 & ~(first | second)
                return State(mine, theirs, blocked, rng.randrange(2))
        return None

    def description(self) -> str:
        board = f"{self.rows} rows and {self.columns} columns"
        return self.phrase(
            f"The Game of the Amazons on a board of {board}. X and O have one queen each, and "
            "take turns. In its turn, a player moves its queen any number of cells, at least one, "
            "in a row, a column or a diagonal. From its new cell, the queen then shoots an arrow, "
            "which flies in the same way: any number of cells, at least one, in a row, a column or "
            "a diagonal. The cell where the arrow lands is blocked for the rest of the game, shown "
            "as '#'. Every cell on the way of the queen and of the arrow, the last one included, "
            "must be free: without a queen and not blocked. The cell that the queen has just left "
            "is free. Nothing is captured, and passing is not allowed. A player who cannot move "
            "loses. A move names the cell that the queen leaves, the cell that it enters and, "
            "after an 'x', the cell that the arrow blocks, by rows and columns counted from 1 at "
            "the top left, such as 'r1c2-r3c4xr3c1'.",
            f"This is the Game of the Amazons, for two players, X and O, on {board}, which are "
            "counted from 1 at the top left. Each player has a single piece, a queen, which moves "
            "as in chess: in a straight line, horizontally, vertically or diagonally, over free "
            "cells only. A turn has two parts. First, the player moves the queen by one cell or "
            "more. Then the queen shoots an arrow from the cell where it stands now. The arrow "
            "moves like a queen, too, over free cells only, and it may pass or enter the cell that "
            "the queen came from. It blocks the cell where it stops ('#') for both players and for "
            "good. Queens and blocked cells are never entered, passed or removed. Both have to "
            "move in turn, and the first player who cannot has lost. Write the "
            "queen's cell, its new cell and the arrow's cell, for example 'r1c2-r3c4xr3c1'.",
        )


def _group(rng: Random, rules: ArrowQueensRules, cells: int, more: int, avoided: int) -> int:
    """A cell and so many others, each next to one before, if there is room for them."""
    for _ in range(more):
        near = [*bits(rules.around(cells) & ~(cells | avoided))]
        if near:
            cells |= 1 << rng.choice(near)
    return cells
