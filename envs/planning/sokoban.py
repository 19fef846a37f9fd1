"""Sokoban, the warehouse keeper's puzzle by Hiroyuki Imabayashi (1981).

Boards are made by pulling boxes away from their goals, so that each can be solved, and are kept
if a search over pushes solves them in a bounded number of steps.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.planning.pictures import PicturedPlan
from palaestra.generators.planning.sokoban import (
    Push,
    State,
    Warehouse,
    cells,
    parsed,
    printed,
    room,
    scrambled,
)
from palaestra.generators.search import Plan
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder
from palaestra.verifiers.planning.plans import Illegal
from palaestra.verifiers.planning.walks import greedy_walk
from palaestra.verifiers.reading.moves import directions

Rows = tuple[str, ...]

PUSHES = 60
"""The most pushes of a baseline player."""


@lru_cache(maxsize=256)
def solved(rows: Rows) -> Plan[Push] | None:
    """The pushes that solve a board, if the search needs few enough states."""
    house, boxes, keeper = parsed(rows)
    return house.solution(boxes, keeper, budget=1_000)


def turned(rows: Rows) -> Rows:
    """A board turned by a quarter.

    >>> turned(("ab", "cd"))
    ('ca', 'db')
    """
    return tuple("".join(column) for column in zip(*reversed(rows)))


class Sokoban(PicturedPlan):
    """Push all boxes of a warehouse onto goals, one box at a time, without pulling any."""

    version = 2
    tags = {"planning", "search", "spatial"}
    baseline_note = (
        "a box whose way to its goal is free can be pushed straight there, and the distances "
        "know of walls and dead ends; only boxes that block one another mislead"
    )
    answer_type = "moves"
    units = "steps"

    class Knobs(PicturedPlan.Knobs):
        width: int = ladder(6, 6, 7, 8, 9, 9, 10, high=12)
        height: int = ladder(6, 6, 7, 7, 8, 9, 10, high=12)
        boxes: int = ladder(1, 2, 2, 3, 3, 4, 4)
        pulls: int = ladder(5, 8, 12, 20, 28, 36, 50, low=4, high=80)  # away from the solved board

    rows: Rows
    limit: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        floor = room(rng, knobs.width, knobs.height, rng.uniform(0.1, 0.3), least=3 * knobs.boxes)
        goals = rng.sample(list(cells(floor)), knobs.boxes)
        house = Warehouse(knobs.width, floor, sum(1 << goal for goal in goals))
        boxes, area = scrambled(rng, house, knobs.pulls, beam=4)
        keeper = rng.choice(list(cells(area)))
        limit = 10 * (knobs.width + knobs.height) + 20 * knobs.boxes
        return cls(rows=printed(house, boxes, keeper, knobs.height), limit=limit)

    def is_valid(self) -> bool:
        """Whether a plan within the limit pushes boxes in more than one direction."""
        house, boxes, _ = parsed(self.rows)
        if house.distance(boxes) < 3 or not (plan := solved(self.rows)):
            return False
        ways = {step for _, step in plan.moves}
        return len(ways) > 1 and len(self.answer()) <= self.limit

    def canonical(self) -> str:
        boards = [self.rows]
        for _ in range(3):
            boards.append(turned(boards[-1]))
        return "/".join(min(*boards, *(board[::-1] for board in boards)))

    def prompt(self) -> str:
        board = "\n".join(self.rows)
        task = self.phrase(
            "Push every box onto a goal.", "Solve this Sokoban board: each box must end on a goal."
        )
        return (
            f"{task} The keeper walks one cell at a time, up, down, left or right. Walking into a "
            "box pushes it one cell further, if that cell holds no wall and no other box. Boxes "
            "cannot be pulled. Every step must be possible: no step may run into a wall, or push a "
            f"box that has no room.\n\n{board}\n\n# wall, - floor, @ keeper, $ box, . goal, "
            "* box on a goal, + keeper on a goal.\n\nWrite the steps in order, at most "
            f"{self.limit} of them, each as a letter U, D, L or R (up, down, left, right), such as "
            "'ULLDR'."
        )

    def picture(self, state: tuple[int, int]) -> Grid:
        house, (boxes, keeper), width = parsed(self.rows)[0], state, len(self.rows[0])
        wall = Cell(fill="dark")

        def square(cell: int) -> Cell:
            if not house.floor >> cell & 1:
                return wall
            goal = house.goals >> cell & 1
            fill = "t2" if goal else "paper"
            if boxes >> cell & 1:
                return Cell("*" if goal else "", fill, "box", "c2" if goal else "c1")
            if cell == keeper:
                return Cell("", fill, "person", "accent", "+" if goal else "")
            return Cell("", fill, "ring" if goal else "", "c2")

        rows = range(len(self.rows))
        return Grid(tuple(tuple(square(r * width + c) for c in range(width)) for r in rows))

    def search(self) -> str | None:
        house, boxes, keeper = parsed(self.rows)
        plan = solved(self.rows)
        return None if plan is None else house.letters(keeper, boxes, plan.moves)

    def move_limit(self) -> int:
        return self.limit

    def as_text(self, moves: Sequence[str]) -> str:
        return "".join(moves)

    def read(self, answer: str) -> str:
        return directions(answer)

    def initial(self) -> tuple[int, int]:
        return parsed(self.rows)[1:]

    def after(self, state: tuple[int, int], move: str) -> tuple[int, int]:
        house, (boxes, keeper) = parsed(self.rows)[0], state
        step = house.steps[move]
        keeper += step
        if not house.floor >> keeper & 1:
            raise Illegal("the keeper runs into a wall")
        if boxes >> keeper & 1:
            boxes ^= 1 << keeper
            if boxes >> keeper + step & 1 or not house.floor >> keeper + step & 1:
                raise Illegal("the keeper pushes a box that has no room to move")
            boxes |= 1 << keeper + step
        return boxes, keeper

    def moves_from(self, state: tuple[int, int]) -> Iterable[str]:
        return parsed(self.rows)[0].steps

    def baseline_plans(self, rng: Random) -> Mapping[str, str]:
        """Players that push a box at a time; the second and third reduce the distance to goals."""
        house, boxes, keeper = parsed(self.rows)

        def pushed(distance: Callable[[State], float], plies: int) -> str:
            start = boxes, house.reach(keeper, boxes)
            plan = greedy_walk(start, house.pushes, distance, PUSHES, rng, plies)
            return house.letters(keeper, boxes, plan)

        def far(state: State) -> float:
            return house.distance(state[0])

        return {
            "random pushes": pushed(lambda state: float(state[0] != house.goals), 1),
            "one-ply": pushed(far, 1),
            "two-ply": pushed(far, 2),
        }

    def violation(self, state: tuple[int, int]) -> str:
        left = (state[0] & ~parsed(self.rows)[0].goals).bit_count()
        return f"at the end, {left} of the boxes are not on goals" if left else ""

    def audit(self, answer: str) -> bool:
        """Whether the board, rewritten as text step by step, ends with a box on every goal."""
        text, letters = "".join(self.rows), self.read(answer)
        things = list(text.translate(str.maketrans("+*.", "@$-")))
        for letter in letters:
            step = {"L": -1, "R": 1, "U": -len(self.rows[0]), "D": len(self.rows[0])}[letter]
            ahead = slice(things.index("@"), None, step)
            sight = "".join(things[ahead][:3])
            for before, after in (("@-", "-@"), ("@$-", "-@$")):
                if sight.startswith(before):
                    things[ahead] = [*after, *things[ahead][len(after) :]]
                    break
            else:
                return False
        goals = (thing for thing, sign in zip(things, text) if sign in ".+*")
        return set(goals) == {"$"} and len(letters) <= self.limit

    def difficulty(self) -> float:
        return len(self.answer())

    def shortcuts(self) -> Iterable[str]:
        return [letter * 4 for letter in "UDLR"]
