"""Wild tic-tac-toe, in which both players choose the sign of each move, and its misère form, which
Elliott Mendelson describes in "Introducing Game Theory and Its Applications" (2004); also reverse
tic-tac-toe, in which each player has one sign and whoever completes a line loses.
"""

from random import Random
from typing import Any, Self

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.wild_lines import State
from palaestra.generators.matches.wild_lines import WildLines as WildLinesRules
from palaestra.task import ladder

LENGTH = 3
"""The equal signs of a line."""

TRIES = 50
"""How many positions are looked at for one that is hard enough."""


class WildLines(BoardMatch):
    """Complete a line of equal signs, or leave that to the other player, who plays perfectly."""

    answer_type = "cells"
    candidates = 1

    class Knobs(BoardMatch.Knobs):
        rows: int = ladder(3, 4, 4, 4, 4, 4, low=3, high=5)
        columns: int = ladder(4, 4, 4, 5, 5, 5, low=3, high=5)
        free: int = ladder(7, 9, 11, 13, 14, 15, low=3, high=16)  # cells, if a line wins
        misere_free: int = ladder(5, 6, 7, 8, 9, 11, low=3, high=12)  # cells, if a line loses
        # How often whoever makes a line loses, and in how many of these games each has one sign.
        misere: float = ladder(0.5, 0.5, 0.6, 0.75, 0.8, 0.9, low=0.0, high=1.0)
        fixed: float = ladder(0.3, 0.3, 0.3, 0.2, 0.2, 0.1, low=0.0, high=1.0)
        least_moves: int = ladder(2, 2, 3, 3, 4, 4, low=1, high=6)
        # Of a player who makes any move that does not lose at once.
        most_caution: float = ladder(0.5, 0.3, 0.1, 0.05, 0.02, 0.005, low=1e-3)
        most_chance: float = ladder(0.5, 0.2, 0.05, 0.02, 4e-3, 2e-3, low=1e-6)

    rows: int
    columns: int
    misere: bool
    fixed: bool

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        misere = rng.random() < knobs.misere
        fixed = misere and rng.random() < knobs.fixed
        variant = {"misere": float(misere), "fixed": float(fixed)}
        return super().generate(rng, knobs.model_copy(update=variant))

    @classmethod
    def rules_of(cls, knobs: Any) -> WildLinesRules:
        variant = bool(knobs.misere), bool(knobs.fixed)
        return WildLinesRules(knobs.rows, knobs.columns, LENGTH, *variant)

    def rules(self) -> WildLinesRules:
        return WildLinesRules(self.rows, self.columns, LENGTH, self.misere, self.fixed)

    @classmethod
    def opening(cls, rng: Random, rules: WildLinesRules, knobs: Any) -> State | None:
        """Of some positions that are won, the first one that caution alone rarely wins, or the one
        where it does so least often.
        """
        best: tuple[float, State] | None = None
        for _ in range(TRIES):
            state = cls._random_position(rng, rules, knobs)
            if state is None or not rules.wins(state):
                continue
            chance = rules.caution_is_enough(state)
            if best is None or chance < best[0]:
                best = chance, state
            if chance <= knobs.most_caution:
                break
        return best and best[1]

    @classmethod
    def _random_position(cls, rng: Random, rules: WildLinesRules, knobs: Any) -> State | None:
        """A position after random moves, in which nobody can win at once: one with so many free
        cells as the knobs say, or the last one before such moves end.
        """
        state = rules.start()._replace(turn=rng.randrange(2))
        before = None
        free = knobs.misere_free if rules.misere else knobs.free
        while rules.free(state).bit_count() > min(free, rules.rows * rules.columns - 1):
            moves = [move for move in rules.legal(state) if not rules.completes(state, move)]
            if not rules.misere:
                moves = [each for each in moves if not rules.threatened(rules.apply(state, each))]
            if not moves:
                return before
            before, state = state, rules.apply(state, rng.choice(moves))
        return state

    def description(self) -> str:
        return self.phrase(self._short(), self._long())

    def _short(self) -> str:
        size = f"{self.rows} rows and {self.columns} columns"
        signs = (
            "P places X and Q places O"
            if self.fixed
            else "that player chooses anew whether it is an X or an O; no sign belongs to a player"
        )
        ending = "loses" if self.misere else "wins"
        return (
            f"Tic-tac-toe with other rules, on a board of {size}. P and Q take turns, and each "
            f"turn places one sign on a free cell: {signs}. {LENGTH} equal signs next to each "
            "other in a row, a column or a diagonal are a line. Whoever completes a line "
            f"{ending} at once, {self._whoever()}. If the board is full without a line, the game "
            "is a draw. Passing is not allowed. A move is the sign and the cell, by row and column "
            "counted from 1 at the top left, such as 'X r2c3'."
        )

    def _long(self) -> str:
        signs = (
            "P marks cells with X only, and Q with O only."
            if self.fixed
            else "Both players may use both marks: in each turn, the player decides for X or for O."
        )
        ending = "has lost the game" if self.misere else "has won the game"
        return (
            f"The players P and Q alternately mark one empty cell of a board with {self.rows} rows "
            f"and {self.columns} columns, which are counted from 1 at the top left. {signs} A line "
            f"consists of {LENGTH} adjacent cells with the same mark, horizontally, "
            f"vertically or diagonally. The player who completes a line {ending}, "
            f"{self._whoever()}. A board that is full and has no line is a draw. Nobody may pass. "
            "Write the mark and the cell, for example 'X r2c3'."
        )

    def _whoever(self) -> str:
        """What completing a line means in words."""
        if self.fixed:
            return "and the other player " + ("wins" if self.misere else "loses")
        return "whoever placed the other signs of the line, and of whichever sign it is"
