"""Sliding on ice turn by turn, as in many computer games."""

from random import Random
from typing import ClassVar, Self

from palaestra.generators.games.puzzles.ice_sliding import HOLE, ICE, ROCK, SAND, State
from palaestra.generators.games.puzzles.ice_sliding import IceSliding as Rules
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.states import encoded
from palaestra.task import ladder


class IceSliding(SoloGame):
    """Collect all gems on a board of ice, on which moves go on until something is in the way."""

    tags = {"planning", "perfect-information", "spatial"}
    search_budget = 10_000
    tries: ClassVar[int] = 40
    """The number of boards to look at for one whose plan is long enough."""

    class Knobs(SoloGame.Knobs):
        height: int = ladder(4, 5, 6, 7, 8, 9, low=4, high=10)
        width: int = ladder(4, 5, 6, 7, 8, 9, low=4, high=10)
        gems: int = ladder(1, 2, 2, 3, 4, 5, low=1, high=6)
        least_moves: int = ladder(3, 5, 7, 9, 12, 15, low=2, high=20)
        spare: int = ladder(2, 1, 1, 0, 0, 0, low=0, high=20)  # moves beyond a shortest plan

    rows: tuple[str, ...]
    gems: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        best, length = cls._board(rng, knobs), 0
        for _ in range(cls.tries):
            task = cls._board(rng, knobs)
            plan = task.plan()
            if plan and len(plan.moves) > length:
                best, length = task, len(plan.moves)
            if length >= knobs.least_moves:
                break
        return best.model_copy(update={"moves": length + knobs.spare if length else 0})

    @classmethod
    def _board(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.height * knobs.width
        signs = [ROCK] * (size // 6) + [HOLE] * (size // 20) + [SAND] * (size // 20)
        signs += [ICE] * (size - len(signs))
        rng.shuffle(signs)
        ice = [cell for cell, sign in enumerate(signs) if sign == ICE]
        start, *gems = rng.sample(ice, knobs.gems + 1)
        rows = ("".join(signs[n : n + knobs.width]) for n in range(0, size, knobs.width))
        return cls(
            position=encoded(State(start, (1 << knobs.gems) - 1)),
            rows=tuple(rows),
            gems=tuple(sorted(gems)),
            moves=0,
        )

    def rules(self) -> Rules:
        return Rules(self.rows, self.gems)

    def description(self) -> str:
        return self.phrase(
            "You are '@' on a board of ice ('.'), with rocks ('#'), holes ('O'), sand (':') and "
            "gems ('*', on ice). A move is 'up', 'down', 'left' or 'right': you slide that way, "
            "over any number of cells, until a rock or the edge of the board is in front of you, "
            "or until you are on sand, where you stop. You collect each gem that you slide over or "
            "stop on. If you slide onto a hole, you are lost, also if you have just collected the "
            "last gem. A move on which you would not leave your cell is not legal. Collect all "
            "gems. A move looks like 'left'.",
            "Collect all gems ('*') on this frozen board. In each move you choose one of the "
            "directions 'up', 'down', 'left' and 'right', and slide in it cell by cell. The slide "
            "ends on the last cell before a rock ('#') or before the edge, or on the first cell of "
            "sand (':') that you reach; '.' is ice, and '@' is you. Gems lie on ice, do not stop "
            "you, and are yours as soon as you touch their cell. A hole ('O') ends the game with a "
            "loss when you reach it, even in a slide that collects the last gem. You cannot choose "
            "a direction in which the next cell is a rock or outside the board. For example, a "
            "move is 'left'.",
        )
