"""Clearing a board of groups that fall together, a game of Kuniaki Moribe (Chain Shot, 1985)."""

from random import Random
from typing import Self

from palaestra.generators.games.arcade.falling_groups import LETTERS
from palaestra.generators.games.arcade.falling_groups import FallingGroups as Rules
from palaestra.generators.games.solo import SoloGame, plan_of
from palaestra.generators.states import encoded
from palaestra.task import ladder


class FallingGroups(SoloGame):
    """Clear a board by removing groups of equal letters, above which the others fall down."""

    answer_type = "cells"
    baseline_note = (
        "A player who looks two moves ahead and leaves few cells alone clears every second board "
        "of five by five cells; larger boards have more traps."
    )

    class Knobs(SoloGame.Knobs):
        rows: int = ladder(4, 4, 5, 5, 6, 7, low=2, high=8)
        columns: int = ladder(3, 4, 4, 5, 5, 7, low=2, high=8)
        letters: int = ladder(3, 3, 3, 4, 4, 4, low=2, high=5)

    rows: int
    columns: int
    search_budget = 2_000

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        rules = Rules(knobs.rows, knobs.columns)
        board = tuple(
            tuple(rng.randrange(knobs.letters) for _ in range(knobs.rows))
            for _ in range(knobs.columns)
        )
        plan = plan_of(rules, board, cls.search_budget)
        moves = knobs.rows * knobs.columns // 2 if plan else 0  # as many as there can be
        return cls(position=encoded(board), rows=knobs.rows, columns=knobs.columns, moves=moves)

    def rules(self) -> Rules:
        return Rules(self.rows, self.columns)

    def description(self) -> str:
        letters = ", ".join(LETTERS[: 1 + max(max(column) for column in self.start())])
        return self.phrase(
            f"The cells of this board hold letters ({letters}); a dot is an empty cell. A group "
            "consists of at least two cells with the same letter that are connected by steps up, "
            "down, left and right. A move removes a whole group: name any of its cells. Letters "
            "above removed cells then fall down, and a column that has become empty is removed, "
            "so that the columns to the right of it move one column to the left. A cell without a "
            "neighbour of its own letter cannot be removed. Clear the whole board. A move is a "
            "cell by its row and column, counted from 1 at the top left, such as 'r2c3'.",
            "Remove all letters from the board below (a dot means that a cell is empty). In each "
            "move you choose a cell; it and all cells with the same letter that are connected with "
            "it horizontally or vertically disappear, at least two in all. What is above a gap "
            "falls down, and if a whole column is empty, the columns on its right close the gap by "
            "moving to the left. A letter that touches no equal one cannot be chosen. Name a cell "
            "by row and column, which are counted from 1 at the top left, for example 'r2c3'. The "
            f"letters are {letters}.",
        )
