"""Collecting dots in a maze turn by turn, chased by monsters, after arcade games of around 1980."""

from random import Random
from typing import Self

from palaestra.generators.games.arcade.dot_chase import FLOOR, WALL, State, steps_from
from palaestra.generators.games.arcade.dot_chase import DotChase as Rules
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.states import encoded
from palaestra.task import ladder


class DotChase(SoloGame):
    """Collect all dots in a maze while monsters chase you by a stated rule."""

    tags = {"planning", "perfect-information", "spatial", "simulation"}
    search_budget = 6_000

    class Knobs(SoloGame.Knobs):
        height: int = ladder(4, 5, 5, 6, 6, 7, low=3, high=9)
        width: int = ladder(4, 5, 6, 6, 7, 7, low=3, high=9)
        dots: int = ladder(2, 3, 4, 5, 6, 6, low=1, high=8)
        monsters: int = ladder(1, 1, 2, 2, 2, 3, low=0, high=4)
        period: int = ladder(3, 2, 2, 2, 2, 2, low=1, high=4)
        spare: int = ladder(3, 1, 1, 0, 0, 0, low=0, high=20)  # moves beyond a shortest plan

    rows: tuple[str, ...]
    dots: tuple[int, ...]
    period: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.height * knobs.width
        signs = [WALL] * (size // 4) + [FLOOR] * (size - size // 4)
        rng.shuffle(signs)
        rows = tuple("".join(signs[n : n + knobs.width]) for n in range(0, size, knobs.width))
        floor = [cell for cell, sign in enumerate(signs) if sign == FLOOR]
        connected = sorted(steps_from(rows, rng.choice(floor)))
        number = 1 + knobs.monsters + knobs.dots
        if len(connected) < number + 2:
            return cls(position="", moves=0, rows=rows, dots=(), period=knobs.period)
        start, *others = rng.sample(connected, number)
        monsters, dots = others[: knobs.monsters], tuple(sorted(others[knobs.monsters :]))
        task = cls(
            position=encoded(
                State(start, tuple(monsters), (1 << len(dots)) - 1, knobs.period - 1)
            ),
            moves=0, rows=rows, dots=dots, period=knobs.period,
        )  # fmt: skip
        plan = task.plan()
        return task.model_copy(update={"moves": len(plan.moves) + knobs.spare if plan else 0})

    def is_valid(self) -> bool:
        """Whether the dots can be collected, and the monsters make a difference."""
        return bool(self.position) and super().is_valid()

    def rules(self) -> Rules:
        return Rules(self.rows, self.dots, self.period)

    def description(self) -> str:
        often = (
            "after each of your moves"
            if self.period == 1
            else f"after every {self.period} moves of yours"
        )
        return self.phrase(
            "You are '@' in a maze ('#' is a wall, '.' floor, '*' a dot on the floor, 'M' a "
            "monster, below which there may be a dot). In each move, you go one cell up, down, "
            "left or right, or wait; a step into a wall or off the board is not legal. All "
            f"monsters move one cell at the same time, {often}: each one goes to a neighbouring "
            "cell from which the way to you, around walls, is shortest; if there are several, to "
            "the first of them in the order up, left, down, right. Other monsters are not in the "
            "way, and several may be on one cell. You are caught if you are on the cell of a "
            "monster after your move or after theirs. A dot is collected when you are on its cell; "
            "when you have collected the last one, you have won at once. A move is 'up', 'down', "
            "'left', 'right' or 'wait'; it looks like 'left'.",
            "Collect all dots ('*') of this maze without being caught. You ('@') move first: one "
            "step in one of the four directions, onto a cell of the board that is not a wall "
            f"('#'), or no step. Monsters ('M') take a step {often}, all at once. A monster knows "
            "the shortest way to where you are then, over any cells but walls, and takes a step "
            "that shortens it by one; among several such steps it prefers up to left, left to "
            "down, and down to right. Monsters do not block one another. They leave dots alone, "
            "also those on their cells. If you and a monster share a cell, whether by your step or "
            "by its own, the game is lost. You win with the last dot, before the monsters move. "
            "Write one of 'up', 'down', 'left', 'right' and 'wait', for example 'left'.",
        )
