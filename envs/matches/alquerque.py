"""Alquerque, which is described in the Libro de los juegos of Alfonso X (1283)."""

from random import Random
from typing import Any

from palaestra.generators.matches.alquerque import Alquerque as AlquerqueRules
from palaestra.generators.matches.alquerque import State
from palaestra.generators.matches.forced_wins import ForcedMatch
from palaestra.task import ladder


class Alquerque(ForcedMatch):
    """Capture or block all men within a number of moves against a perfect opponent."""

    version = 2
    answer_type = "cells"
    tries = 100
    most_nodes = 500
    all_nodes = 8_000

    class Knobs(ForcedMatch.Knobs):
        size: int = ladder(5, low=5, high=7)  # rows and columns; 7 if it is an even number
        men: int = ladder(3, 4, 3, 4, 4, low=2, high=6)  # of the player to move
        others: int = ladder(1, low=1, high=3)  # of the other player
        choices: int = ladder(3, 5, 5, 6, 8, low=2, high=12)
        wins: int = ladder(6, 3, 3, 2, 1, low=1, high=9)
        # A single move that wins is a capture, and thus forced.
        least_moves: int = ladder(2, 2, 3, 3, 3, low=2, high=4)
        traps: int = ladder(0, 0, 1, 1, 1, low=0, high=1)
        most_chance: float = ladder(1.0, 0.3, 0.05, 1e-2, 5e-3, low=1e-7)

    size: int

    @classmethod
    def rules_of(cls, knobs: Any) -> AlquerqueRules:
        return AlquerqueRules(knobs.size | 1)

    def rules(self) -> AlquerqueRules:
        return AlquerqueRules(self.size | 1)

    @classmethod
    def random_state(cls, rng: Random, rules: AlquerqueRules, knobs: Any) -> State:
        chosen = rng.sample(range(rules.size**2), knobs.men + knobs.others)
        mine, theirs = (
            sum(1 << n for n in each) for each in (chosen[: knobs.men], chosen[knobs.men :])
        )
        turn = rng.randrange(2)
        return State(*((theirs, mine) if turn else (mine, theirs)), turn)

    def description(self) -> str:
        start, size = self.start(), self.rules().size
        hunter, other = self.rules().signs[:: -1 if start.hunter else 1]
        moves = (start.left + 1) // 2
        count = "1 move" if moves == 1 else f"{moves} moves"
        return self.phrase(
            f"Alquerque on {size} by {size} points. X and O have men on some of them, and '.' is a "
            "free point. Lines join every point to those above, below, to the left and to the "
            "right of it; where the sum of the row and the column of a point is even, lines also "
            "join it to its four diagonal neighbours. The players take turns. A man moves along a "
            "line, in any direction, to the next point, which must be free. A man captures by "
            "jumping along a straight line over a man of the other player on the next point to "
            "the free point right behind it. A player who can capture has to, but may choose "
            "which capture. If the man can jump again from where it lands, in any direction, it "
            "must go on in the same move. No man is jumped twice, and the captured men are removed "
            "when the move has ended; until then they stand in the way. A player who has no men "
            f"or cannot move loses. {hunter} has to win within {count} of its own: if it has not, "
            f"{other} wins. A move is the points of its way by rows and columns counted from 1 at "
            "the top left, such as 'r2c3-r1c3', or 'r5c1-r3c3-r3c5' for two jumps.",
            f"This is a game of alquerque, an ancestor of draughts, on a board with {size} rows "
            f"and {size} columns of points, counted from 1 at the top left. Neighbours in a row or "
            "a column are connected by lines. Points whose row and column add up to an even number "
            "have diagonal connections as well, to all diagonal neighbours; other points have "
            "none. In a turn, a player moves one own man over one connection to an empty point "
            "('.'), forwards, backwards or sideways. Or a man jumps: over an opposing man on a "
            "connected point, straight on over the next connection to the empty point beyond. "
            "That captures the man that was jumped over. Captures are compulsory (any of them, if "
            "there are several), and the man that has jumped continues in the same turn as long as "
            "it can, also in other directions, over each man at most once. Captured men leave the "
            "board only after the last jump of the turn. Whoever is to move and has no legal move, "
            f"for instance because no man is left, has lost. {hunter} begins and must have won "
            f"after at most {count} of {hunter}; if not, {other} is the winner. Write a move as "
            "the points that the man visits, by row and column, for example 'r2c3-r1c3', or for "
            "several jumps 'r5c1-r3c3-r3c5'.",
        )
