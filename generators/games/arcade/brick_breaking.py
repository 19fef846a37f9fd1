"""The rules of a ball that breaks bricks and is kept in play by a paddle, and shortest plans."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from palaestra.generators.games.solo import SoloRules
from palaestra.generators.games.steps import WAIT, step_or_wait
from palaestra.generators.search import Plan
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.lead_ins import without_lead_in

SHIFTS = {WAIT: 0, "left": -1, "right": 1}
MOVES = (*SHIFTS,)
_STILL = frozenset(("do not move", "don t move", "no move", "not move", "keep still"))
_PADDLE = frozenset(("the", "paddle"))
LOST = -1
"""The row of a ball that was lost."""


class State(NamedTuple):
    """The row and the column of the ball, its steps down (1 or -1) and to the right (1 or -1), the
    column of the middle of the paddle, and the bricks that are left, as bits.
    """

    row: int
    column: int
    down: int
    right: int
    paddle: int
    bricks: int


@dataclass(frozen=True)
class BrickBreaking(SoloRules[State, int]):
    """Break all bricks. A move is the number of a shift of the paddle, which is below all rows."""

    rows: int
    """Those of the field, without the row of the paddle."""

    columns: int

    def legal(self, state: State) -> Sequence[int]:
        if state.row == LOST:
            return ()
        middles = range(1, self.columns - 1)
        return [n for n, shift in enumerate(SHIFTS.values()) if state.paddle + shift in middles]

    def apply(self, state: State, move: int) -> State:
        return self.rolled(state._replace(paddle=state.paddle + SHIFTS[MOVES[move]]))

    def rolled(self, state: State) -> State:
        """The state after the step of the ball."""
        row, column, down, right, paddle, bricks = state
        if not 0 <= column + right < self.columns:
            right = -right
        if row + down < 0:
            down = 1
        below, beside = row + down, column + right
        if below == self.rows:
            part = beside - paddle
            if abs(part) > 1:
                return State(LOST, column, down, right, paddle, bricks)
            return State(row, column, -1, part or -right, paddle, bricks)
        brick = 1 << below * self.columns + beside
        if bricks & brick:
            return State(row, column, -down, right, paddle, bricks ^ brick)
        return State(below, beside, down, right, paddle, bricks)

    def meets(self, state: State) -> int | None:
        """The column in which the next step of the ball meets the row of the paddle, if it does."""
        if state.row != self.rows - 1 or state.down < 0:
            return None
        beside = state.column + state.right
        return beside if 0 <= beside < self.columns else state.column - state.right

    def landing(self, state: State) -> tuple[int, int]:
        """Where the ball meets the row of the paddle next, and after how many steps before that;
        where all bricks are broken before, it is where it is then.
        """
        steps = 0
        while (column := self.meets(state)) is None and state.bricks:
            state, steps = self.rolled(state), steps + 1
        return (state.column if column is None else column), steps

    def distance(self, state: State) -> float:
        return float("inf") if state.row == LOST else float(state.bricks.bit_count())

    def judgement(self, state: State) -> float:
        """Few bricks, and the paddle near the column to which the ball comes."""
        if state.row == LOST:
            return float("-inf")
        return -10.0 * state.bricks.bit_count() - abs(self.landing(state)[0] - state.paddle)

    def thumbs(self) -> Mapping[str, Callable[[State], int]]:
        """Rules of thumb by name: the column to which the middle of the paddle should go."""

        def aimed(state: State, mean: float) -> int:
            """The part of the paddle that sends the ball towards a column meets the ball."""
            column = self.landing(state)[0]
            return column + (mean < column) - (mean > column)

        def to_the_mean(state: State) -> int:
            columns = self._brick_columns(state)
            return aimed(state, sum(columns) / max(1, len(columns)))

        def to_the_nearest(state: State) -> int:
            column = self.landing(state)[0]
            return aimed(state, min(self._brick_columns(state), key=lambda n: abs(n - column)))

        return {
            "below the ball": lambda state: state.column,
            "where the ball comes down": lambda state: self.landing(state)[0],
            "the end that sends the ball to the mean of the bricks": to_the_mean,
            "the end that sends the ball to the nearest brick": to_the_nearest,
        }

    def _brick_columns(self, state: State) -> list[int]:
        """The columns of the bricks that are left."""
        cells = range(self.rows * self.columns)
        return [cell % self.columns for cell in cells if state.bricks >> cell & 1]

    def towards(self, state: State, column: int) -> int:
        """The move that brings the middle of the paddle nearer to a column."""
        goal = min(max(column, 1), self.columns - 2)
        way = (goal > state.paddle) - (goal < state.paddle)
        return [*SHIFTS.values()].index(way)

    def follows(self, state: State, goal: Callable[[State], int], moves: int) -> bool:
        """Whether a player breaks all bricks who always goes where a rule of thumb says."""
        for _ in range(moves):
            if state.row == LOST or not state.bricks:
                break
            state = self.apply(state, self.towards(state, goal(state)))
        return state.row != LOST and not state.bricks

    def why_lost(self, state: State) -> str:
        return "the ball was lost" if state.row == LOST else super().why_lost(state)

    def decode(self, text: str) -> State:
        return State(*super().decode(text))

    def name(self, state: State, move: int) -> str:
        return MOVES[move]

    def read(self, state: State, text: str) -> int:
        try:
            words = phrase(without_lead_in(text)).split()
            spoken = " ".join(word for word in words if word not in _PADDLE)
            way = WAIT if spoken in _STILL else step_or_wait(spoken)
        except InvalidAnswer:
            way = ""
        if way not in SHIFTS:
            raise InvalidAnswer("expected left, right or wait")
        move = MOVES.index(way)
        if move not in self.legal(state):
            raise InvalidAnswer("the paddle is at the edge")
        return move

    def sign(self, state: State, row: int, column: int) -> str:
        """What is seen on a cell."""
        if row == self.rows:
            return "=" if abs(column - state.paddle) < 2 else "."
        if (row, column) == (state.row, state.column):
            return "o"
        return "#" if state.bricks >> row * self.columns + column & 1 else "."

    def show(self, state: State) -> str:
        lines = [f"   {' '.join(str(n + 1) for n in range(self.columns))}"]
        for row in range(self.rows + 1):
            signs = (self.sign(state, row, column) for column in range(self.columns))
            lines.append(f"{row + 1:>2} {' '.join(signs)}")
        way = f"{'down' if state.down > 0 else 'up'} and {'right' if state.right > 0 else 'left'}"
        board = "\n".join(lines)
        ball = cell_name(state.row, state.column)
        middle = cell_name(self.rows, state.paddle)
        return f"{board}\n\nThe ball is in {ball} and moves {way}. Middle of the paddle: {middle}."

    def scene(self, state: State) -> Grid:
        cells = tuple(
            tuple(self._cell(state, row, column) for column in range(self.columns))
            for row in range(self.rows + 1)
        )
        return Grid(cells, coordinates=True)

    def _cell(self, state: State, row: int, column: int) -> Cell:
        sign = self.sign(state, row, column)
        if sign == "o":
            way = f"{'down' if state.down > 0 else 'up'}-{'right' if state.right > 0 else 'left'}"
            return Cell(mark=way, tone="bad")  # type: ignore[arg-type]  # one of the marks
        if sign == "=":
            return Cell(fill="c0")
        return Cell(fill="c4") if sign == "#" else Cell()


class Flight(NamedTuple):
    """A way to meet the ball once: the moves up to the step that it takes from the paddle."""

    moves: tuple[int, ...]
    end: State


def flights(rules: BrickBreaking, state: State) -> Iterator[Flight]:
    """The ways to meet the ball once, or to wait until the last brick is broken."""
    start, steps = state, 0
    while rules.meets(state) is None:
        state, steps = rules.rolled(state), steps + 1
        if not state.bricks:
            yield Flight((MOVES.index(WAIT),) * steps, state)
            return
    column = rules.meets(state)
    assert column is not None, "the ball has met the paddle"
    for paddle in range(max(1, column - 1), min(rules.columns - 2, column + 1) + 1):
        far = abs(paddle - start.paddle)
        if far <= steps + 1:
            way = "left" if paddle < start.paddle else "right"
            waits = (MOVES.index(WAIT),) * (steps + 1 - far)
            moves = (MOVES.index(way),) * far + waits
            yield Flight(moves, rules.rolled(state._replace(paddle=paddle)))


@lru_cache(maxsize=512)
def shortest_plan(rules: BrickBreaking, start: State, budget: int) -> Plan[int] | None:
    """A shortest plan, by a search of so many states in which the ball has met the paddle.

    What the paddle does between does not matter, as the ball does not depend on it.
    """
    queue = [(0, 0, start)]
    came: dict[State, tuple[int, State | None, tuple[int, ...]]] = {start: (0, None, ())}
    number = visited = 0
    while queue and visited < budget:
        length, _, state = heappop(queue)
        if length > came[state][0]:
            continue
        visited += 1
        if not state.bricks:
            moves = list[int]()
            step: State | None = state
            while step is not None:
                _, before, flown = came[step]
                moves[:0] = flown
                step = before
            return Plan(tuple(moves), visited)
        for moves_of, end in flights(rules, state):
            new = length + len(moves_of)
            if end not in came or new < came[end][0]:
                came[end] = new, state, moves_of
                number += 1
                heappush(queue, (new, number, end))
    return None
