"""Tic-tac-toe on boards of several sizes: the m,n,k-games of combinatorial game theory."""

from random import Random
from typing import Self

from palaestra.generators.matches.line_games import LineGame
from palaestra.generators.matches.line_match import LineMatch
from palaestra.task import ladder


class TicTacToe(LineMatch):
    """Place stones on a board and get enough of them in a line before the opponent."""

    version = 2
    tags = {"two-players", "perfect-information", "search"}
    answer_type = "cells"
    baseline_note = (
        "On boards of up to six by six cells, a player who counts the threats of each move finds "
        "most wins of three moves. A low `random_score` by hand gives positions that are harder."
    )

    class Knobs(LineMatch.Knobs):
        size: int = ladder(3, 3, 4, 5, 5, 6, high=9)
        length: int = ladder(3, 3, 3, 4, 4, 4, high=5)
        forced: int = ladder(1, 2, 2, 2, 3, 3, low=0)
        random_score: float = ladder(1.0, 1.0, 0.5, 0.25, 0.2, 0.12, low=0.01)
        depth: int = ladder(6, 6, 5, 5, 5, 5, low=0, high=9)

    size: int
    length: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        length = min(knobs.length, knobs.size)
        game = LineGame(knobs.size, knobs.size, length, gravity=False)
        start = cls.position(rng, game, knobs.forced, knobs.random_score)
        return cls(**knobs.model_dump(exclude={"random_score"}) | start | {"length": length})

    def game(self) -> LineGame:
        return LineGame(self.size, self.size, self.length, gravity=False)

    def description(self) -> str:
        lines = f"{self.length} stones next to each other in a row, column or diagonal"
        return self.phrase(
            f"A board of {self.size} rows and {self.size} columns. X and O take turns to place a "
            f"stone on a free cell. The first to have {lines} wins; a full board is a draw. A move "
            "is a row and a column, counted from 1 at the top left, such as '1 2' for the top row "
            "and the second column.",
            f"This is tic-tac-toe on {self.size} by {self.size} cells, where {lines} win and a "
            "full board is a draw. X and O alternate and mark one empty cell in each turn. Give "
            "the row and then the column of a cell, both counted from 1 at the top left; for "
            "example, '1 2' is the second cell of the top row.",
        )
