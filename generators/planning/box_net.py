"""Boxes that arms pass on across a grid: the effect of a step, and schedules of steps.

Boxes are routed one after the other around earlier reservations, which is planning by priority.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from palaestra.verifiers.planning.plans import Illegal
from palaestra.verifiers.reading.cells import cell_name

Cell = tuple[int, int]
Box = tuple[Cell, Cell]
"""Its start and its destination."""
Step = dict[int, str]
"""The boxes that move in a step, and their directions."""
Moment = tuple[Cell, int]
"""A cell, and the number of steps before."""

NAMES = "ABCDEFGHIJKLMNOP"
WAYS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def beside(cell: Cell, way: str) -> Cell:
    """The next cell in a direction.

    >>> beside((1, 1), "up")
    (0, 1)
    """
    return cell[0] + WAYS[way][0], cell[1] + WAYS[way][1]


def within(cell: Cell, size: Cell) -> bool:
    """Whether a cell is on a grid of ``size`` rows and columns."""
    return 0 <= cell[0] < size[0] and 0 <= cell[1] < size[1]


def done(
    cells: tuple[Cell, ...], step: Step, idle: Collection[Cell], size: Cell
) -> tuple[Cell, ...]:
    """The cells of the boxes after a step. Raises :class:`Illegal` if the step is not possible.

    >>> done(((0, 0), (0, 1)), {0: "right"}, idle=(), size=(1, 2))
    ((0, 1), (0, 1))
    """
    new, busy = list(cells), set[Cell]()
    for n, way in step.items():
        cell = cells[n]
        if cell in idle:
            raise Illegal(f"the arm of {cell_name(*cell)} is broken")
        if cell in busy:
            raise Illegal(f"the arm of {cell_name(*cell)} moves two boxes")
        busy.add(cell)
        new[n] = beside(cell, way)
        if not within(new[n], size):
            raise Illegal(f"box {NAMES[n]} leaves the grid")
    return tuple(new)


def routed(
    box: Box, idle: Collection[Cell], size: Cell, busy: set[Moment], most: int = 30
) -> list[tuple[Moment, str]] | None:
    """The fastest route of a box around busy arms: the cell, time and direction of its moves.

    >>> routed(((0, 0), (0, 2)), (), (1, 3), busy={((0, 0), 0)})
    [(((0, 1), 2), 'right'), (((0, 0), 1), 'right')]
    """
    start, goal = box
    came: dict[Moment, tuple[Moment, str] | None] = {(start, 0): None}
    layer = [start]
    for time in range(most + 1):
        if goal in layer:
            return _retraced(came, (goal, time))
        grown = []
        for cell in layer:
            works = cell not in idle and (cell, time) not in busy
            for way, end in [("", cell), *((way, beside(cell, way)) for way in WAYS if works)]:
                key = end, time + 1
                stuck = end in idle and end != goal
                if within(end, size) and key not in came and not stuck:
                    came[key] = (cell, time), way
                    grown.append(end)
        layer = grown
    return None


def _retraced(
    came: dict[Moment, tuple[Moment, str] | None], moment: Moment
) -> list[tuple[Moment, str]]:
    moves = []
    while (link := came[moment]) is not None:
        moment, way = link
        if way:
            moves.append((moment, way))
    return moves


def scheduled(
    boxes: Sequence[Box], idle: Collection[Cell], size: Cell, order: Iterable[int]
) -> list[Step] | None:
    """Steps that bring all boxes to their destinations, with priority by an order."""
    busy, plan = set[Moment](), list[Step]()
    for n in order:
        route = routed(boxes[n], idle, size, busy)
        if route is None:
            return None
        for (cell, time), way in route:
            plan += [{} for _ in range(time + 1 - len(plan))]
            plan[time][n] = way
            busy.add((cell, time))
    return plan


@lru_cache(maxsize=256)
def solved(boxes: tuple[Box, ...], idle: tuple[Cell, ...], size: Cell) -> list[Step] | None:
    """The shortest schedule for some orders of the boxes."""
    far = sorted(
        range(len(boxes)),
        key=lambda n: -sum(abs(a - b) for a, b in zip(boxes[n][0], boxes[n][1])),
    )
    orders = [far[n:] + far[:n] for n in range(min(4, len(far)))]
    plans = [scheduled(boxes, idle, size, order) for order in orders]
    return min((plan for plan in plans if plan is not None), key=len, default=None)
