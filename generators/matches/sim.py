"""The rules of Sim, with the lines between points as bits, in the order of their names."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import cos, pi, sin
from string import ascii_uppercase
from typing import NamedTuple

from palaestra.generators.matches.rules import DRAW, LOSS, WIN, Rules
from palaestra.generators.matches.square_boards import bits
from palaestra.scenes import Edge, Graph, Node
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.sim import line as read_line

TONES = "c3", "c6"


class State(NamedTuple):
    """The lines of the first and the second player, and whose turn it is."""

    first: int
    second: int
    turn: int


@dataclass(frozen=True)
class Sim(Rules[State, int]):
    """Sim on so many points: who completes a triangle of own lines loses. A move is a line."""

    points: int
    state_type = State
    is_placement = True

    def start(self) -> State:
        return State(0, 0, 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[int]:
        """First the lines that complete no triangle, those in few open triangles before others."""
        first, second, turn = state
        mine, theirs = (second, first) if turn else (first, second)
        free = bits(_every(self.points) & ~(first | second))
        return sorted(free, key=lambda line: self._danger(mine, theirs, line))

    def _danger(self, mine: int, theirs: int, line: int) -> int:
        """How much a line brings its player nearer to a triangle."""
        danger = 0
        for sides in _triangles(self.points)[line]:
            own = (sides & mine).bit_count()
            danger += 100 if own == 2 else own if not sides & theirs else 0
        return danger

    def apply(self, state: State, move: int) -> State:
        first, second, turn = state
        if turn:
            return State(first, second | 1 << move, 0)
        return State(first | 1 << move, second, 1)

    def outcome(self, state: State) -> int | None:
        """Only the player who has just moved can have completed a triangle."""
        lines = state.first if state.turn else state.second
        if _has_triangle(self.points, lines):
            return LOSS if state.turn else WIN
        return DRAW if state.first | state.second == _every(self.points) else None

    def name(self, state: State, move: int) -> str:
        return line_name(_ends(self.points)[move])

    def read(self, state: State, text: str) -> int:
        ends = read_line(text, ascii_uppercase[: self.points])
        lines = _ends(self.points)
        if ends not in lines or lines.index(ends) not in self.legal(state):
            raise InvalidAnswer(f"{line_name(ends)} is not a legal move")
        return lines.index(ends)

    def show(self, state: State) -> str:
        every = _every(self.points)
        rows = (
            ("X", state.first),
            ("O", state.second),
            ("free", every & ~(state.first | state.second)),
        )
        return "\n".join(f"{name}: {self._listed(lines)}" for name, lines in rows)

    def _listed(self, lines: int) -> str:
        ends = _ends(self.points)
        return ", ".join(line_name(ends[line]) for line in bits(lines)) or "none"

    def scene(self, state: State, last: int | None) -> Graph:
        turns = (2 * pi * point / self.points for point in range(self.points))
        nodes = tuple(
            Node(ascii_uppercase[point], x=0.5 + sin(turn) / 2, y=0.5 - cos(turn) / 2)
            for point, turn in enumerate(turns)
        )
        return Graph(
            nodes,
            tuple(self._edge(state, line, line == last) for line in range(len(_ends(self.points)))),
        )

    def _edge(self, state: State, line: int, is_last: bool) -> Edge:
        start, end = _ends(self.points)[line]
        if state.first >> line & 1:
            return Edge(start, end, "X" if is_last else "", TONES[0], wide=True)
        if state.second >> line & 1:
            return Edge(start, end, "O" if is_last else "", TONES[1], wide=True)
        return Edge(start, end, "", "muted", dashed=True)

    def judgement(self, state: State, player: int) -> float:
        """How many more lines are still safe for a player than for the other one."""
        free = _every(self.points) & ~(state.first | state.second)
        sides = (state.first, state.second) if player == 0 else (state.second, state.first)
        mine, theirs = (_unsafe(self.points, lines) & free for lines in sides)
        return float(theirs.bit_count() - mine.bit_count())

    def free(self, state: State) -> int:
        """The number of lines that nobody has."""
        return len(_ends(self.points)) - (state.first | state.second).bit_count()


def line_name(ends: tuple[int, int]) -> str:
    """The name of a line by its two points.

    >>> line_name((0, 2))
    'A-C'
    """
    return f"{ascii_uppercase[ends[0]]}-{ascii_uppercase[ends[1]]}"


@lru_cache(maxsize=8)
def _ends(points: int) -> tuple[tuple[int, int], ...]:
    """The points of each line."""
    return tuple(combinations(range(points), 2))


@lru_cache(maxsize=8)
def _every(points: int) -> int:
    return (1 << len(_ends(points))) - 1


@lru_cache(maxsize=8)
def _triangles(points: int) -> tuple[tuple[int, ...], ...]:
    """For each line the masks of the other two lines of each triangle."""
    ends = _ends(points)
    return tuple(
        tuple(
            1 << ends.index((min(a, c), max(a, c))) | 1 << ends.index((min(b, c), max(b, c)))
            for c in range(points)
            if c not in {a, b}
        )
        for a, b in ends
    )


@lru_cache(maxsize=1 << 16)
def _unsafe(points: int, lines: int) -> int:
    """The lines that complete a triangle of these."""
    return sum(
        1 << line
        for line, triangles in enumerate(_triangles(points))
        if any(sides & lines == sides for sides in triangles)
    )


@lru_cache(maxsize=1 << 16)
def _has_triangle(points: int, lines: int) -> bool:
    return bool(_unsafe(points, lines) & lines)
