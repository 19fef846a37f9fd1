"""Flood filling, a computer game that is also known as Flood-It (LabPixies, 2006)."""

from random import Random
from typing import Self

from palaestra.generators.games.puzzles.flood_fill import NAMES
from palaestra.generators.games.puzzles.flood_fill import FloodFill as Rules
from palaestra.generators.games.solo import SoloGame, plan_of
from palaestra.generators.states import encoded
from palaestra.task import ladder


class FloodFill(SoloGame):
    """Give a board a single colour by filling from one corner, in few moves."""

    baseline_note = (
        "On boards of few colours, a player who looks two moves ahead for the largest region often "
        "needs no more than a shortest plan."
    )

    class Knobs(SoloGame.Knobs):
        size: int = ladder(4, 5, 6, 7, 7, 8, low=3, high=8)
        colours: int = ladder(3, 4, 5, 5, 6, 6, low=3, high=6)
        spare: int = ladder(1, 1, 0, 0, 0, 0, low=0, high=10)  # moves beyond a shortest plan

    size: int
    search_budget = 20_000

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        rules = Rules(knobs.size)
        board = tuple(rng.randrange(knobs.colours) for _ in range(knobs.size**2))
        plan = plan_of(rules, board, cls.search_budget)
        moves = len(plan.moves) + knobs.spare if plan else 0
        return cls(position=encoded(board), size=knobs.size, moves=moves)

    def rules(self) -> Rules:
        return Rules(self.size)

    def description(self) -> str:
        colours = ", ".join(f"{name[0].upper()} is {name}" for name in NAMES[: self.colours()])
        return self.phrase(
            f"Each cell of the board below has a colour ({colours}). The region of the upper left "
            "cell consists of all cells that can be reached from it by steps up, down, left and "
            "right between cells of its colour. In each move you name a colour, and all cells of "
            "this region take it; the region then also contains the neighbouring cells that have "
            "that colour already. Make the whole board one colour. A move is a colour other than "
            "the region's own, such as 'blue'.",
            f"Fill this board with one colour. A letter stands for a colour: {colours}. Your area "
            "starts with the cell at the top left and all cells of the same colour that are "
            "connected with it horizontally or vertically. A move recolours the whole area with a "
            "colour of your choice, other than its present one, and thereby adds all adjacent "
            "regions of the chosen colour to it. A move is the name of a colour, for example "
            "'blue'.",
        )

    def colours(self) -> int:
        """How many colours there are at the start, counted up to the last one."""
        colours: tuple[int, ...] = self.start()
        return max(colours) + 1
