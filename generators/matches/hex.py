"""The rules of Hex, with stones as bits, row by row from the top left.

X connects the top and the bottom, O the left and the right. The neighbours of a cell are the two
beside it in its row, the two in its column, the upper right and the lower left one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.rules import LOSS, WIN, Rules
from palaestra.generators.matches.square_boards import PIECES, bits, board
from palaestra.scenes import Hex as Hexagon
from palaestra.scenes import Hexagons
from palaestra.scenes.elements import changed
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.hex import cell_of_letter, letter_name

LETTERS = "abcdefgh"
"""The names of the columns."""


class State(NamedTuple):
    """The stones of both players, and whose turn it is."""

    first: int
    second: int
    turn: int


class Masks(NamedTuple):
    """Sets of cells of a board."""

    every: int
    not_left: int
    not_right: int
    sides: tuple[tuple[int, int], tuple[int, int]]
    """For each player the cells at both of the sides to connect."""


class Paths(NamedTuple):
    """What a player needs to connect the sides."""

    stones: int
    """The number of stones; 0 where they are connected."""

    cells: int
    """The free cells on the shortest of the ways that need so many stones."""


@dataclass(frozen=True)
class Hex(Rules[State, int]):
    """Hex on a rhombus of ``size`` by ``size`` cells; X moves first, and nobody swaps."""

    size: int
    state_type = State
    is_placement = True
    spaces_count = True

    def start(self) -> State:
        return State(0, 0, 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[int]:
        return _legal(self.size, *state)

    def apply(self, state: State, move: int) -> State:
        first, second, turn = state
        return State(first, second | 1 << move, 0) if turn else State(first | 1 << move, second, 1)

    def outcome(self, state: State) -> int | None:
        """Only the player who has just moved can have won, and one player wins each full board."""
        first, second, turn = state
        if turn:
            return WIN if _connected(self.size, first, 0) else None
        return LOSS if _connected(self.size, second, 1) else None

    def solved(self, state: State) -> int:
        """By a search that knows which cells a proof needs."""
        first, second, turn = state
        mine, theirs = (second, first) if turn else (first, second)
        wins, _ = _proof(self.size, mine, theirs, turn)
        return WIN if wins == (turn == 0) else LOSS

    def name(self, state: State, move: int) -> str:
        return letter_name(*divmod(move, self.size))

    def read(self, state: State, text: str) -> int:
        row, column = cell_of_letter(text, self.size, self.size)
        if row * self.size + column not in self.legal(state):
            raise InvalidAnswer(f"{letter_name(row, column)} is not a free cell")
        return row * self.size + column

    def show(self, state: State) -> str:
        lines = [f"{row + 1}{' ' * (row + 2)}{' '.join(line)}" for row, line in self._rows(state)]
        return "\n".join(["   " + " ".join(LETTERS[: self.size]), *lines])

    def _rows(self, state: State) -> Sequence[tuple[int, list[str]]]:
        signs = board(self.size, self.size, {"X": state.first, "O": state.second})
        return list(enumerate(signs))

    def scene(self, state: State, last: int | None) -> Hexagons:
        return Hexagons(
            tuple(
                _hexagon(self.size, row, column, sign)
                for row, line in self._rows(state)
                for column, sign in enumerate(line)
            ),
            left=tuple(str(n + 1) for n in range(self.size)),
            top=tuple(LETTERS[: self.size]),
            last=() if last is None else (_position(*divmod(last, self.size)),),
        )

    def judgement(self, state: State, player: int) -> float:
        """How many stones more than the player the other one needs to connect its sides."""
        needs = [self.paths(state, each).stones for each in (player, 1 - player)]
        return float(needs[1] - needs[0])

    def paths(self, state: State, player: int) -> Paths:
        """What a player needs to connect its sides."""
        return _paths(self.size, state[player], state[1 - player], player)

    def winning(self, state: State, most: int) -> list[int]:
        """The winning moves, or the first ``most`` of them."""
        first, second, turn = state
        mine, theirs = (second, first) if turn else (first, second)
        wins, left, moves = _completing(self.size, mine, theirs, turn), -1, list[int]()
        for move in self.legal(state):
            if len(moves) == most:
                break
            if wins >> move & 1:
                moves.append(move)
            elif left >> move & 1:
                loses, cells = _proof(self.size, theirs, mine | 1 << move, 1 - turn)
                if loses:
                    left &= cells
                else:
                    moves.append(move)
        return moves

    def free(self, state: State) -> int:
        """The number of free cells."""
        return self.size**2 - (state.first | state.second).bit_count()


@lru_cache(maxsize=16)
def _masks(size: int) -> Masks:
    every = (1 << size * size) - 1
    left = sum(1 << row * size for row in range(size))
    top, right = (1 << size) - 1, left << size - 1
    sides = ((top, top << size * (size - 1)), (left, right))
    return Masks(every, every & ~left, every & ~right, sides)


def _beside(size: int, cells: int, not_left: int, not_right: int) -> int:
    """The neighbours of cells, without a limit at the bottom."""
    return (
        cells << size
        | cells >> size
        | (cells << 1 | cells >> size - 1) & not_left
        | (cells >> 1 | cells << size - 1) & not_right
    )


@lru_cache(maxsize=1 << 16)
def _connected(size: int, stones: int, player: int) -> bool:
    """Whether stones connect the sides of a player."""
    _, not_left, not_right, sides = _masks(size)
    start, end = sides[player]
    reached, edge = 0, stones & start
    while edge:
        if edge & end:
            return True
        reached |= edge
        edge = _beside(size, edge, not_left, not_right) & stones & ~reached
    return False


@lru_cache(maxsize=1 << 16)
def _paths(size: int, mine: int, theirs: int, player: int) -> Paths:
    start, end = _masks(size).sides[player]
    ahead, back = (_rings(size, mine, theirs, side) for side in (start, end))
    needed = next((n for n, (reached, _) in enumerate(ahead) if reached & end), None)
    if needed is None:
        return Paths(size * size, 0)
    cells = 0
    for steps in range(1, needed + 1):
        cells |= ahead[steps][1] & back[needed + 1 - steps][1]
    return Paths(needed, cells)


def _rings(size: int, mine: int, theirs: int, side: int) -> list[tuple[int, int]]:
    """For each number of new stones: the cells that they connect to a side, and of these the free
    ones that fewer do not connect.
    """
    every, not_left, not_right, _ = _masks(size)
    open_cells, less = every & ~theirs, size - 1
    reached, entered, rings = 0, 0, list[tuple[int, int]]()
    edge = side & open_cells
    while True:
        fringe = edge & ~mine & ~entered
        edge &= mine | entered
        while edge:
            reached |= edge
            around = edge << size | edge >> size | (edge << 1 | edge >> less) & not_left
            around |= (edge >> 1 | edge << less) & not_right
            around &= open_cells & ~reached
            edge = around & mine
            fringe |= around ^ edge
        rings.append((reached, entered))
        edge = entered = fringe & ~reached
        if not entered:
            return rings


@lru_cache(maxsize=1 << 16)
def _completing(size: int, mine: int, theirs: int, player: int) -> int:
    """The free cells where a stone connects the sides of a player, which are not connected."""
    every, not_left, not_right, sides = _masks(size)
    free, less, both = every & ~(mine | theirs), size - 1, -1
    for side in sides[player]:
        reached, touched = 0, side
        while edge := touched & mine & ~reached:
            reached |= edge
            touched |= edge << size | edge >> size | (edge << 1 | edge >> less) & not_left
            touched |= (edge >> 1 | edge << less) & not_right
        both &= touched
    return both & free


@lru_cache(maxsize=1 << 16)
def _legal(size: int, first: int, second: int, turn: int) -> tuple[int, ...]:
    """The cells on shortest paths of both players, then of one of them, then the others."""
    free = _masks(size).every & ~(first | second)
    mine, theirs = (first, second) if turn == 0 else (second, first)
    one = _completing(size, mine, theirs, turn) or _completing(size, theirs, mine, 1 - turn)
    two = 0
    if not one:
        own = _paths(size, mine, theirs, turn).cells
        other = _paths(size, theirs, mine, 1 - turn).cells
        one, two = own & other, own ^ other
    return (*bits(one), *bits(two), *bits(free & ~(one | two)))


@lru_cache(maxsize=1 << 17)
def _proof(size: int, mine: int, theirs: int, turn: int) -> tuple[bool, int]:
    """Whether the player to move wins, and the free cells that the winner's strategy needs.

    If a move loses, so does each other one outside of the cells that its refutation needs (Van
    Rijswijck, Hayward).
    """
    if wins := _completing(size, mine, theirs, turn):
        return True, wins & -wins
    left, needed = _masks(size).every & ~(mine | theirs), 0
    if threats := _completing(size, theirs, mine, 1 - turn):
        needed = threats & -threats
        if rest := threats ^ needed:
            return False, needed | rest & -rest
        left = needed
    for move in _legal(size, *((theirs, mine) if turn else (mine, theirs)), turn):
        if left >> move & 1:
            loses, cells = _proof(size, theirs, mine | 1 << move, 1 - turn)
            if not loses:
                return True, cells | 1 << move
            needed |= cells
            left &= cells
            if not left:
                break
    return False, needed


def _position(row: int, column: int) -> tuple[int, int]:
    """Where a cell is drawn: each row is half a hexagon to the right of the one above."""
    return row, column + row // 2


@lru_cache(maxsize=1024)
def _hexagon(size: int, row: int, column: int, sign: str) -> Hexagon:
    """A cell; free cells at a side have the tint of the player who has to connect it."""
    ends = {0, size - 1}
    of_first, of_second = row in ends, column in ends
    tint = "paper" if of_first == of_second else "t3" if of_first else "t6"
    return Hexagon(*_position(row, column), changed(PIECES[sign], fill=tint))
