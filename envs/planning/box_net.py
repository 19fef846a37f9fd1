"""Boxes that robot arms pass on across a grid, after BoxNet of Yongchao Chen and others (2023).

Every arm works in every step, so a plan is a schedule; boxes are routed one after the other around
earlier reservations, as in Michael Erdmann and Tomas Lozano-Perez's planning by priority (1987).
"""

from collections.abc import Iterable
from random import Random
from typing import Self

from palaestra.generators.planning.box_net import NAMES, WAYS, Box, Cell, Step, beside, done, solved
from palaestra.generators.planning.pictures import PicturedPlan
from palaestra.scenes import Cell as Square
from palaestra.scenes import Grid
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.moves import order_lines


class BoxNet(PicturedPlan):
    """Schedule robot arms on a grid that pass boxes on to their destinations."""

    tags = {"planning", "scheduling", "spatial"}
    baseline_note = (
        "boxes on different ways do not meet, so that moving each one straight on is right "
        "unless two need the same arm at once; with more boxes they do so more often"
    )
    units = "steps"

    class Knobs(PicturedPlan.Knobs):
        rows: int = ladder(2, 3, 3, 3, 4, 4, low=2, high=6)
        columns: int = ladder(3, 3, 3, 4, 4, 5, low=3, high=6)
        boxes: int = ladder(3, 4, 5, 7, 9, 12, low=3, high=14)
        idle: int = ladder(0, 0, 1, 2, 3, 4, high=5)  # arms that do not work
        spare: int = ladder(1, 1, 1, 1, 0, 0)  # steps beyond those of the solver

    rows: int
    columns: int
    boxes: tuple[Box, ...]
    idle: tuple[Cell, ...]
    spare: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        cells = [(r, c) for r in range(knobs.rows) for c in range(knobs.columns)]
        idle = rng.sample(cells, min(knobs.idle, len(cells) // 3))
        live = [cell for cell in cells if cell not in idle]
        boxes = list[Box]()
        while len(boxes) < knobs.boxes:
            start, goal = rng.choice(live), rng.choice(cells)
            if start != goal:
                boxes.append((start, goal))
        return cls(
            rows=knobs.rows,
            columns=knobs.columns,
            boxes=tuple(boxes),
            idle=tuple(sorted(idle)),
            spare=knobs.spare,
        )

    def search(self) -> list[Step] | None:
        return solved(self.boxes, self.idle, (self.rows, self.columns))

    def move_limit(self) -> int:
        return len(self.plan()) + self.spare

    def is_valid(self) -> bool:
        """Whether boxes have to move at the same time."""
        plan = self.search()
        return plan is not None and sum(map(len, plan)) > self.move_limit() + 1

    def canonical(self) -> str:
        return repr((self.rows, self.columns, sorted(self.boxes), self.idle, self.spare))

    def prompt(self) -> str:
        boxes = "\n".join(
            f"{NAMES[n]}: from {cell_name(*start)} to {cell_name(*goal)}"
            for n, (start, goal) in enumerate(self.boxes)
        )
        broken = ", ".join(cell_name(*cell) for cell in self.idle)
        task = self.phrase(
            f"A floor of {self.rows} rows by {self.columns} columns of cells has a robot arm in "
            "each cell.",
            f"There is one robot arm in every cell of a grid with {self.rows} rows and "
            f"{self.columns} columns.",
        )
        return (
            f"{task} Cell r1c2 is in row 1, counted from the top, and column 2, counted from the "
            "left. In each step an arm can take one box that is in its cell when the step begins, "
            "and put it into a cell beside it, up, down, left or right, on the grid. An arm "
            "moves at most one box a step, but all arms can work at the same time. Any number of "
            "boxes may be in a cell."
            + (f" The arms of these cells are broken and move nothing: {broken}." if broken else "")
            + f"\n\nBring each box to its destination:\n{boxes}\n\nUse at most "
            f"{self.move_limit()} steps. Write one step per line: all boxes that are moved in it, "
            "each with its direction, separated by commas, such as 'A up, C left'."
        )

    def picture(self, state: tuple[Cell, ...]) -> Grid:
        return Grid(
            tuple(
                tuple(self.cell_picture(state, (r, c)) for c in range(self.columns))
                for r in range(self.rows)
            ),
            coordinates=True,
        )

    def cell_picture(self, state: tuple[Cell, ...], cell: Cell) -> Square:
        """A cell with the boxes in it, and "off" if its arm is broken."""
        boxes = " ".join(NAMES[n] for n, each in enumerate(state) if each == cell)
        idle = cell in self.idle
        fill = "muted" if idle else "t1" if boxes else "paper"
        return Square(boxes, fill, corner="off" if idle else "")

    def goal_picture(self) -> Grid:
        return self.picture(tuple(goal for _, goal in self.boxes))

    def as_text(self, moves: Iterable[Step]) -> str:
        return "\n".join(
            ", ".join(f"{NAMES[n]} {way}" for n, way in sorted(step.items()))
            for step in moves
            if step
        )

    def read(self, answer: str) -> list[Step]:
        numbers = {NAMES[n]: n for n in range(len(self.boxes))}
        lines = order_lines(answer, numbers, WAYS, what="one step per line, such as 'A up, C left'")
        plan = [{numbers[name]: way for name, way in line} for line in lines]
        if any(len(moved) < len(line) for moved, line in zip(plan, lines)):
            raise InvalidAnswer("a box is moved twice in one step")
        return plan

    def initial(self) -> tuple[Cell, ...]:
        return tuple(start for start, _ in self.boxes)

    def after(self, state: tuple[Cell, ...], move: Step) -> tuple[Cell, ...]:
        return done(state, move, self.idle, (self.rows, self.columns))

    def moves_from(self, state: tuple[Cell, ...]) -> Iterable[Step]:
        """Steps in which each arm takes a box of its cell, if there is one, to a cell beside it.

        They differ in which box it takes and in the direction it prefers of those that lead nearer
        to the destination.
        """
        boxes = range(len(state))
        for order in (boxes, boxes[::-1], sorted(boxes, key=lambda n: -self.away(n, state[n]))):
            for ways in (tuple(WAYS), tuple(WAYS)[::-1]):
                step: Step = {}
                busy = set(self.idle)
                for n in order:
                    nearer = [way for way in ways if self.comes_nearer(n, state[n], way)]
                    if nearer and state[n] not in busy:
                        busy.add(state[n])
                        step[n] = nearer[0]
                yield step

    def away(self, box: int, cell: Cell) -> int:
        """How many cells a box in a cell is away from its destination."""
        return sum(abs(a - b) for a, b in zip(cell, self.boxes[box][1]))

    def comes_nearer(self, box: int, cell: Cell, way: str) -> bool:
        """Whether a box comes nearer to its destination, by a cell whose arm works."""
        end = beside(cell, way)
        away = self.away(box, end)
        return away < self.away(box, cell) and (end not in self.idle or not away)

    def distance(self, state: tuple[Cell, ...]) -> float:
        return sum(self.away(n, cell) for n, cell in enumerate(state))

    def violation(self, state: tuple[Cell, ...]) -> str:
        for name, cell, (_, goal) in zip(NAMES, state, self.boxes):
            if cell != goal:
                return f"box {name} is not at its destination in the end"
        return ""

    def audit(self, answer: str) -> bool:
        """Follows each box alone, and reserves the arms that it uses."""
        plan, booked, idle = self.read(answer), set[tuple[int, Cell]](), set(self.idle)
        grid = {(r, c) for r in range(self.rows) for c in range(self.columns)}
        for n, (cell, goal) in enumerate(self.boxes):
            for time, way in ((t, step[n]) for t, step in enumerate(plan) if n in step):
                if (time, cell) in booked or cell in idle:
                    return False
                booked.add((time, cell))
                cell = (cell[0] + WAYS[way][0], cell[1] + WAYS[way][1])  # noqa: PLW2901
                if cell not in grid:
                    return False
            if cell != goal:
                return False
        return len(plan) <= self.move_limit()

    def difficulty(self) -> float:
        return float(sum(map(len, self.plan())) * len(self.boxes))

    def shortcuts(self) -> Iterable[str]:
        """One box after the other."""
        lines = []
        for n in range(len(self.boxes)):
            lines += [f"{NAMES[n]} {step[n]}" for step in self.plan() if n in step]
        yield "\n".join(lines)
