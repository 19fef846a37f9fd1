"""Sliding tiles turn by turn, as in the fifteen puzzle of Noyes Chapman (about 1880)."""

from random import Random
from typing import ClassVar, Self

from palaestra.generators.games.puzzles.fifteen_puzzle import FifteenPuzzle as Rules
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.sliding_tiles import in_order, walked
from palaestra.generators.states import encoded
from palaestra.task import ladder


class FifteenPuzzle(SoloGame):
    """Slide numbered tiles, one at a time, until they are in order."""

    tags = {"planning", "perfect-information", "spatial"}
    search_budget = 20_000
    tries: ClassVar[int] = 30
    """The number of boards to look at for one whose plan is long enough."""

    class Knobs(SoloGame.Knobs):
        rows: int = ladder(2, 3, 3, 3, 3, 4, low=2, high=4)
        columns: int = ladder(3, 3, 3, 3, 4, 4, low=3, high=4)
        least_moves: int = ladder(7, 9, 13, 17, 22, 26, low=2, high=28)  # of a shortest plan
        spare: int = ladder(4, 4, 4, 2, 2, 2, low=0, high=40)  # moves beyond a shortest plan

    columns: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        best, length = None, -1
        for _ in range(cls.tries):
            board = walked(rng, knobs.rows, knobs.columns, knobs.least_moves + rng.randrange(12))
            task = cls(position=encoded(board), columns=knobs.columns, moves=0)
            plan = task.plan()
            if best is None or (plan and len(plan.moves) > length):
                best, length = task, len(plan.moves) if plan else 0
            if length >= knobs.least_moves:
                break
        assert best is not None
        return best.model_copy(update={"moves": length + knobs.spare if length else 0})

    def rules(self) -> Rules:
        return Rules(self.columns)

    def description(self) -> str:
        rows = len(self.start()) // self.columns
        goal = self.rules().show(in_order(rows, self.columns)).removeprefix("Board:\n")
        return self.phrase(
            f"A frame of {rows} rows and {self.columns} columns holds numbered tiles and one gap "
            "(_). In each move, you slide one tile that is directly above, below, to the left or "
            "to the right of the gap into it, which leaves the gap where the tile was. A move is "
            f"the number of that tile, for example '5'. Bring the tiles into this order, the "
            f"goal:\n{goal}",
            f"Put these tiles in order, as a fifteen puzzle on {rows} rows and {self.columns} "
            "columns. All cells have a tile but the gap, which is shown as _. You name one tile a "
            "turn, by its number, such as '5'; it has to share a side with the gap, and changes "
            f"places with it. You win when the board looks like this goal:\n{goal}",
        )
