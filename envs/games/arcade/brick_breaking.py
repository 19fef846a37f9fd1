"""A ball, a paddle and a wall of bricks turn by turn, after arcade games of the mid-1970s."""

from collections.abc import Callable, Mapping
from random import Random
from typing import ClassVar, Self

from palaestra.generators.games.arcade.brick_breaking import BrickBreaking as Rules
from palaestra.generators.games.arcade.brick_breaking import State, shortest_plan
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.search import Plan
from palaestra.generators.states import encoded
from palaestra.task import Policy, Turn, ladder


class BrickBreaking(SoloGame):
    """Break all bricks with a ball that bounces off a paddle, in a limited number of moves."""

    tags = {"planning", "perfect-information", "spatial", "simulation"}
    search_budget = 3_000
    tries: ClassVar[int] = 600
    """How many fields are looked at for one whose plan is long enough."""

    class Knobs(SoloGame.Knobs):
        height: int = ladder(5, 5, 5, 6, 6, low=4, high=9)
        width: int = ladder(7, 7, 8, 8, 8, low=5, high=9)
        bricks: int = ladder(3, 4, 4, 4, 5, low=1, high=5)
        least_moves: int = ladder(14, 24, 32, 40, 50, low=2, high=60)
        traps: int = ladder(0, 0, 1, 1, 1, low=0, high=1)  # 1: no rule of thumb wins
        spare: int = ladder(2, 1, 0, 0, 0, low=0, high=20)  # moves beyond a shortest plan

    rows: int
    columns: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        best, highest = cls._field(rng, knobs), (False, 0)
        for _ in range(cls.tries):
            task = cls._field(rng, knobs)
            plan = task.plan()
            length = len(plan.moves) if plan else 0
            hard = bool(knobs.traps) and length > 0 and not task.is_easy(length + knobs.spare)
            if (hard, length) > highest:
                best, highest = task, (hard, length)
            if length >= knobs.least_moves and hard == bool(knobs.traps):
                break
        length = highest[1]
        return best.model_copy(update={"moves": length + knobs.spare if length else 0})

    def is_easy(self, moves: int) -> bool:
        """Whether a rule of thumb wins in so many moves."""
        rules, start = self.rules(), self.start()
        return any(rules.follows(start, goal, moves) for goal in rules.thumbs().values())

    @classmethod
    def _field(cls, rng: Random, knobs: Knobs) -> Self:
        """Bricks in the upper half, and the ball below them."""
        upper = range(knobs.height // 2 * knobs.width)
        bricks = sum(1 << cell for cell in rng.sample(upper, min(knobs.bricks, len(upper))))
        row = rng.randrange(knobs.height // 2, knobs.height)
        start = State(
            row,
            rng.randrange(knobs.width),
            -1 if row == knobs.height - 1 else rng.choice((-1, 1)),
            rng.choice((-1, 1)),
            rng.randrange(1, knobs.width - 1),
            bricks,
        )
        return cls(position=encoded(start), moves=0, rows=knobs.height, columns=knobs.width)

    def rules(self) -> Rules:
        return Rules(self.rows, self.columns)

    def plan(self) -> Plan[int] | None:
        return shortest_plan(self.rules(), self.start(), self.search_budget)

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def player(goal: Callable[[State], int]) -> Policy:
            def move(turn: Turn) -> str:
                state = rules.decode(turn.state.rpartition(" ")[0])
                return rules.name(state, rules.towards(state, goal(state)))

            return move

        thumbs = {name: player(goal) for name, goal in rules.thumbs().items()}
        return {**super().baselines(rng), **thumbs}

    def description(self) -> str:
        last = self.rows + 1
        return self.phrase(
            "Break all bricks ('#') with a ball ('o') on this field ('.' is empty). A paddle "
            f"('===') of three cells moves along row {last}. In each turn, you first move the "
            "paddle by one column to the left or to the right, or wait; it has to stay within the "
            "field. Then the ball takes one diagonal step. Its direction consists of up or down "
            "and of left or right, and changes before the step where the step would leave the "
            "field: at the left or right edge, left and right are exchanged, and at the top edge, "
            "up becomes down. The diagonal cell in the direction that results decides:\n"
            "- If it is empty, the ball goes there.\n"
            "- If there is a brick, the brick is broken and disappears; the ball stays in its cell "
            "in this turn, and up and down are exchanged.\n"
            f"- If it is in row {last} and there is a cell of the paddle, the ball stays in its "
            "cell in this turn and then moves up: to the left from the left cell of the paddle, to "
            "the right from its right cell, and from its middle cell back to the side from which "
            "it came (left and right are exchanged).\n"
            f"- If it is in row {last} and the paddle is not there, the ball is lost, and so is "
            "the game.\n"
            "A move is 'left', 'right' or 'wait'; it looks like 'left'.",
            "You steer a paddle, three cells wide ('==='), below a field with bricks ('#') and a "
            "ball ('o'). When the last brick is gone, you have won. Every turn begins with your "
            "move: the paddle goes one column left or right within the field, or does not move. "
            "After that the ball moves, always diagonally, in four stages. (1) If the next column "
            "in its direction is outside the field, its horizontal direction is reversed. (2) If "
            "it goes up from row 1, it goes down from now on. (3) Look at the diagonal neighbour "
            "cell that now lies ahead. (4) If that cell holds a brick, remove the brick, reverse "
            "the vertical direction, and leave the ball where it is until the next turn. If the "
            f"cell lies in row {last}, which is that of the paddle, and the paddle covers it, the "
            "ball also waits where it is, and its direction becomes up; the left end of the paddle "
            "makes it go left, the right end makes it go right, and the middle reverses its "
            f"horizontal direction. If the paddle does not cover that cell of row {last}, you have "
            "lost. In all other cases the ball enters the cell. Write one of 'left', 'right' and "
            "'wait', for example 'left'.",
        )
