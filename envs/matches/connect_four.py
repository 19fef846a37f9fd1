"""Connect Four, the game of Howard Wexler and Ned Strongin (1974)."""

from random import Random
from typing import Self

from palaestra.generators.matches.line_games import LineGame, LineMatch
from palaestra.task import ladder


class ConnectFour(LineMatch):
    """Drop stones into columns and get four in a line before the opponent."""

    tags = {"two-players", "perfect-information", "search"}
    answer_type = "moves"

    class Knobs(LineMatch.Knobs):
        rows: int = ladder(5, 5, 6, 6, 6, low=4, high=8)
        columns: int = ladder(5, 6, 7, 7, 7, low=4, high=9)
        forced: int = ladder(1, 2, 2, 3, 4, low=0)
        depth: int = ladder(4, 4, 4, 4, 5, low=0, high=7)

    rows: int
    columns: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        game = LineGame(knobs.rows, knobs.columns, 4, gravity=True)
        fields = knobs.model_dump() | cls.position(rng, game, knobs.forced)
        return cls(**fields)

    def game(self) -> LineGame:
        return LineGame(self.rows, self.columns, 4, gravity=True)

    def rules(self) -> str:
        return self.phrase(
            f"Connect Four on {self.columns} columns of {self.rows} cells, numbered from the left. "
            "X and O take turns to drop a stone into a column that is not full; it falls to the "
            "lowest free cell. The first to have four stones in a row, column or diagonal wins; a "
            "full board is a draw. A move is the number of a column, such as '1'.",
            f"This is Connect Four with {self.rows} rows and {self.columns} columns; column 1 is "
            "on the left. In turn, X and O choose a column that is not full, and a stone falls "
            "onto those already there. Four own stones in a row, column or diagonal win; if the "
            "board is full before that, the game is a draw. A move is the number of a column, for "
            "example '1'.",
        )
