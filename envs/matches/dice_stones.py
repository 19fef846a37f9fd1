"""A race of numbered stones with a die: EinStein würfelt nicht! by Ingo Althöfer (2004)."""

from random import Random
from typing import Any

from palaestra.generators.matches.dice_match import DiceMatch
from palaestra.generators.matches.dice_stones import DiceStones as Rules
from palaestra.generators.matches.dice_stones import State
from palaestra.task import ladder


class DiceStones(DiceMatch):
    """Race numbered stones, selected by a die, with the greatest probability to win."""

    answer_type = "cells"
    candidates = 6
    baseline_note = (
        "A player who looks at the lead after each roll of the other player searches two plies, "
        "and on boards that can be solved exactly few games are longer than six moves."
    )

    class Knobs(DiceMatch.Knobs):
        games: int = ladder(3, 3, 5, 6, 7, 8, low=1, high=8)
        least_decisions: int = ladder(1, 1, 2, 2, 2, 2, low=1, high=6)  # in a trial of each game
        most_gap: float = ladder(0.3, 0.15, 0.1, 0.06, 0.04, 0.03, low=0.01)  # of the closest one
        size: int = ladder(3, 3, 4, 4, 4, 5, low=3, high=5)
        stones: int = ladder(3, 3, 3, 3, 3, 3, low=2, high=3)  # of each player at the start
        # Combinations of cells that the stones of the first position may still reach.
        most_positions: int = ladder(
            100_000, 200_000, 8_000, 14_000, 20_000, 8_000, low=1_000, high=300_000
        )

    size: int
    stones: int

    def rules(self) -> Rules:
        return Rules(self.size, self.stones)

    @classmethod
    def trait(cls, move: tuple[int, int]) -> int:
        """The direction of a move, as diagonal ones would be right too often."""
        return move[1] - move[0]

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any, turn: int) -> State | None:
        last = rules.size**2 - 1
        first, second = (rng.sample(rules.corner(), rules.stones) for _ in range(2))
        state = State(tuple(first), tuple(last - cell for cell in second), rng.randrange(2), 0)
        while rules.combinations(state) > knobs.most_positions or state.turn != turn:
            state = rules.apply(state, rng.randint(1, rules.stones))
            state = rules.apply(state, rng.choice(rules.legal(state)))
            if rules.outcome(state) is not None:
                return None
        state = rules.apply(state, rng.randint(1, rules.stones))
        return state if len(rules.legal(state)) > 1 else None

    def game(self) -> str:
        board, stones = f"{self.size} by {self.size} cells", self.stones
        end = f"r{self.size}c{self.size}"
        return self.phrase(
            f"A race of X and O on {board}, with a fair die that has the faces 1 to {stones}. Each "
            f"player has at most {stones} stones, numbered 1 to {stones}; those that are missing "
            "have been captured. Before each move, the die is rolled, and the player moves the own "
            "stone of this number. If that stone has been captured, the player moves the own stone "
            "with the next lower or the next higher number that is still on the board, whichever "
            "the player chooses. A stone of X moves one cell to the right, down, or diagonally "
            "right and down; a stone of O moves one cell to the left, up, or diagonally left and "
            "up. A stone on the cell that it enters is captured and leaves the board, whichever "
            f"player owns it. X wins with a stone on {end}, and O with a stone on r1c1; a player "
            "whose opponent has no stones left wins as well. A move is two cells by row and "
            "column, counted from 1 at the top left, such as 'r2c1-r2c2'.",
            f"X and O move numbered stones (X1, O1, and so on) over a board of {board} towards the "
            f"opposite corner: X towards {end} and O towards r1c1. There are at most {stones} "
            f"stones on each side. A turn begins with the roll of a die with {stones} equally "
            "likely faces. The number says which own stone must move; if there is no such stone "
            "any more, it is the existing own stone with the nearest smaller or the nearest "
            "greater number, and if there are both, the player chooses. X's stones go one cell "
            "right, down or diagonally down to the right, O's stones one cell left, up or "
            "diagonally up to the left. The stone that was on the target cell, own or not, is "
            "removed. Whoever reaches the corner aimed at, or removes the last stone of the other "
            "player, wins. A move names the cell that the stone leaves and the one that it enters, "
            "rows first and counted from the top left, for example 'r2c1-r2c2'.",
        )
