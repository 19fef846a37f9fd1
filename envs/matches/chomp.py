"""Chomp, the game of David Gale (1974), which Frederik Schuh described with divisors in 1952."""

import json
from random import Random
from typing import Any

from palaestra.generators.matches.chomp import Chomp as ChompRules
from palaestra.generators.matches.chomp import State
from palaestra.generators.matches.impartial import ImpartialMatch
from palaestra.task import ladder


class Chomp(ImpartialMatch):
    """Win Chomp on a bar that is partly eaten against a perfect opponent."""

    answer_type = "cells"

    class Knobs(ImpartialMatch.Knobs):
        rows: int = ladder(4, 5, 6, 8, 8, 8, low=2, high=8)
        columns: int = ladder(5, 6, 8, 9, 10, 10, low=2, high=10)
        least_moves: int = ladder(2, 3, 4, 5, 6, 8, low=1, high=12)
        most_chance: float = ladder(0.1, 0.01, 1e-3, 1e-5, 1e-6, 1e-8, low=1e-12)

    rows: int
    columns: int

    @classmethod
    def rules_of(cls, knobs: Any) -> ChompRules:
        return ChompRules(knobs.rows, knobs.columns)

    def rules(self) -> ChompRules:
        return ChompRules(self.rows, self.columns)

    @classmethod
    def opening(cls, rng: Random, rules: ChompRules, knobs: Any) -> State:
        """All bars inside the rectangle have equal chances."""
        steps = sorted(rng.sample(range(rules.rows + rules.columns), rules.rows))
        lengths = [step - before for before, step in enumerate(steps)]
        return State(tuple(reversed(lengths)), rng.randrange(2))

    def canonical(self) -> str:
        """The bar or its mirror image."""
        bar = [length for length in self.start().bar if length]
        mirrored = [sum(length > column for length in bar) for column in range(bar[0])]
        return json.dumps(min(bar, mirrored))

    def description(self) -> str:
        return self.phrase(
            "Chomp on a bar of chocolate; a part of it is already eaten. X and O take turns. In "
            "each turn, a player chooses a square that is left, and eats it with all squares that "
            "are both in its row or below and in its column or to the right. The square in the "
            "top left corner, shown as P, is poisoned: whoever eats it loses. The squares that are "
            "left are shown as # and P, the others as dots. A move is the chosen square by row and "
            "column, counted from 1 at the top left, such as 'r1c1'.",
            "This is the game of Chomp. The signs # and P are squares of chocolate, the dots are "
            "squares that are gone. The players X and O alternate. A player names one of the "
            "squares, by which this square is removed, and so is every square that lies below it, "
            "to the right of it, or both (no higher and no further to the left). The player who "
            "has to take P, the top left square, loses. It begins with the player who is named "
            "below the first board. Rows and columns are counted from 1 at the top left; a move is "
            "a square, for example 'r1c1'.",
        )
