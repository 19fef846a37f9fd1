"""Kayles, the bowling puzzle of Henry Dudeney and Sam Loyd (1908)."""

import json
from random import Random
from typing import Any

from palaestra.generators.matches.impartial import ImpartialMatch
from palaestra.generators.matches.kayles import Kayles as KaylesRules
from palaestra.generators.matches.kayles import State
from palaestra.task import ladder


class Kayles(ImpartialMatch):
    """Win Kayles on several rows of pins against a perfect opponent."""

    answer_type = "cells"
    baseline_note = (
        "A position in which all runs of pins stand in equal pairs is lost, so that a player who "
        "leaves as few runs without a partner as possible wins about a tenth of the games."
    )

    class Knobs(ImpartialMatch.Knobs):
        rows: int = ladder(2, 3, 4, 5, 6, 7, low=1, high=8)
        columns: int = ladder(5, 7, 10, 18, 18, 18, low=2, high=24)  # pins in a row, at most
        least_moves: int = ladder(2, 3, 4, 6, 8, 9, low=1, high=12)
        most_chance: float = ladder(0.3, 0.05, 1e-3, 1e-5, 1e-7, 1e-9, low=1e-12)

    rows: int
    columns: int

    @classmethod
    def rules_of(cls, knobs: Any) -> KaylesRules:
        return KaylesRules(knobs.rows, knobs.columns)

    def rules(self) -> KaylesRules:
        return KaylesRules(self.rows, self.columns)

    @classmethod
    def opening(cls, rng: Random, rules: KaylesRules, knobs: Any) -> State:
        lengths = (rng.randint(1, rules.columns) for _ in range(rules.rows))
        lines = ((1 << length) - 1 << row * rules.columns for row, length in enumerate(lengths))
        return State(sum(lines), rng.randrange(2))

    def canonical(self) -> str:
        return json.dumps(self.rules().runs(self.start()))

    def description(self) -> str:
        return self.phrase(
            f"Kayles with {self.rows} rows of pins. X and O take turns. In each turn, a player "
            "knocks down one pin, or two pins that stand directly next to each other in a row; "
            "there must be no gap between them, and pins in different rows are not next to each "
            "other. The player who knocks down the last pin wins. On the board, I is a pin that "
            "stands, and a dot is a pin that was knocked down. A pin is named by its row and "
            "column, counted from 1 at the top left. A move is a pin, such as 'r2c3', or two "
            "pins, such as 'r2c3, r2c4'.",
            f"This is the game of Kayles, on {self.rows} rows. Each sign I is a standing pin, and "
            "each dot an empty cell. The players X and O alternate, and each of them removes "
            "either a single pin or two pins from cells that are horizontal neighbours. Whoever "
            "removes the last pin of all has won; nobody may pass. It begins with the player who "
            "is named below the first board. Write the row and column of the pins, which are "
            "counted from 1 at the top left: for example 'r2c3' for one pin, and 'r2c3, r2c4' for "
            "two.",
        )
