"""Three Men's Morris, which is described in the Libro de los juegos of Alfonso X (1283), also on
larger boards.
"""

from random import Random
from typing import Any

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.three_mens_morris import MEN, State
from palaestra.generators.matches.three_mens_morris import ThreeMensMorris as MorrisRules
from palaestra.task import ladder

PLIES = 12
"""The most moves that players make in an opening after all men are placed."""


class ThreeMensMorris(BoardMatch):
    """Get three men in a line within a number of moves against a perfect opponent."""

    answer_type = "cells"
    candidates = 32
    baseline_note = (
        "A win of three or four moves consists mostly of threats, and a player who makes lines of "
        "two men finds about one of six."
    )

    class Knobs(BoardMatch.Knobs):
        size: int = ladder(3, 3, 4, 4, 4, 4, low=3, high=5)
        moves: int = ladder(2, 3, 3, 3, 3, 4, low=2, high=4)  # of the winner, to the end
        least_moves: int = ladder(1, 2, 2, 3, 3, 4, low=1, high=4)
        most_chance: float = ladder(1.0, 0.1, 0.04, 0.015, 0.003, 0.0008, low=1e-6)

    size: int

    @classmethod
    def rules_of(cls, knobs: Any) -> MorrisRules:
        return MorrisRules(knobs.size)

    def rules(self) -> MorrisRules:
        return MorrisRules(self.size)

    @classmethod
    def opening(cls, rng: Random, rules: MorrisRules, knobs: Any) -> State | None:
        """A position after random moves of which none makes a line, and where none can at once."""
        state = rules.start()
        for _ in range(2 * MEN + rng.randrange(PLIES)):
            moves = [move for move in rules.legal(state) if not rules.closes(state, move)]
            if not moves:
                return None
            state = rules.apply(state, rng.choice(moves))
        if rules.outcome(state) is not None or rules.closes(state, rules.legal(state)[0]):
            return None
        return state._replace(left=2 * knobs.moves - 1, hunter=state.turn)

    def description(self) -> str:
        start = self.start()
        hunter, other = self.rules().signs[:: 1 if start.hunter == 0 else -1]
        moves = (start.left + 1) // 2
        return self.phrase(
            f"Three Men's Morris on a board of {self.size} by {self.size} cells. X and O have "
            "three men each, all of which are on the board. In turn, each player moves one own "
            "man to a neighbouring empty cell. Neighbours are the cells above, below, to the left "
            "and to the right; where the sum of the row and the column of the man is even, the "
            "four diagonal neighbours count as well. A player who gets the three men into "
            "neighbouring cells of one straight line wins: in a row, a column, or a diagonal "
            f"along which men can move. A player who cannot move loses. {hunter} has to win within "
            f"{moves} moves of its own: if it has not, {other} wins. A move is the cell that the "
            "man leaves and the cell that it enters, by rows and columns counted from 1 at the "
            "top left, such as 'r1c2-r2c2'.",
            f"This is Three Men's Morris; the board has {self.size} rows and {self.size} columns, "
            "counted from 1 at the top left, and all men are placed: three of X and three of O. "
            "The players alternately move a man of their own by one step to an empty cell, "
            "horizontally or vertically. From cells whose row and column add up to an even "
            "number, and only from these, diagonal steps are allowed, too. The aim is a line of "
            "one's own three men without gaps, horizontal, vertical, or diagonal over cells with "
            f"diagonal steps. Whoever has no move loses. The number of moves is limited: {hunter} "
            f"must make a line with at most {moves} own moves, and otherwise {other} is the "
            "winner. Write the start and the end of the man's step, for example 'r1c2-r2c2'.",
        )
