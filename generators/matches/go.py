"""The rules of go on small boards, with stones as bits, row by row from the top left."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.rules import LOSS, WIN, Rules
from palaestra.generators.matches.solver import Solver, TooHard
from palaestra.generators.matches.square_boards import (
    bits,
    board,
    board_scene,
    board_text,
    cell_in,
    move_in,
    name_of,
)
from palaestra.scenes import Grid
from palaestra.task import InvalidAnswer

PASS = -1
"""The move of a player who places no stone."""

PASSES = {"pass", "i pass", "passing", "i will pass", "i'll pass"}

EXAMPLE = "r2c3, or 'pass'"


class State(NamedTuple):
    """The stones of both players, and how the game goes on."""

    first: int
    second: int
    turn: int
    left: int
    """How many moves of both players are left, passes included."""

    margin: int
    """By how many points the first player's area must be larger, at least, to win."""

    ko: int = 0
    """The bit of the cell where a stone would restore the board before the last move."""

    passes: int = 0
    """How many passes in a row have just been made; two end the game."""


Node = tuple[int, int, int, int, int, int]
"""A position of the search: the stones of the player to move and of the other one, by how much the
own area has to be larger, and how many moves are left, the ko and the passes as in a state.
"""


Placed = tuple[int, int, int]
"""What a stone leads to: the stones of the player, those of the other, and the bit of the ko."""


@dataclass(frozen=True)
class Go(Rules[State, int]):
    """Go on a square board with area scoring, simple ko, no suicide, and a number of moves."""

    size: int
    state_type = State

    def start(self) -> State:
        return State(0, 0, 0, 2 * self.size**2, 1)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[int]:
        mine, theirs = _sides(state)
        moves = _moves(self.size, mine, theirs, state.ko)
        if state.passes and self.leader(state) == state.turn:
            return (PASS, *moves)
        return (*moves, PASS)

    def apply(self, state: State, move: int) -> State:
        _, _, turn, left, margin, ko, passes = state
        if move == PASS:
            return state._replace(turn=1 - turn, left=left - 1, ko=0, passes=passes + 1)
        mine, theirs = _sides(state)
        mine, theirs, ko = _moves(self.size, mine, theirs, ko)[move]
        first, second = (theirs, mine) if turn else (mine, theirs)
        return State(first, second, 1 - turn, left - 1, margin, ko)

    def outcome(self, state: State) -> int | None:
        if state.left > 0 and state.passes < 2:
            return None
        return LOSS if self.leader(state) else WIN

    def leader(self, state: State) -> int:
        """Who wins if the game ends now."""
        return int(self.lead(state) < state.margin)

    def lead(self, state: State) -> int:
        """By how many points the first player's area is larger."""
        return _lead(self.size, state.first, state.second)

    def name(self, state: State, move: int) -> str:
        return "pass" if move == PASS else name_of(move, self.size)

    def read(self, state: State, text: str) -> int:
        if move_in(text).strip(" .*`\"'").casefold() in PASSES:
            return PASS
        move = cell_in(text, self.size, self.size, EXAMPLE)
        if move not in _moves(self.size, *_sides(state), state.ko):
            cell = name_of(move, self.size)
            raise InvalidAnswer(f"{cell} is not a legal move; expected a cell such as {EXAMPLE}")
        return move

    def show(self, state: State) -> str:
        first, second = _areas(self.size, state.first, state.second)
        lines = [
            f"Area at present: X {first}, O {second}.",
            f"X wins if its area exceeds that of O by more than {state.margin - 0.5}, else O wins.",
            f"Moves left for both players together: {state.left}.",
        ]
        if state.ko:
            lines.append(f"Not allowed in this move (ko): {name_of(_number(state.ko), self.size)}.")
        if state.passes:
            lines.append("The last move was a pass.")
        return "\n".join([board_text(self._signs(state)), "", *lines])

    def _signs(self, state: State) -> list[list[str]]:
        return board(self.size, self.size, {"X": state.first, "O": state.second})

    def scene(self, state: State, last: int | None) -> Grid:
        return board_scene(self._signs(state), () if last in {None, PASS} else (last,))

    def judgement(self, state: State, player: int) -> float:
        """The area, and half a point less for each own stone in a group with a single liberty."""
        first, second = _areas(self.size, state.first, state.second)
        weak = _weak(self.size, state.first, state.second)
        lead = first - second - (weak[0] - weak[1]) / 2
        return lead if player == 0 else -lead

    def free(self, state: State) -> int:
        """The number of empty cells."""
        return self.size**2 - (state.first | state.second).bit_count()

    def captures(self, state: State, move: int) -> bool:
        """Whether a move captures a stone."""
        mine, theirs = _sides(state)
        return move != PASS and _moves(self.size, mine, theirs, state.ko)[move][1] != theirs

    def fills_eye(self, state: State, move: int) -> bool:
        """Whether a stone would take an empty cell with no neighbours but own stones."""
        return move != PASS and not _near(self.size, 1 << move) & ~_sides(state)[0]


class GoSolver(Solver[State, int]):
    """A solver with a search of its own: as there are no draws, it asks only who wins."""

    rules: Go

    def __init__(self, rules: Go, most_nodes: int | None = None) -> None:
        super().__init__(rules, most_nodes)
        self._size = rules.size
        self._known: dict[Node, bool] = {}
        self._killers: dict[tuple[int, int], int] = {}

    def value(self, state: State, low: int = LOSS, high: int = WIN) -> int:
        if (over := self.rules.outcome(state)) is not None:
            return over
        mine, theirs = _sides(state)
        need = 1 - state.margin if state.turn else state.margin
        wins = self._wins((mine, theirs, need, state.left, state.ko, state.passes))
        return WIN if wins != bool(state.turn) else LOSS

    def _wins(self, node: Node) -> bool:
        """Whether the player to move can have so much more area at the end."""
        mine, theirs, need, left, _, passes = node
        if left == 0 or passes == 2:
            return _lead(self._size, mine, theirs) >= need
        # A pass is the last move here.
        if (left == 1 or passes) and _lead(self._size, mine, theirs) >= need:
            return True
        if (known := self._known.get(node)) is None:
            known = self._known[node] = self._wins_by_move(node)
        return known

    def _wins_by_move(self, node: Node) -> bool:
        self._count()
        mine, theirs, need, left, ko, passes = node
        # What refuted another move is tried before all moves are worked out.
        stone = self._killers.get((left, need), 0)
        if stone and not stone & (mine | theirs | ko):
            after = _placed(self._size, mine, theirs, stone)
            if after and not self._wins((after[1], after[0], 1 - need, left - 1, after[2], 0)):
                return True
        for cell, (own, other, new_ko) in _moves(self._size, mine, theirs, ko).items():
            if not self._wins((other, own, 1 - need, left - 1, new_ko, 0)):
                self._killers[left, need] = 1 << cell
                return True
        return not self._wins((theirs, mine, 1 - need, left - 1, 0, passes + 1))

    def _count(self) -> None:
        self.nodes += 1
        if self._most_nodes is not None and self.nodes > self._most_nodes:
            raise TooHard


@lru_cache(maxsize=32)
def solver_of(rules: Go, start: str) -> GoSolver:
    """The solver of all positions that follow from a start, which keeps what it has searched."""
    return GoSolver(rules)


def _sides(state: State) -> tuple[int, int]:
    """The stones of the player to move, and those of the other player."""
    return (state.second, state.first) if state.turn else (state.first, state.second)


def _number(bit: int) -> int:
    return bit.bit_length() - 1


@lru_cache(maxsize=8)
def _borders(size: int) -> tuple[int, int, int]:
    """All cells, those of all columns but the first, and those of all columns but the last."""
    every = (1 << size * size) - 1
    first = sum(1 << n * size for n in range(size))
    return every, every & ~first, every & ~(first << size - 1)


@lru_cache(maxsize=1 << 16)
def _near(size: int, cells: int) -> int:
    """The cells next to some cells, without these."""
    every, not_first, not_last = _borders(size)
    around = cells << size | cells >> size | (cells & not_last) << 1 | (cells & not_first) >> 1
    return around & every & ~cells


@lru_cache(maxsize=1 << 16)
def _region(size: int, cell: int, cells: int) -> int:
    """Those of some cells that are connected to one of them."""
    region, grown = 0, cell
    while region != grown:
        region = grown
        grown = region | _near(size, region) & cells
    return region


def _placed(size: int, mine: int, theirs: int, stone: int) -> Placed | None:
    """What a stone leads to; None for suicide."""
    near = _near(size, stone)
    empty = _borders(size)[0] & ~(mine | theirs | stone)
    captured, left = 0, near & theirs
    if not left and near & empty:
        return mine | stone, theirs, 0
    while left:
        group = _region(size, left & -left, theirs)
        left &= ~group
        if not _near(size, group) & empty:
            captured |= group
    mine |= stone
    if near & empty and not captured:
        return mine, theirs, 0
    group = _region(size, stone, mine)
    liberties = _near(size, group) & (empty | captured)
    if not liberties:
        return None
    # A stone that captures one and would be captured by the same move is a ko.
    is_ko = group == stone and captured == liberties and captured.bit_count() == 1
    return mine, theirs & ~captured, captured if is_ko else 0


@lru_cache(maxsize=1 << 16)
def _moves(size: int, mine: int, theirs: int, ko: int) -> dict[int, Placed]:
    """What each legal stone leads to; those that capture most come first."""
    empty = _borders(size)[0] & ~(mine | theirs | ko)
    placed = {cell: _placed(size, mine, theirs, 1 << cell) for cell in bits(empty)}
    moves = [(cell, after) for cell, after in placed.items() if after is not None]
    moves.sort(key=lambda each: each[1][1].bit_count())
    return dict(moves)


def _lead(size: int, mine: int, theirs: int) -> int:
    """By how much the area of one player is larger than that of the other."""
    own, other = _areas(size, mine, theirs)
    return own - other


@lru_cache(maxsize=1 << 16)
def _areas(size: int, first: int, second: int) -> tuple[int, int]:
    """The area of each player: stones, and empty regions next to stones of that player alone."""
    empty = left = _borders(size)[0] & ~(first | second)
    areas = [first.bit_count(), second.bit_count()]
    while left:
        region = _region(size, left & -left, empty)
        left &= ~region
        near = _near(size, region)
        if bool(near & first) != bool(near & second):
            areas[0 if near & first else 1] += region.bit_count()
    return areas[0], areas[1]


@lru_cache(maxsize=1 << 12)
def _weak(size: int, first: int, second: int) -> tuple[int, int]:
    """How many stones of each player are in groups with a single liberty."""
    empty = _borders(size)[0] & ~(first | second)
    counts = [
        sum(group.bit_count() for group in _groups(size, own) if _liberties(size, group, empty) < 2)
        for own in (first, second)
    ]
    return counts[0], counts[1]


def _groups(size: int, stones: int) -> Iterator[int]:
    """The groups of the stones of one player."""
    while stones:
        group = _region(size, stones & -stones, stones)
        stones &= ~group
        yield group


def _liberties(size: int, group: int, empty: int) -> int:
    return (_near(size, group) & empty).bit_count()
