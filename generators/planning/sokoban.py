"""Warehouses of Sokoban as bit boards: pushes, pulls, hopeless squares, and a solver.

A cell is a number, row by row, and a set of cells an integer with a bit for each of them. Walls
all around keep a step to the side from leaving its row.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from random import Random

from palaestra.generators.search import Plan, a_star

State = tuple[int, int]
"""The boxes, and the cells to which the keeper can walk."""

Push = tuple[int, int]
"""The cell of a box, and the step by which its cell's number changes."""

FAR = float("inf")


def cells(board: int) -> Iterator[int]:
    """The cells of a set, the lowest first.

    >>> list(cells(0b1010))
    [1, 3]
    """
    while board:
        low = board & -board
        yield low.bit_length() - 1
        board ^= low


def shifted(board: int, step: int) -> int:
    """A set of cells, each moved by a step."""
    return board << step if step > 0 else board >> -step


class Warehouse:
    """The walls and the goals, and tables that depend on them alone."""

    def __init__(self, width: int, floor: int, goals: int) -> None:
        self.width = width
        self.floor = floor
        self.goals = goals
        self.steps = {"U": -width, "D": width, "L": -1, "R": 1}

    def reach(self, keeper: int, boxes: int) -> int:
        """The cells to which the keeper can walk."""
        free, area, grown, width = self.floor & ~boxes, 0, 1 << keeper, self.width
        while grown != area:
            area = grown
            grown |= area << 1 | area >> 1 | area << width | area >> width
            grown &= free
        return area

    def pushes(self, state: State) -> Iterator[tuple[Push, State]]:
        """Each push and the state after it, except for those that make a box unsolvable."""
        boxes, area = state
        open_cells = self.floor & ~boxes & self.live
        for step in self.steps.values():
            ready = boxes & shifted(area, step) & shifted(open_cells, -step)
            for cell in cells(ready):
                after = boxes ^ (1 << cell) ^ (1 << cell + step)
                if not self.stuck(after):
                    yield (cell, step), (after, self.reach(cell, after))

    def pulls(self, state: State) -> Iterator[State]:
        """Every state from which one push leads to this one."""
        boxes, area = state
        for step in self.steps.values():
            ready = boxes & shifted(area & shifted(area, -step), -step)
            for cell in cells(ready):
                after = boxes ^ (1 << cell) ^ (1 << cell + step)
                yield after, self.reach(cell + 2 * step, after)

    def stuck(self, boxes: int) -> bool:
        """Whether four walls and boxes in a square hold a box that is not on a goal."""
        solid = boxes | ~self.floor
        corner = solid & solid >> 1 & solid >> self.width & solid >> self.width + 1
        square = corner | corner << 1
        return bool((square | square << self.width) & boxes & ~self.goals)

    @cached_property
    def pushes_home(self) -> dict[int, list[tuple[int, int]]]:
        """For each cell that is not hopeless, the goals to which a box could be pushed if alone.

        Each goal is a bit of its own, and stands with the least number of pushes.
        """
        distances: dict[int, list[tuple[int, int]]] = {}
        for number, goal in enumerate(cells(self.goals)):
            away, queue = {goal: 0}, [goal]
            for cell in queue:
                for step in self.steps.values():
                    target, keeper = cell + step, cell + 2 * step
                    if self.floor >> target & 1 and self.floor >> keeper & 1 and target not in away:
                        away[target] = away[cell] + 1
                        queue.append(target)
            for cell, pushes in away.items():
                distances.setdefault(cell, []).append((1 << number, pushes))
        return distances

    @cached_property
    def live(self) -> int:
        """The cells from which a box could be pushed to a goal if it were alone."""
        return sum(1 << cell for cell in self.pushes_home)

    def distance(self, boxes: int) -> float:
        """A lower bound on the pushes that bring each box to a goal of its own."""
        if boxes not in self._known:
            least = {0: 0}  # by the goals that are taken
            for cell in cells(boxes):
                after: dict[int, int] = {}
                for taken, pushes in least.items():
                    for goal, more in self.pushes_home.get(cell, ()):
                        if not taken & goal and pushes + more < after.get(taken | goal, FAR):
                            after[taken | goal] = pushes + more
                least = after
            self._known[boxes] = min(least.values(), default=FAR)
        return self._known[boxes]

    @cached_property
    def _known(self) -> dict[int, float]:
        return {}

    def solution(self, boxes: int, keeper: int, budget: int) -> Plan[Push] | None:
        """Pushes that bring all boxes to goals, few but not always fewest, within a budget."""
        start = boxes, self.reach(keeper, boxes)
        return a_star(start, self.pushes, lambda state: 2 * self.distance(state[0]), budget)

    def walk(self, keeper: int, target: int, boxes: int) -> str:
        """A shortest way for the keeper from one cell to another, in letters."""
        ways, queue = {keeper: ""}, [keeper]
        for cell in queue:
            for letter, step in self.steps.items():
                neighbour = cell + step
                if (
                    neighbour not in ways
                    and self.floor >> neighbour & 1
                    and not boxes >> neighbour & 1
                ):
                    ways[neighbour] = ways[cell] + letter
                    queue.append(neighbour)
        return ways[target]

    def letters(self, keeper: int, boxes: int, plan: Sequence[Push]) -> str:
        """The steps of the keeper who carries out a plan of pushes."""
        names = {step: letter for letter, step in self.steps.items()}
        letters = ""
        for cell, step in plan:
            letters += self.walk(keeper, cell - step, boxes) + names[step]
            boxes ^= (1 << cell) ^ (1 << cell + step)
            keeper = cell
        return letters


def room(rng: Random, width: int, height: int, pillars: float, least: int = 1) -> int:
    """The floor of a random room: a share of its inside is wall, and the rest is connected.

    It has at least ``least`` cells, for which the inside has to be large enough.
    """
    inside = [y * width + x for y in range(1, height - 1) for x in range(1, width - 1)]
    largest = 0
    while largest.bit_count() < least:
        floor = sum(1 << cell for cell in inside)
        floor ^= sum(1 << cell for cell in rng.sample(inside, int(len(inside) * pillars)))
        while floor:
            area = Warehouse(width, floor, 0).reach(next(cells(floor)), 0)
            largest = max(largest, area, key=int.bit_count)
            floor &= ~area
    return largest


def scrambled(rng: Random, house: Warehouse, pulls: int, beam: int) -> State:
    """A solvable state: the solved one after ``pulls`` pulls, or fewer if none is possible.

    After each pull the search keeps only the ``beam`` states that are farthest from the goals.
    """
    free = house.floor & ~house.goals
    layer = [(house.goals, house.reach(rng.choice(list(cells(free))), house.goals))]
    seen = set(layer)
    for _ in range(pulls):
        after = [state for before in layer for state in house.pulls(before)]
        after = [state for state in dict.fromkeys(after) if state not in seen]
        if not after:
            break
        seen.update(after)
        after.sort(key=lambda state: (house.distance(state[0]), rng.random()))
        layer = after[-beam:]
    return rng.choice(layer)


@lru_cache(maxsize=32)
def parsed(rows: tuple[str, ...]) -> tuple[Warehouse, int, int]:
    """A board in the usual signs: the warehouse, the boxes and the keeper's cell."""
    text = "".join(rows)
    marks = {
        sign: [n for n, each in enumerate(text) if each in sign] for sign in (".+*", "$*", "@+")
    }
    goals, boxes, keeper = marks.values()
    floor = sum(1 << n for n, sign in enumerate(text) if sign != "#")
    house = Warehouse(len(rows[0]), floor, sum(1 << cell for cell in goals))
    return house, sum(1 << cell for cell in boxes), keeper[0]


def printed(house: Warehouse, boxes: int, keeper: int, height: int) -> tuple[str, ...]:
    """A board in the usual signs, row by row."""
    signs = []
    for cell in range(house.width * height):
        goal, box = house.goals >> cell & 1, boxes >> cell & 1
        if not house.floor >> cell & 1:
            signs.append("#")
        elif cell == keeper:
            signs.append("@+"[goal])
        else:
            signs.append(("-.", "$*")[box][goal])
    text = "".join(signs)
    return tuple(text[n : n + house.width] for n in range(0, len(text), house.width))
