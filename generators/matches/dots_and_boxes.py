"""The rules of Dots and Boxes, with lines as bits: the horizontal ones first, row by row."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.rules import DRAW, LOSS, WIN, Rules
from palaestra.generators.matches.square_boards import bits, hop_name, read_hop
from palaestra.scenes import Border, Cell, Grid

OWNERS = {"X": Cell("X", fill="t3"), "O": Cell("O", fill="t6"), " ": Cell()}


class State(NamedTuple):
    """The lines, the boxes of the first and the second player, and whose turn it is."""

    lines: int
    first: int
    second: int
    turn: int


@dataclass(frozen=True)
class DotsAndBoxes(Rules[State, int]):
    """Dots and Boxes on so many rows and columns of boxes; a move is the number of a line."""

    rows: int
    columns: int
    state_type = State
    spaces_count = True

    def start(self) -> State:
        return State(0, 0, 0, 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[int]:
        """First the lines that complete boxes, last those that let the opponent complete one."""
        lines = state.lines
        free = [line for line in range(self.lines()) if not lines >> line & 1]
        return sorted(free, key=lambda line: self.risk(lines, line))

    def risk(self, lines: int, line: int) -> int:
        """-1 for a line that completes a box, 1 for one that lets the opponent complete one, and 0
        for others.
        """
        missing = [(sides & ~lines).bit_count() for _, sides in _beside(self, line)]
        return -1 if 1 in missing else 1 if 2 in missing else 0

    def apply(self, state: State, move: int) -> State:
        lines, first, second, turn = state
        lines |= 1 << move
        closed = 0
        for box, sides in _beside(self, move):
            if sides & lines == sides:
                closed |= 1 << box
        if not closed:
            return State(lines, first, second, 1 - turn)
        if turn:
            return State(lines, first, second | closed, 1)
        return State(lines, first | closed, second, 0)

    def outcome(self, state: State) -> int | None:
        first, second = state.first.bit_count(), state.second.bit_count()
        boxes = self.rows * self.columns
        if 2 * first > boxes:
            return WIN
        if 2 * second > boxes:
            return LOSS
        return DRAW if first + second == boxes else None

    def lines(self) -> int:
        """The number of lines of a full board."""
        return 2 * self.rows * self.columns + self.rows + self.columns

    def name(self, state: State, move: int) -> str:
        return hop_name(_dots(self.rows, self.columns)[move], self.columns + 1)

    def read(self, state: State, text: str) -> int:
        dots = _dots(self.rows, self.columns)
        ways = {way: line for line in self.legal(state) for way in (dots[line], dots[line][::-1])}
        return ways[read_hop(text, self.rows + 1, self.columns + 1, ways)]

    def show(self, state: State) -> str:
        numbers = "   ".join(str(column + 1) for column in range(self.columns + 1))
        text = [f"   {numbers}"]
        for row in range(self.rows + 1):
            text.append(f"{row + 1}  {self._row_of_dots(state, row)}".rstrip())
            if row < self.rows:
                text.append(f"   {self._row_of_boxes(state, row)}".rstrip())
        first, second = state.first.bit_count(), state.second.bit_count()
        return "\n".join([*text, "", f"X has {first} boxes, O has {second}."])

    def _row_of_dots(self, state: State, row: int) -> str:
        numbers = range(row * self.columns, (row + 1) * self.columns)
        return "+" + "".join("---+" if state.lines >> n & 1 else "   +" for n in numbers)

    def _row_of_boxes(self, state: State, row: int) -> str:
        upright = (self.rows + 1) * self.columns + row * (self.columns + 1)
        signs = [*self._owners(state)[row], ""]
        return "".join(
            f"{'|' if state.lines >> upright + column & 1 else ' '} {sign} "
            for column, sign in enumerate(signs)
        ).rstrip()

    def _owners(self, state: State) -> list[list[str]]:
        """The sign of the owner of each box, a space without one."""

        def sign(box: int) -> str:
            return "X" if state.first >> box & 1 else "O" if state.second >> box & 1 else " "

        return [
            [sign(row * self.columns + column) for column in range(self.columns)]
            for row in range(self.rows)
        ]

    def scene(self, state: State, last: int | None) -> Grid:
        dots = _dots(self.rows, self.columns)
        corners = [
            (line, tuple(divmod(dot, self.columns + 1) for dot in dots[line]))
            for line in bits(state.lines)
        ]
        return Grid(
            tuple(tuple(OWNERS[sign] for sign in row) for row in self._owners(state)),
            borders=tuple(
                Border(points, "accent" if line == last else "ink") for line, points in corners
            ),
            style="dots",
        )

    def judgement(self, state: State, player: int) -> float:
        """The lead in boxes, where those that can be completed now count for the player to move."""
        lead = state.first.bit_count() - state.second.bit_count()
        ready = sum((sides & ~state.lines).bit_count() == 1 for sides in _boxes(self))
        lead = lead if player == 0 else -lead
        return float(lead + ready if state.turn == player else lead - ready)

    def lead(self, state: State) -> int:
        """By how many boxes the player to move is ahead."""
        lead = state.first.bit_count() - state.second.bit_count()
        return -lead if state.turn else lead

    def free(self, state: State) -> int:
        """The number of lines that are missing."""
        return self.lines() - state.lines.bit_count()


@lru_cache(maxsize=16)
def _dots(rows: int, columns: int) -> tuple[tuple[int, int], ...]:
    """The two dots of each line, numbered row by row."""
    wide = columns + 1
    across = [
        (row * wide + n, row * wide + n + 1) for row in range(rows + 1) for n in range(columns)
    ]
    down = [(dot, dot + wide) for dot in range(rows * wide)]
    return (*across, *down)


@lru_cache(maxsize=16)
def _boxes(rules: DotsAndBoxes) -> tuple[int, ...]:
    """The four lines of each box, as bits."""
    rows, columns = rules.rows, rules.columns
    upright = (rows + 1) * columns
    return tuple(
        1 << row * columns + column
        | 1 << (row + 1) * columns + column
        | 3 << upright + row * (columns + 1) + column
        for row in range(rows)
        for column in range(columns)
    )


@lru_cache(maxsize=1 << 10)
def _beside(rules: DotsAndBoxes, line: int) -> tuple[tuple[int, int], ...]:
    """The boxes on both sides of a line, each with its four lines."""
    return tuple((box, sides) for box, sides in enumerate(_boxes(rules)) if sides >> line & 1)
