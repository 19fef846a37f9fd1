"""Racing on squared paper, as Martin Gardner describes it in Scientific American, January 1973.

A move changes the velocity; what counts as the way of the car differs from one account to another,
and is stated here by whole numbers.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar, Self

from palaestra.generators.games.arcade.racetrack import (
    FINISHED,
    MOVES,
    RACING,
    Move,
    Shape,
    State,
    fastest,
    winding_track,
)
from palaestra.generators.games.arcade.racetrack import Racetrack as Rules
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.search import Plan
from palaestra.generators.states import encoded
from palaestra.task import Policy, Turn, ladder


class Racetrack(SoloGame):
    """Drive a car round the bends of a track to its finish in few moves."""

    tags = {"planning", "perfect-information", "spatial"}
    baseline_note = (
        "A player who looks three moves ahead, or brakes in time, drives through many bends in the "
        "fewest moves; long tracks have more bends."
    )
    search_budget: ClassVar[int] = 20_000

    class Knobs(SoloGame.Knobs):
        rows: int = ladder(2, 2, 3, 3, 4, 4, low=2, high=4)  # of blocks, see `Shape`
        columns: int = ladder(2, 3, 3, 4, 4, 4, low=2, high=4)
        blocks: int = ladder(3, 4, 6, 11, 13, 15, low=2, high=16)
        width: int = ladder(3, 3, 3, 3, 3, 3, low=2, high=4)
        pillars: int = ladder(1, 2, 3, 12, 14, 16, low=0, high=20)
        spare: int = ladder(3, 2, 1, 0, 0, 0, low=0, high=10)  # moves beyond the fewest

    track: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        blocks = min(knobs.blocks, knobs.rows * knobs.columns)
        shape = Shape(knobs.rows, knobs.columns, blocks, knobs.width, knobs.pillars)
        track, (row, column) = winding_track(rng, shape)
        start = encoded(State(row, column, 0, 0, RACING))
        task = cls(position=start, moves=0, track=track)
        plan = task.plan()
        return task.model_copy(update={"moves": len(plan.moves) + knobs.spare if plan else 0})

    def rules(self) -> Rules:
        return Rules(self.track)

    def plan(self) -> Plan[Move] | None:
        return fastest(self.rules(), self.start(), self.search_budget)

    def description(self) -> str:
        rules: Any = self.rules()
        names = ", ".join(f"'{rules.name(self.start(), move)}'" for move in MOVES)
        return self.phrase(
            "A car (C) races on a track of cells to the finish (F). '.' is a free cell of the "
            "track, and '#' is a wall. The car has a velocity, which is a number of rows, up or "
            "down, and a number of columns, to the left or right. It is 0 at the start. In each "
            "move, you change the number of rows by at most 1 and the number of columns by at most "
            f"1. The moves are {names}. For example, 'up' makes a velocity of 2 up and 1 left into "
            "3 up and 1 left, and one of 1 down into 0. Then the car goes as many rows and columns "
            "as its new velocity states. On its way it passes n cells one after another, where n "
            "is the larger one of the numbers of rows and columns. The k-th of these cells is k/n "
            "of the rows and k/n of the columns away from the cell where the move starts, both "
            "rounded to the nearest whole number, and halves up to the larger number; the last one "
            "is where the car goes. With 1 down and 4 right, for instance, the car passes the "
            "cells that are 0 down and 1 right, 1 down and 2 right, 1 down and 3 right, and 1 down "
            "and 4 right. If one of the cells is a wall or outside the board, the car crashes, and "
            "you lose, unless it has passed a cell of the finish before. You win as soon as it "
            "passes a cell of the finish; you lose when you have no moves left. Cells besides "
            "these n do not matter. Rows are counted from 1 at the top and "
            "columns from 1 at the left.",
            "Bring the car C to the finish F, on the dots and around the walls '#'. The velocity "
            "of the car is how many rows it goes up or down, and how many columns to the left or "
            "right, in a move; the car stands still at first. Before it goes, you choose how to "
            "change the velocity: by nothing, or by 1 in one of the four directions, or by 1 in "
            "two of them, such as up and left. So these are the moves: "
            f"{names}. As an example, 'right' changes 2 right to 3 right, and 2 left to 1 left. "
            "The way of the car is a list of n cells, where n is the number of rows or the number "
            "of columns of the new velocity, whichever is larger. To get the k-th cell, take "
            "k/n of the number of rows and k/n of the number of columns, round both to whole "
            "numbers (a half to the larger number), and count from the cell where the car stood. "
            "If the velocity is 1 down and 4 right, for example, the cells are 0 down 1 right, 1 "
            "down 2 right, 1 down 3 right, and 1 down 4 right. The cells are checked in this "
            "order. At the first one that is F, you win. At the first one that is '#' or not on "
            "the board, you have crashed and lose. Nothing else matters, such as corners that the "
            "car cuts. You also lose when no moves are left. Rows have numbers from the "
            "top and columns from the left, from 1 on.",
        )

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who look one to three moves ahead, or never drive fast."""
        rules = self.rules()

        def value(state: State, plies: int, most: int) -> float:
            if state.status:
                return 1e6 + plies if state.status == FINISHED else -1e6
            if max(abs(state.down), abs(state.right)) > most:
                return -1e5
            if plies == 0:
                return -rules.distance(state)
            return max(value(rules.apply(state, move), plies - 1, most) for move in MOVES)

        def player(plies: int, most: int) -> Policy:
            def move(turn: Turn) -> str:
                state = rules.decode(turn.state.rpartition(" ")[0])
                ways = [*MOVES]
                rng.shuffle(ways)
                best = max(ways, key=lambda way: value(rules.apply(state, way), plies - 1, most))
                return rules.name(state, best)

            return move

        return {
            **super().baselines(rng),
            "what looks best after three moves": player(3, 99),
            "one cell a move": player(2, 1),
            "two cells a move at most": player(3, 2),
            "three cells a move at most": player(3, 3),
        }
