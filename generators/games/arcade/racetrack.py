"""The rules of racing on squared paper, where a move changes the velocity by at most 1 each way."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from random import Random
from typing import NamedTuple

from palaestra.generators.cells import text as text_of
from palaestra.generators.games.solo import SoloRules
from palaestra.generators.search import Plan
from palaestra.scenes import Cell, Grid, Line
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase
from palaestra.verifiers.reading.cells import cell_name

WALL, TRACK, FINISH, CAR = "#.FC"

KEEP = "keep"
"""The move that leaves the velocity as it is."""

CRASHED, RACING, FINISHED = -1, 0, 1

_KEEPS = frozenset(
    ("keep", "keep going", "keep velocity", "keep the velocity", "keep speed", "keep the speed",
     "no change", "none", "coast", "hold", "keep it", "maintain", "keep the same velocity",
     "do not change", "change nothing", "leave the velocity as it is", "stay the course",
     "do nothing", "nothing", "stay", "no acceleration", "do not accelerate")
)  # fmt: skip
_FILLERS = frozenset(
    ("accelerate", "by", "1", "one", "and", "to", "the", "change", "velocity", "push", "go",
     "direction", "in", "towards", "diagonally")
)  # fmt: skip
"""Words around directions that say nothing."""

_SIGNS = str.maketrans({
    "\u2191": " up ", "\u2193": " down ", "\u2190": " left ", "\u2192": " right ",
    "\u2196": " up left ", "\u2197": " up right ", "\u2198": " down right ",
    "\u2199": " down left ", "-": " ", "/": " ", "+": " ", "?": " ",
})  # fmt: skip

_WAYS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}

Move = tuple[int, int]
"""The change of the velocity, in rows downwards and columns to the right."""

MOVES: tuple[Move, ...] = tuple(product((-1, 0, 1), (-1, 0, 1)))


class State(NamedTuple):
    """Where the car is, its velocity in rows downwards and columns to the right, and whether it
    races, has finished or has crashed.
    """

    row: int
    column: int
    down: int
    right: int
    status: int


@dataclass(frozen=True)
class Racetrack(SoloRules[State, Move]):
    """Reach the finish."""

    track: tuple[str, ...]
    """Rows of signs."""

    def legal(self, state: State) -> Sequence[Move]:
        return () if state.status else MOVES

    def apply(self, state: State, move: Move) -> State:
        down, right = state.down + move[0], state.right + move[1]
        row, column = state.row, state.column
        for rows, columns in passed(down, right):
            row, column = state.row + rows, state.column + columns
            sign = self.sign(row, column)
            if sign != TRACK:
                return State(row, column, down, right, FINISHED if sign == FINISH else CRASHED)
        return State(row, column, down, right, RACING)

    def sign(self, row: int, column: int) -> str:
        """What is on a cell; a wall beyond the board."""
        inside = 0 <= row < len(self.track) and 0 <= column < len(self.track[0])
        return self.track[row][column] if inside else WALL

    def distance(self, state: State) -> float:
        """The steps to the finish, to any of the eight cells around."""
        if state.status:
            return 0.0 if state.status == FINISHED else float("inf")
        return float(steps_to_finish(self.track).get((state.row, state.column), 10**6))

    def why_lost(self, state: State) -> str:
        return f"the car left the track at {self._cell(state)}"

    def _cell(self, state: State) -> str:
        """The name of the cell of the car; beyond the board, too."""
        return f"row {state.row + 1}, column {state.column + 1}"

    def decode(self, text: str) -> State:
        return State(*super().decode(text))

    def name(self, state: State, move: Move) -> str:
        down, right = ("up", "", "down")[move[0] + 1], ("left", "", "right")[move[1] + 1]
        return f"{down} {right}".strip() or KEEP

    def read(self, state: State, text: str) -> Move:
        body = " ".join(phrase(text).translate(_SIGNS).split())
        if body in _KEEPS:
            return 0, 0
        words = [word for word in body.split() if word not in _FILLERS]
        ways = [_WAYS[word] for word in words if word in _WAYS]
        move = sum(way[0] for way in ways), sum(way[1] for way in ways)
        axes = {way[0] == 0 for way in ways}
        if not ways or len(ways) < len(words) or len(axes) < len(ways):
            raise InvalidAnswer(
                f"expected one of {', '.join(self.name(state, each) for each in MOVES)}"
            )
        return move

    def show(self, state: State) -> str:
        rows = [[*row] for row in self.track]
        if self.sign(state.row, state.column) != WALL:
            rows[state.row][state.column] = CAR
        numbers = [" ", *(str(n + 1) for n in range(len(self.track[0])))]
        board = text_of([numbers, *([str(n), *row] for n, row in enumerate(rows, 1))])
        return (
            f"{board}\n\nThe car is at {cell_name(state.row, state.column)}. "
            f"Its velocity is {velocity(state.down, state.right)}."
        )

    def scene(self, state: State) -> Grid:
        looks = {
            WALL: Cell(fill="dark"),
            TRACK: Cell(),
            FINISH: Cell(FINISH, fill="t2"),
        }
        cells = [[looks[sign] for sign in row] for row in self.track]
        inside = 0 <= state.row < len(cells) and 0 <= state.column < len(cells[0])
        if inside:
            fill = looks[self.track[state.row][state.column]].fill
            cells[state.row][state.column] = Cell(CAR, fill=fill, mark="disc", tone="accent")
        before = state.row - state.down, state.column - state.right
        moved = inside and before != (state.row, state.column)
        lines = (Line((before, (state.row, state.column)), arrow=True),) if moved else ()
        # Where a move was cut short, the car was elsewhere before it.
        return Grid(
            tuple(map(tuple, cells)),
            lines=lines if state.status == RACING else (),
            coordinates=True,
        )


@lru_cache(maxsize=1_024)
def passed(down: int, right: int) -> tuple[tuple[int, int], ...]:
    """The cells that a car passes with a velocity, the last one included, from where it was.

    With n as the larger one of the two numbers without their signs, there are n of them, and the
    k-th one is k/n of the velocity away, rounded to whole numbers, halves away from 0.

    >>> passed(1, 2), passed(-1, 0), passed(0, 0), passed(3, -2)
    (((1, 1), (1, 2)), ((-1, 0),), (), ((1, -1), (2, -1), (3, -2)))
    """
    number = max(abs(down), abs(right))

    def part(speed: int, k: int) -> int:
        size = (2 * k * abs(speed) + number) // (2 * number)
        return size if speed > 0 else -size

    return tuple((part(down, k), part(right, k)) for k in range(1, number + 1))


def velocity(down: int, right: int) -> str:
    """A velocity in words.

    >>> velocity(0, 0), velocity(-2, 0), velocity(1, 3)
    ('0', '2 up', '1 down and 3 right')
    """
    parts = [f"{abs(down)} {'down' if down > 0 else 'up'}"] if down else []
    parts += [f"{abs(right)} {'right' if right > 0 else 'left'}"] if right else []
    return " and ".join(parts) or "0"


@lru_cache(maxsize=256)
def steps_to_finish(track: tuple[str, ...]) -> dict[tuple[int, int], int]:
    """The number of steps from each cell to the finish, to any of the eight cells around."""
    cells = {(r, c): sign for r, row in enumerate(track) for c, sign in enumerate(row)}
    steps = {cell: 0 for cell, sign in cells.items() if sign == FINISH}
    waiting = deque(steps)
    while waiting:
        row, column = waiting.popleft()
        for r, c in MOVES:
            cell = row + r, column + c
            if cell not in steps and cells.get(cell, WALL) != WALL:
                steps[cell] = steps[row, column] + 1
                waiting.append(cell)
    return steps


@lru_cache(maxsize=512)
def fastest(rules: Racetrack, start: State, budget: int) -> Plan[Move] | None:
    """A plan of the fewest moves to the finish; None where the search of so many states finds
    none.
    """
    came: dict[State, tuple[State, Move] | None] = {start: None}
    waiting = deque([start])
    while waiting and len(came) < budget:
        state = waiting.popleft()
        for move in MOVES:
            new = rules.apply(state, move)
            if new.status == CRASHED or new in came:
                continue
            came[new] = state, move
            if new.status == FINISHED:
                return Plan(_retraced(came, new), len(came))
            waiting.append(new)
    return None


def _retraced(came: dict[State, tuple[State, Move] | None], state: State) -> tuple[Move, ...]:
    """The moves that lead to a state."""
    path = list[Move]()
    while (step := came[state]) is not None:
        state, move = step
        path.append(move)
    return tuple(reversed(path))


class Shape(NamedTuple):
    """What a track is like."""

    rows: int
    """Rows of blocks, of which the track has some."""
    columns: int
    blocks: int
    width: int
    """The rows and columns of a block, which are the width of the track."""
    pillars: int
    """Walls on the track."""


def winding_track(rng: Random, shape: Shape) -> tuple[tuple[str, ...], tuple[int, int]]:
    """A random track along a path of blocks that does not cross itself, and its first cell."""
    path = _path(rng, shape)
    size = shape.width + 1
    height, width = shape.rows * size + 1, shape.columns * size + 1
    cells = [[WALL] * width for _ in range(height)]
    for n, (row, column) in enumerate(path):
        # The cells between a block and the next one belong to the track.
        r, c = path[n + 1] if n + 1 < len(path) else (row, column)
        for y in range(1 + min(row, r) * size, 1 + max(row, r) * size + shape.width):
            for x in range(1 + min(column, c) * size, 1 + max(column, c) * size + shape.width):
                cells[y][x] = TRACK
    (row, column), (last_row, last_column) = path[0], path[-1]
    way = (last_row - path[-2][0], last_column - path[-2][1])
    for k in range(shape.width):
        # The finish is the far side of the last block.
        y = k if way[0] == 0 else (shape.width - 1) * (way[0] > 0)
        x = k if way[1] == 0 else (shape.width - 1) * (way[1] > 0)
        cells[1 + last_row * size + y][1 + last_column * size + x] = FINISH
    start = (
        1 + row * size + rng.randrange(shape.width),
        1 + column * size + rng.randrange(shape.width),
    )
    free = [
        (y, x)
        for y in range(height)
        for x in range(width)
        if cells[y][x] == TRACK and (y, x) != start
    ]
    for y, x in rng.sample(free, min(len(free), shape.pillars)):
        cells[y][x] = WALL
    return _cut(cells, start)


def _cut(
    cells: Sequence[Sequence[str]], start: tuple[int, int]
) -> tuple[tuple[str, ...], tuple[int, int]]:
    """A track without rows and columns of walls but for one on each side, and its first cell."""
    rows = [y for y, row in enumerate(cells) if {*row} != {WALL}]
    columns = [x for x, column in enumerate(zip(*cells)) if {*column} != {WALL}]
    top, left = rows[0] - 1, columns[0] - 1
    kept = cells[top : rows[-1] + 2]
    track = tuple("".join(row[left : columns[-1] + 2]) for row in kept)
    return track, (start[0] - top, start[1] - left)


def _path(rng: Random, shape: Shape) -> list[tuple[int, int]]:
    """A random path of different neighbouring blocks; the longest one of some where none is as
    long as it should be.
    """
    best = list[tuple[int, int]]()
    for _ in range(50):
        path = [(rng.randrange(shape.rows), rng.randrange(shape.columns))]
        while len(path) < shape.blocks:
            row, column = path[-1]
            ways = [
                (row + r, column + c)
                for r, c in _WAYS.values()
                if 0 <= row + r < shape.rows
                and 0 <= column + c < shape.columns
                and (row + r, column + c) not in path
            ]
            if not ways:
                break
            path.append(rng.choice(ways))
        if len(path) > len(best):
            best = path
        if len(best) == shape.blocks:
            break
    return best
