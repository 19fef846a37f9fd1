"""Crossing roads and rivers turn by turn, after arcade games of the early 1980s."""

from random import Random
from typing import Self

from palaestra.generators.games.arcade.road_crossing import GRASS, RIVER, ROAD, Lane, State
from palaestra.generators.games.arcade.road_crossing import RoadCrossing as Rules
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.states import encoded
from palaestra.task import ladder


class RoadCrossing(SoloGame):
    """Cross lanes of cars and rivers with logs, collecting coins, in a limited number of moves."""

    tags = {"planning", "perfect-information", "spatial", "simulation"}
    search_budget = 20_000

    class Knobs(SoloGame.Knobs):
        width: int = ladder(5, 6, 7, 7, 8, 9, low=4, high=10)
        roads: int = ladder(2, 2, 3, 4, 4, 5, low=1, high=6)
        rivers: int = ladder(0, 1, 1, 2, 2, 3, low=0, high=4)
        coins: int = ladder(1, 1, 1, 2, 3, 3, low=0, high=4)
        spare: int = ladder(2, 1, 1, 0, 0, 0, low=0, high=20)  # moves beyond a shortest plan

    width: int
    lanes: tuple[Lane, ...]
    coins: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        width = knobs.width
        inner = [ROAD] * knobs.roads + [RIVER] * knobs.rivers + [GRASS] * (knobs.rivers > 1)
        rng.shuffle(inner)
        lanes = (GRASS, *inner, GRASS)
        coins = cls._coins(rng, lanes, knobs)
        start = State((len(lanes) - 1) * width + rng.randrange(width), 0, (1 << len(coins)) - 1)
        task = cls(
            position=encoded(start), moves=0, width=width, coins=coins,
            lanes=tuple(cls._lane(rng, ground, width) for ground in lanes),
        )  # fmt: skip
        plan = task.plan()
        return task.model_copy(update={"moves": len(plan.moves) + knobs.spare if plan else 0})

    @staticmethod
    def _coins(rng: Random, lanes: tuple[str, ...], knobs: Knobs) -> tuple[int, ...]:
        """Cells of coins, which are not on rivers."""
        free = [
            row * knobs.width + column
            for row, ground in enumerate(lanes[:-1])
            for column in range(knobs.width)
            if ground != RIVER
        ]
        return tuple(sorted(rng.sample(free, min(knobs.coins, len(free)))))

    @staticmethod
    def _lane(rng: Random, ground: str, width: int) -> Lane:
        if ground == GRASS:
            return Lane(ground, 0, 0)
        share = 0.35 if ground == ROAD else 0.55
        things = sum(1 << column for column in range(width) if rng.random() < share)
        speed = rng.choice((-2, -1, 1, 2) if ground == ROAD else (-1, 1))
        return Lane(ground, speed, things)

    def rules(self) -> Rules:
        return Rules(self.width, self.lanes, self.coins)

    def description(self) -> str:
        coins = (
            "Collect all coins and be in the top row after that"
            if self.coins
            else "Reach the top row"
        )
        whole = len(self.coins) > 0
        also = (
            " A coin ('$', listed as well, with row and column, since a car may hide it) is "
            "collected when you are on its cell at the end of a turn." * whole
        )
        return self.phrase(
            f"{coins}. You are '@' on this board. In each turn, you first move: 'up', 'down', "
            "'left', 'right' or 'wait'; then all cars and logs move as many cells as the note "
            "beside their row states, and those that leave the board on one side come back on the "
            "other. On a road, '<' and '>' are cars, which drive to the left and to the right; you "
            "are hit if a car is on your cell after your move or after that of the cars (cars do "
            "not hit you where they only pass over your cell). On a river, '=' is a log and '~' is "
            "water; your move has to end on a log, which carries you along, and you are lost in "
            "the water or when a log carries you off the board. Grass is safe." + also + " A "
            "move looks like 'left'.",
            f"{coins} within the moves that you have. '@' is where you are. A turn has two parts. "
            "First you go one cell up, down, left or right, or wait. Then every row moves, as its "
            "note says: so many cells to the left or to the right, where what goes over the edge "
            "enters on the opposite side of the same row. Cars ('<' and '>', by their direction) "
            "drive on roads: after either part of a turn, no car may be on your cell; a car that "
            "jumps across your cell does no harm. Rivers have logs ('='): in the first part of a "
            "turn you must not end on water ('~'), and in the second part the log under you takes "
            "you with it, but not across the edge of the board, where you would be lost. On grass "
            "nothing happens." + also + " Write one of 'up', 'down', 'left', 'right' and 'wait', "
            "for example 'left'.",
        )
