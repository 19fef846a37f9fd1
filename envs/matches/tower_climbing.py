"""Builders who climb towers: the game that Gordon Hamilton devised and published in 2004."""

from random import Random
from typing import Any

from palaestra.generators.matches.limited_wins import LimitedMatch
from palaestra.generators.matches.tower_climbing import DOME, TOP, State
from palaestra.generators.matches.tower_climbing import TowerClimbing as TowerClimbingRules
from palaestra.task import ladder

TRIES = 150
"""How many boards are looked at for a win of the right length."""

FILLS = 20
"""How many boards are filled at random for one where the player to move has enough choices."""


class TowerClimbing(LimitedMatch):
    """Step to the top of a tower within a number of moves against a perfect opponent."""

    answer_type = "cells"
    candidates = 1

    class Knobs(LimitedMatch.Knobs):
        size: int = ladder(3, 4, 4, 3, 4, 3, low=3, high=5)
        builders: int = ladder(1, 1, 1, 2, 2, 2, low=1, high=2)  # of each player
        domes: float = ladder(0.1, 0.3, 0.3, 0.05, 0.35, 0.1, low=0.0, high=0.5)  # of all cells
        choices: int = ladder(5, 10, 14, 20, 24, 18, low=2, high=24)  # legal moves at the start
        wins: int = ladder(3, 2, 2, 1, 1, 2, low=1, high=9)  # winning moves at the start, at most
        least_moves: int = ladder(2, 2, 3, 3, 3, 4, low=1, high=4)  # all that are allowed
        most_chance: float = ladder(1.0, 0.1, 0.01, 1e-3, 2e-4, 1e-4, low=1e-7)

    size: int
    builders: int

    @classmethod
    def rules_of(cls, knobs: Any) -> TowerClimbingRules:
        return TowerClimbingRules(knobs.size, knobs.size, knobs.builders)

    def rules(self) -> TowerClimbingRules:
        return TowerClimbingRules(self.size, self.size, self.builders)

    @classmethod
    def opening(cls, rng: Random, rules: TowerClimbingRules, knobs: Any) -> State | None:
        """A board that is filled at random, where the player to move wins in time with few of its
        moves, but in no shorter time; if there is none, the slowest win.
        """
        slowest, best = 0, None
        for _ in range(TRIES):
            state = _filled(rng, rules, knobs)
            if state is None:
                continue
            mine, theirs = state[1:3][:: -1 if state.turn else 1]
            moves = rules.shortest(state.heights, mine, theirs, knobs.least_moves) or 0
            if moves <= slowest:
                continue
            state = state._replace(left=2 * moves - 1)
            if moves < knobs.least_moves or rules.winning(state, knobs.wins + 1) <= knobs.wins:
                slowest, best = moves, state
            if slowest == knobs.least_moves:
                break
        return best

    def description(self) -> str:
        start = self.start()
        hunter, other = self.rules().signs[:: -1 if start.hunter else 1]
        moves = (start.left + 1) // 2
        board = f"{self.size} by {self.size} cells"
        each = "one builder" if self.builders == 1 else "two builders"
        which = "its builder" if self.builders == 1 else "one of its builders"
        return self.phrase(
            f"A game of builders and towers on a board of {board}. A number is the height of the "
            f"tower on a cell, from 0 to 4. The players A and B have {each} each; a letter behind "
            "a height shows whose builder is on this tower, and a dot that none is there. The "
            f"players take turns. In a turn, a player first moves {which} to one of the up to "
            "eight neighbouring cells. The new cell must have no builder, a height of at most 3, "
            "and may be lower than the old one by any number, as high, or higher by 1. Then this "
            "builder raises the tower on a cell next to its new cell by 1; that cell must have no "
            "builder and a height of at most 3, and may be the cell that the builder has just "
            "left. A player who steps to height 3 wins at once, without building. A player who "
            f"has to move and cannot step loses. {hunter} has to win within {moves} moves of its "
            f"own: if {other} can still step after them, {other} wins. A move is the cell that the "
            "builder leaves, the cell that it enters, and the cell that it builds on, by rows and "
            "columns counted from 1 at the top left, such as 'r1c1-r1c2 r2c2'; a step to height 3 "
            "is written without the third cell.",
            f"Two players, A and B, climb towers on {board}, whose rows and columns are counted "
            f"from 1 at the top left. They have {each} each. Each cell shows the height of its "
            "tower and then A or B if a builder of this player is on it. A turn consists of a step "
            f"and of building. For the step, the player chooses {which} and moves it to a cell "
            "that touches its cell, diagonally included, has no builder, and is at most one level "
            "higher; downwards, any difference is allowed. Towers of height 4 are complete: nobody "
            "may enter them. To build, the same builder adds one level to a tower next to it, on a "
            "cell without a builder whose height is below 4; the cell it came from counts as free. "
            "The first player whose builder enters a cell of height 3 has won, and does not build "
            "any more. Whoever has no step when it is their turn has lost. "
            f"The number of moves is limited: {hunter} must win with at most {moves} own moves. "
            f"If it is the turn of {other} after these, {other} is the winner, provided that it "
            "can still step. Write the start and the end of the step "
            "and then the cell where the tower grows, for example 'r1c1-r1c2 r2c2'; leave out the "
            "last cell if the step wins.",
        )


def _filled(rng: Random, rules: TowerClimbingRules, knobs: Any) -> State | None:
    """A board with towers of all heights, where both players' builders stand below the top and the
    player to move has enough choices; None if no such board comes up.
    """
    cells = range(rules.rows * rules.columns)
    rest = 1 - knobs.domes
    weights = (0.25 * rest, 0.32 * rest, 0.32 * rest, 0.11 * rest, knobs.domes)
    for _ in range(FILLS):
        heights = tuple(rng.choices(range(DOME + 1), weights, k=len(cells)))
        low = [cell for cell in cells if heights[cell] < TOP]
        if len(low) < 2 * rules.builders:
            continue
        builders = rng.sample(low, 2 * rules.builders)
        first, second = (tuple(sorted(builders[n::2])) for n in (0, 1))
        turn = rng.randrange(2)
        state = State(heights, first, second, turn, 1, turn)
        if rules.outcome(state) is None and len(rules.legal(state)) >= knobs.choices:
            return state
    return None
